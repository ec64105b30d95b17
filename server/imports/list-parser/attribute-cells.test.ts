import { expect, it } from "vitest";
import { isDate } from "../../subscribers/field-values";
import { guessFieldType, parseFieldCell, readTags, withAttributeRoles, writeTags } from "./attribute-cells";
import type { ListField } from "./list-types";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

const field = (type: ListField["type"], choices: string[] = []): ListField => ({
  key: "it",
  label: "It",
  type,
  choices,
});

it.each([
  ["VIP", ["VIP"]],
  ["VIP, new ,,", ["VIP", "new"]],
  ['"Influencer","VIP"', ["Influencer", "VIP"]],
  ['"a, b", "say ""hi"""', ["a, b", 'say "hi"']],
  ["a;b", ["a", "b"]],
  ["'=1+1", ["=1+1"]],
  ['5" disks', ['5" disks']],
  ['"open', ['"open']],
  ["* myContacts ::: Choir", ["Choir"]],
  ["", []],
])("reads %j as the tags %j", (cell, tags) => {
  expect(readTags(cell)).toEqual(tags);
});

it("reads the same tags that it writes", () => {
  const tags = ["VIP", "a, b", "c;d", 'say "hi"', "é", "5'"];
  expect(readTags(writeTags(tags))).toEqual(tags);
});

it.each<[ListField["type"], string, unknown]>([
  ["text", " Analytical Engines ", "Analytical Engines"],
  ["text", "'=x", "=x"],
  ["number", "3", 3],
  ["number", "-3.50", -3.5],
  ["number", "'-3", -3],
  ["number", "3,5", 3.5],
  ["date", "2026-06-11", "2026-06-11"],
  ["date", "11.06.2026", "2026-06-11"],
  ["date", "Jun 11, 2026", "2026-06-11"],
  ["date", "2026-06-11T23:30:00-05:00", "2026-06-11"],
  ["boolean", "yes", true],
  ["boolean", "Nein", false],
  ["boolean", "true", true],
  ["choice", "print", "Print"],
])("in a %s field, reads %j as %j", (type, cell, value) => {
  expect(parseFieldCell(field(type, ["Print", "Digital"]), cell)).toEqual({ ok: true, value });
});

it.each<[ListField["type"], string]>([
  ["number", "1,234"],
  ["number", "three"],
  ["date", "3/5/2025"],
  ["date", "soon"],
  ["boolean", "perhaps"],
  ["choice", "Web"],
])("in a %s field, rejects %j", (type, cell) => {
  expect(parseFieldCell(field(type, ["Print", "Digital"]), cell)).toMatchObject({ ok: false });
});

it.each([
  ["number", ["3", "3,5", "-1"]],
  ["boolean", ["yes", "No"]],
  ["date", ["2026-06-11", "1.2.2024"]],
  ["text", ["3", "three"]],
  ["text", []],
])("proposes a %s field for %j", (type, cells) => {
  expect(guessFieldType(cells)).toBe(type);
});

it("recognises columns of tags, and one column for each field by its key, label or exported title", () => {
  const fields = [
    { ...field("text"), key: "company", label: "Employer" },
    { ...field("number"), key: "seats", label: "Seats" },
  ];
  const titles = ["email", "TAGS", "employer", "company", "fields.seats", "else"];
  const columns = titles.map((title) => ({ title, role: title === "email" ? "email" : "ignored" }) as const);
  expect(withAttributeRoles(columns, fields).map(({ role }) => role)).toEqual([
    "email",
    "tags",
    "field:company",
    "ignored",
    "field:seats",
    "ignored",
  ]);
});

it("reports a value that does not fit its field, by line", () => {
  const fields = [{ ...field("number"), key: "seats", label: "Seats" }];
  const text = "email,seats,tags\nada@lovelace.org,3,VIP\ngrace@navy.mil,many,\n";
  const { records } = parseList(text, { fields });
  expect(records).toMatchObject([{ fields: { seats: 3 }, tags: ["VIP"] }, { line: 3 }]);
  expect(new ListValidator(records).validate().validations).toMatchObject([
    { kind: "ready" },
    {
      kind: "invalid",
      message: "Seats: The value must be a number such as 3 or 3.5.",
    },
  ]);
});

it("merges the tags of a person on two lines", () => {
  const { records } = parseList("email,tags\nada@lovelace.org,a\nADA@lovelace.org,b\n");
  new ListValidator(records);
  expect(records[0]?.tags).toEqual(["a", "b"]);
});

it("has dates of the years 1 to 9999", () => {
  expect(["0000-12-31", "0001-01-01", "9999-12-31", "2026-02-29"].map(isDate)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
