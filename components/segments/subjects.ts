import {
  confirmationStates,
  type FieldTest,
  type TimeTest,
  testsOfType,
} from "@/server/subscribers/schema/filter";
import { importParts, sources } from "@/server/subscribers/schema/people-list";
import { subscriberTexts, textNames } from "@/server/subscribers/schema/subscriber-texts";
import { statuses } from "@/server/subscribers/status-moves";
import type { Field } from "../subscribers/attribute-text";
import type { Texts } from "../texts/texts";

type Option = { value: string; label: string };

/** A subject of conditions, with its tests and the input for its value. */
export type Subject = {
  /** The contract's name; a field has `fields.KEY`. */
  about: string;
  /** The label; a deleted field shows its key. */
  word: string;
  isDeleted?: boolean;
  tests: Option[];
  /** The input for the value. `several` and `tags` choose from a list; `time` follows the test. */
  input: "several" | "tags" | "text" | "time" | "import" | "field";
  /** The options of `several`. */
  options?: Option[];
  field?: Field;
};

type SegmentTexts = Texts<"segments">;
/** Names of statuses and sources, shared with other screens. */
type Names = { status(status: string): string; source(source: (typeof sources)[number]): string };

const textTests = ["is", "contains", "starts_with", "ends_with"] as const;
const setTests = ["set", "not_set"] as const;
const dayTests = ["within_days", "over_days_ago", "after", "before"] as const;

const optionsOf = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
): Option[] => values.map((value) => ({ value, label: label(value) }));

function testsOfField(t: SegmentTexts, { type }: Field): Option[] {
  // Dates have other words than numbers.
  return optionsOf(testsOfType[type], (test) =>
    type === "date" && (test === "at_least" || test === "at_most")
      ? t(`dateTests.${test}`)
      : t(`tests.${test}`),
  );
}

function personSubjects(t: SegmentTexts, names: Names): Subject[] {
  const tests = (...values: FieldTest[]) => optionsOf(values, (test) => t(`tests.${test}`));
  const timeTests = (...values: TimeTest[]) => optionsOf(values, (test) => t(`timeTests.${test}`));
  const oneOf: Option[] = [{ value: "is", label: t("tests.isOneOf") }];
  const some = (about: "status" | "source" | "mail", options: Option[]): Subject => ({
    about,
    word: t(`subjects.${about}`),
    tests: oneOf,
    input: "several",
    options,
  });
  const time = (
    about: "added" | "subscribed_at" | "confirmed" | "asked",
    ...values: TimeTest[]
  ): Subject => ({
    about,
    word: t(`subjects.${about}`),
    tests: timeTests(...values),
    input: "time",
  });
  return [
    some("status", optionsOf(statuses, names.status)),
    some("source", optionsOf(sources, names.source)),
    { about: "search", word: t("subjects.search"), tests: tests("contains"), input: "text" },
    ...textNames.map((about): Subject => {
      const more = subscriberTexts[about].optional ? setTests : [];
      return { about, word: t(`subjects.${about}`), tests: tests(...textTests, ...more), input: "text" };
    }),
    { about: "tag", word: t("subjects.tag"), tests: oneOf, input: "tags" },
    time("added", ...dayTests),
    time("subscribed_at", ...dayTests),
    time("confirmed", ...dayTests, ...setTests),
    time("asked", ...dayTests, ...setTests),
    some(
      "mail",
      optionsOf(confirmationStates, (state) => t(`mailStates.${state}`)),
    ),
    {
      about: "import",
      word: t("subjects.import"),
      tests: optionsOf(importParts, (part) => t(`importParts.${part}`)),
      input: "import",
    },
  ];
}

export const subjectsOf = (t: SegmentTexts, names: Names, fields: Field[]): Subject[] => [
  ...personSubjects(t, names),
  ...fields.map(
    (field): Subject => ({
      about: `fields.${field.key}`,
      word: field.label,
      tests: testsOfField(t, field),
      input: "field",
      field,
    }),
  ),
];

/** Finds a condition's subject. A deleted field has no tests, and shows its key until it is replaced. */
export function subjectOf(subjects: Subject[], { about, key }: { about: string; key?: string }): Subject {
  const name = about === "field" ? `fields.${key}` : about;
  const found = subjects.find((one) => one.about === name);
  return found ?? { about: name, word: key ?? about, isDeleted: true, tests: [], input: "text" };
}

/** Whether the test needs no value. */
export const needsNoValue = (test = "") => test === "set" || test === "not_set";
/** Whether the test compares with a number of days. */
export const needsDays = (test = "") => test === "within_days" || test === "over_days_ago";
