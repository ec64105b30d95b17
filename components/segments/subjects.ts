import { type AskedState, type FieldTest, testsOfType } from "@/server/contract/filter";
import { importParts, sources } from "@/server/contract/people-list";
import { subscriberTexts, textNames } from "@/server/contract/subscriber-texts";
import { statuses } from "@/server/domain/status-moves";
import type { Field } from "../people/attribute-text";
import { sourceWords } from "../people/person-fields";
import { statusWord } from "../ui/status";

type Option = { value: string; label: string };

/** What a condition can be about, how it is compared, and what it is compared with. */
export type Subject = {
  /** As the contract has it; of a field `fields.KEY`. */
  about: string;
  word: string;
  tests: Option[];
  /** What is compared with; `several` and `tags` are some of a list, `days` and `moment` follow the test. */
  input: "several" | "tags" | "text" | "time" | "import" | "field";
  /** Of `several`. */
  options?: Option[];
  field?: Field;
};

const testWords: Record<FieldTest, string> = {
  is: "is",
  equals: "is exactly",
  contains: "contains",
  starts_with: "begins with",
  ends_with: "ends with",
  at_least: "at least",
  at_most: "at most",
  set: "is set",
  not_set: "is not set",
};
const tests = (...values: FieldTest[]): Option[] =>
  values.map((value) => ({ value, label: testWords[value] }));

const textTests = tests("is", "contains", "starts_with", "ends_with");
const isSet = tests("set", "not_set");
const isOneOf: Option[] = [{ value: "is", label: "is one of" }];

const dayTests: Option[] = [
  { value: "within_days", label: "in the last … days" },
  { value: "over_days_ago", label: "more than … days ago" },
  { value: "after", label: "on or after" },
  { value: "before", label: "before" },
];
const ever: Option[] = [
  { value: "set", label: "at any time" },
  { value: "not_set", label: "never" },
];

const dateWords: Partial<Record<FieldTest, string>> = { at_least: "on or after", at_most: "on or before" };
const testsOfField = ({ type }: Field): Option[] =>
  testsOfType[type].map((value) => ({
    value,
    label: (type === "date" && dateWords[value]) || testWords[value],
  }));

/** In the words of the list's chip of an import. */
const partWords: Record<(typeof importParts)[number], string> = {
  added: "added them",
  unchanged: "found them on the list",
  still_here: "lists them as unsubscribed",
};

const askedWords: Record<AskedState, string> = {
  waiting: "Waiting",
  sent: "Sent",
  delivered: "Delivered",
  bounced: "Bounced",
  complained: "Marked as spam",
  failed: "Failed",
};

const options = (values: readonly string[], word: (value: string) => string): Option[] =>
  values.map((value) => ({ value, label: word(value) }));

const some = (about: string, word: string, of: Option[]): Subject => ({
  about,
  word,
  tests: isOneOf,
  input: "several",
  options: of,
});

const person: Subject[] = [
  some("status", "Status", options(statuses, statusWord)),
  some(
    "source",
    "Added by",
    options(sources, (source) => sourceWords[source] ?? source),
  ),
  { about: "search", word: "Email or name", tests: tests("contains"), input: "text" },
  ...textNames.map((about): Subject => {
    const { label, optional } = subscriberTexts[about];
    return { about, word: label, tests: optional ? [...textTests, ...isSet] : textTests, input: "text" };
  }),
  { about: "tag", word: "Tag", tests: isOneOf, input: "tags" },
  { about: "added", word: "Added", tests: dayTests, input: "time" },
  { about: "confirmed", word: "Confirmed", tests: [...dayTests, ...ever], input: "time" },
  { about: "asked", word: "Asked", tests: [...dayTests, ...ever], input: "time" },
  some(
    "mail",
    "Last confirmation email",
    Object.entries(askedWords).map(([value, label]) => ({ value, label })),
  ),
  {
    about: "import",
    word: "Import",
    tests: options(importParts, (part) => partWords[part as keyof typeof partWords]),
    input: "import",
  },
];

/** What can be asked of the people of a newsletter with these fields. */
export const subjectsOf = (fields: Field[]): Subject[] => [
  ...person,
  ...fields.map(
    (field): Subject => ({
      about: `fields.${field.key}`,
      word: field.label,
      tests: testsOfField(field),
      input: "field",
      field,
    }),
  ),
];

/** What a condition is about; a field that is deleted has no tests, and stands with its key until it is replaced. */
export const subjectOf = (subjects: Subject[], about: string): Subject =>
  subjects.find((one) => one.about === about) ?? {
    about,
    word: `${about.replace("fields.", "")} (deleted)`,
    tests: [],
    input: "text",
  };

/** Whether the test compares with nothing. */
export const takesNothing = (test: string) => test === "set" || test === "not_set";
/** Whether the test compares with a number of days. */
export const takesDays = (test: string) => test === "within_days" || test === "over_days_ago";
