import { expect, it } from "vitest";
import { csvCell } from "@/server/kernel/csv";
import { type ExportedPerson, toCsv } from "./export";

it.each([
  ["Ada Lovelace", '"Ada Lovelace"'],
  ["", '""'],
  ['Ada "Countess" King', '"Ada ""Countess"" King"'],
  ["Lovelace, Ada", '"Lovelace, Ada"'],
  ["=1+1", `"'=1+1"`],
  ["  @SUM(A1)", `"  '@SUM(A1)"`],
  ["x;=cmd|' /C calc'!A0;y", `"x;'=cmd|' /C calc'!A0;y"`],
  ["x\t+1", `"x\t'+1"`],
  ["x\r\n-1", `"x\r\n'-1"`],
  ["＝1+1", `"'＝1+1"`],
  ["Anne-Marie; Jean-Luc", '"Anne-Marie; Jean-Luc"'],
])("%j is written as %s", (text, written) => {
  expect(csvCell(text)).toBe(written);
});

it("a file has the unsubscribe links in its last column, where they were asked for", () => {
  const person = { email: "ada@lovelace.org", fields: {}, tags: [] } as unknown as ExportedPerson;
  const unsubscribeLink = "https://list.example.org/unsubscribe/AQGh-rgf";
  const [head, row] = toCsv([{ ...person, unsubscribeLink }]).split("\r\n");
  expect(head?.endsWith(',"tags","unsubscribe_link"')).toBe(true);
  expect(row?.endsWith(`,"${unsubscribeLink}"`)).toBe(true);
  expect(toCsv([person])).not.toContain("unsubscribe_link");
});

it("a file has a column for each field, and one for the tags", () => {
  const person = {
    email: "ada@lovelace.org",
    name: "Ada",
    status: "active",
    source: "api",
    fields: { seats: 3 },
    tags: ["VIP", "new"],
  } as unknown as ExportedPerson;
  const [head, row] = toCsv([person], ["seats", "company"]).split("\r\n");
  expect(head?.endsWith(',"fields.seats","fields.company","tags"')).toBe(true);
  expect(row?.endsWith(',"3","","VIP, new"')).toBe(true);
});
