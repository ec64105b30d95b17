import { expect, it } from "vitest";
import { csvCell } from "@/server/kernel/csv";
import { type ExportedPerson, toCsv } from "./export";

it.each([
  ["", '""'],
  ['Ada "Countess" King', '"Ada ""Countess"" King"'],
  ["=1+1", `"'=1+1"`],
  ["  @SUM(A1)", `"  '@SUM(A1)"`],
  ["x;=cmd|' /C calc'!A0;y", `"x;'=cmd|' /C calc'!A0;y"`],
  ["x\t+1", `"x\t'+1"`],
  ["x\r\n-1", `"x\r\n'-1"`],
  ["＝1+1", `"'＝1+1"`],
  ["Anne-Marie; Jean-Luc", '"Anne-Marie; Jean-Luc"'],
])("writes %j as %s", (text, written) => {
  expect(csvCell(text)).toBe(written);
});

const ada = { email: "ada@lovelace.org", fields: { seats: 3 }, tags: ["VIP", "new"] };

it("writes a column for each field, one for tags and one for requested unsubscribe links", () => {
  const person = ada as unknown as ExportedPerson;
  const [head, row] = toCsv([person], ["seats", "company"]).split("\r\n");
  expect(head).toMatch(/,"fields.seats","fields.company","tags"$/);
  expect(row).toMatch(/,"3","","VIP, new"$/);
  const linked = toCsv([{ ...person, unsubscribeLink: "https://a.example/x" }]).split("\r\n");
  expect(linked[0]).toMatch(/,"tags","unsubscribe_link"$/);
  expect(linked[1]).toMatch(/,"VIP, new","https:\/\/a.example\/x"$/);
});
