import { expect, it } from "vitest";
import { readFile } from "./read-file";
import { makeXlsx, type TestCell } from "./testing/workbooks";

it("an .xlsx of 100,000 rows becomes text in seconds", async () => {
  const rows: TestCell[][] = Array.from({ length: 100_000 }, (_, i) => [
    `person${i}@lovelace.org`,
    `Ada ${i}`,
    "Lovelace",
    { date: new Date(Date.UTC(2024, 0, 1 + (i % 300))) },
    i,
    i % 2 === 0,
  ]);
  const one = new File([makeXlsx([{ name: "People", rows }])], "people.xlsx");
  const before = process.cpuUsage();
  const { text } = await readFile(one, {});
  const { user, system } = process.cpuUsage(before);
  expect(text.split("\n")).toHaveLength(100_000);
  expect(text).toContain("person99999@lovelace.org\tAda 99999\tLovelace\t2024-");
  // Of the processor's time: what else the machine does costs nothing.
  expect((user + system) / 1000).toBeLessThan(20_000);
});
