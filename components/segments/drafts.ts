import type { Condition, Filter } from "@/server/subscribers/schema/filter";
import { sentValue } from "../subscribers/attribute-text";
import { needsDays, needsNoValue, type Subject, subjectOf } from "./subjects";

/** A condition while it is edited. */
export type ConditionDraft = {
  /** Stable key of this row. */
  key: number;
  /** The `about` of a subject. */
  about: string;
  /** One of the subject's tests. */
  test: string;
  /** The typed value. A day is stored as its first moment, an import as its id. */
  typed: string;
  /** The values chosen from a list. */
  chosen: string[];
};
/** A filter's two lists of conditions. */
export type ListName = "conditions" | "not";
export type FilterDraft = { match: Filter["match"] } & Record<ListName, ConditionDraft[]>;

let lastKey = 0;
const newKey = () => ++lastKey;

/** Creates a condition with a subject, its first test and no value. */
export const blankCondition = ({ about, tests }: Subject): ConditionDraft => ({
  key: newKey(),
  about,
  test: tests[0]?.value ?? "is",
  typed: "",
  chosen: [],
});

export const blankDraft = (subject: Subject): FilterDraft => ({
  match: "all",
  conditions: [blankCondition(subject)],
  not: [],
});

function draftOfCondition(condition: Condition): ConditionDraft {
  const draft = { key: newKey(), about: condition.about as string, test: "is", typed: "", chosen: [] };
  switch (condition.about) {
    case "status":
    case "source":
    case "mail":
    case "tag":
      return { ...draft, chosen: condition.is };
    case "search":
      return { ...draft, test: "contains", typed: condition.value };
    case "field":
      return {
        ...draft,
        about: `fields.${condition.key}`,
        test: condition.test,
        typed: String(condition.value ?? ""),
      };
    case "import":
      return { ...draft, test: condition.part, typed: condition.id };
    case "added":
    case "confirmed":
    case "asked":
      return {
        ...draft,
        test: condition.test,
        typed: needsDays(condition.test) ? String(condition.days ?? "") : (condition.at ?? ""),
      };
    default:
      return { ...draft, test: condition.test, typed: condition.value };
  }
}

export const draftOf = ({ match, conditions, not }: Filter): FilterDraft => ({
  match,
  conditions: conditions.map(draftOfCondition),
  not: not.map(draftOfCondition),
});

/** Converts a draft to the contract's condition. A missing value stays absent, and the contract's schema reports it. */
function conditionOfDraft(draft: ConditionDraft, subjects: Subject[]): object {
  const { about, test, typed, chosen } = draft;
  const { input, field } = subjectOf(subjects, about);
  if (about.startsWith("fields.")) {
    const value = field ? sentValue(field, typed) : typed;
    return {
      about: "field",
      key: about.slice("fields.".length),
      test,
      ...(!needsNoValue(test) && { value: value ?? "" }),
    };
  }
  switch (input) {
    case "several":
    case "tags":
      return { about, is: chosen };
    case "import":
      return { about, part: test, id: typed };
    case "time":
      if (needsNoValue(test) || typed === "") return { about, test };
      return needsDays(test) ? { about, test, days: Number(typed) } : { about, test, at: typed };
    default:
      return { about, test, ...(!needsNoValue(test) && { value: typed }) };
  }
}

/** The filter for the contract's schema. */
export const filterOfDraft = ({ match, conditions, not }: FilterDraft, subjects: Subject[]) => ({
  match,
  conditions: conditions.map((condition) => conditionOfDraft(condition, subjects)),
  not: not.map((condition) => conditionOfDraft(condition, subjects)),
});

/** Changes a condition's subject, and resets its test and value. */
export const withSubject = (draft: ConditionDraft, subject: Subject): ConditionDraft => ({
  ...blankCondition(subject),
  key: draft.key,
});

/** Changes a condition's test. The typed value stays where it means the same. */
export const testedBy = (draft: ConditionDraft, test: string, { input }: Subject): ConditionDraft => ({
  ...draft,
  test,
  ...(input === "time" && needsDays(test) !== needsDays(draft.test) && { typed: "" }),
});

/** Messages by condition, as "not.1", from paths such as "filter.not.1.value". */
export function conditionErrors(errors: Iterable<[path: string, message: string]>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, message] of errors) {
    const at = /(?:^|\.)((?:conditions|not)\.\d+)(?:\.|$)/.exec(path)?.[1];
    if (at) found[at] ??= message;
  }
  return found;
}
