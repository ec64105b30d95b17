import { expect, test } from "vitest";
import { Filter } from "@/server/subscribers/schema/filter";
import { textsInEnglish } from "../texts/testing/in-english";
import { blankDraft, conditionErrors, draftOf, filterOfDraft, testedBy } from "./drafts";
import { subjectsOf } from "./subjects";

const field = (key: string, type: "text" | "number" | "date" | "boolean" | "choice") => ({
  key,
  label: key,
  type,
  choices: type === "choice" ? ["Print", "Digital"] : [],
  required: false,
});
const names = { status: String, source: String };
const subjects = subjectsOf(textsInEnglish("segments"), names, [
  field("company", "text"),
  field("seats", "number"),
  field("since", "date"),
  field("member", "boolean"),
  field("edition", "choice"),
] as Parameters<typeof subjectsOf>[2]);

const id = "01900000-0000-7000-8000-000000000001";
const filter = Filter.parse({
  match: "any",
  conditions: [
    { about: "status", is: ["active", "pending"] },
    { about: "source", is: ["api"] },
    { about: "search", value: "ada" },
    { about: "email", test: "ends_with", value: "@navy.mil" },
    { about: "name", test: "not_set" },
    { about: "tag", is: ["VIP", "new"] },
    { about: "mail", is: ["bounced"] },
    { about: "import", id, part: "unchanged" },
    { about: "field", key: "company", test: "contains", value: "Co" },
    { about: "field", key: "company", test: "equals", value: "Co" },
    { about: "field", key: "seats", test: "at_least", value: 3.5 },
    { about: "field", key: "since", test: "at_most", value: "2024-02-29" },
    { about: "field", key: "member", test: "is", value: false },
    { about: "field", key: "edition", test: "is", value: "Print" },
    { about: "field", key: "company", test: "not_set" },
    { about: "field", key: "deleted", test: "is", value: "as it was" },
  ],
  not: [
    { about: "added", test: "within_days", days: 30 },
    { about: "asked", test: "over_days_ago", days: 7 },
    { about: "confirmed", test: "not_set" },
    // Not the first moment of a day of this reader.
    { about: "confirmed", test: "before", at: "2026-03-04T05:06:07.000Z" },
  ],
});

test("an opened segment stays the same without edits", () => {
  expect(Filter.parse(filterOfDraft(draftOf(filter), subjects))).toEqual(filter);
});

test("a blank condition of each subject reports its missing value", () => {
  const messages = subjects.map((subject) => {
    const parsed = Filter.safeParse(filterOfDraft(blankDraft(subject), subjects));
    const issues = parsed.error?.issues ?? [];
    const errors = conditionErrors(issues.map(({ path, message }) => [path.join("."), message]));
    return [subject.about, errors["conditions.0"]];
  });
  expect(Object.fromEntries(messages)).toEqual({
    status: "Choose at least one.",
    source: "Choose at least one.",
    mail: "Choose at least one.",
    search: "Enter a value to compare with.",
    email: "Enter a value to compare with.",
    name: "Enter a value to compare with.",
    subscribed_at: "Enter the number of days.",
    tag: "Choose a tag.",
    added: "Enter the number of days.",
    confirmed: "Enter the number of days.",
    asked: "Enter the number of days.",
    import: "Choose an import.",
    "fields.company": "Enter a value to compare with.",
    "fields.seats": "Enter a value to compare with.",
    "fields.since": "Enter a value to compare with.",
    "fields.member": "Enter a value to compare with.",
    "fields.edition": "Enter a value to compare with.",
  });
});

test("a field's value of an unknown type is reported as missing", () => {
  const conditions = [{ about: "field", key: "company", test: "is", value: {} }];
  const { error } = Filter.safeParse({ match: "all", conditions, not: [] });
  expect(error?.issues.map(({ message }) => message)).toEqual(["Enter a value to compare with."]);
});

test("a change of the test keeps the number of days only where it means the same", () => {
  const draft = { row: 1, about: "added", test: "within_days", days: 7 };
  expect(testedBy(draft, "over_days_ago").days).toBe(7);
  for (const test of ["before", "set"]) expect(testedBy(draft, test).days).toBeUndefined();
});

test("messages of the server are found by condition at any depth of the input", () => {
  expect(
    conditionErrors([
      ["filter.filter.conditions.1.value", "First."],
      ["filter.filter.conditions.1.key", "Second."],
      ["segment.filter.not.12", "Other."],
      ["name", "Elsewhere."],
    ]),
  ).toEqual({ "conditions.1": "First.", "not.12": "Other." });
});
