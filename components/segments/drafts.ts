import type { Condition, GroupMatch, SegmentGroup, SegmentGroups } from "@/server/contract/segments";
import { sentValue } from "../people/attribute-text";
import { type Subject, subjectOf, takesDays, takesNothing } from "./subjects";

/** A condition while it is edited. */
export type ConditionDraft = {
  /** Stays while the condition does. */
  key: number;
  /** A subject's. */
  about: string;
  /** One of the subject's tests. */
  test: string;
  /** What is typed; of a day its first moment, of an import its id. */
  typed: string;
  /** What is chosen of a list. */
  chosen: string[];
};
export type GroupDraft = { key: number; match: GroupMatch; conditions: ConditionDraft[] };

let lastKey = 0;
const newKey = () => ++lastKey;

/** A new condition, which says only what it is about. */
export const blankCondition = ({ about, tests }: Subject): ConditionDraft => ({
  key: newKey(),
  about,
  test: tests[0]?.value ?? "is",
  typed: "",
  chosen: [],
});

export const blankGroup = (subject: Subject): GroupDraft => ({
  key: newKey(),
  match: "all",
  conditions: [blankCondition(subject)],
});

function draftOfCondition(condition: Condition): ConditionDraft {
  const draft = { key: newKey(), about: condition.about as string, test: "is", typed: "", chosen: [] };
  switch (condition.about) {
    case "status":
    case "source":
    case "mail":
    case "tag":
      return { ...draft, chosen: condition.is };
    case "email":
    case "name":
      return { ...draft, test: condition.test, typed: condition.value };
    case "field":
      return {
        ...draft,
        about: `fields.${condition.key}`,
        test: condition.test,
        typed: String(condition.value ?? ""),
      };
    case "import":
      return { ...draft, test: condition.part, typed: condition.id };
    default:
      return {
        ...draft,
        test: condition.test,
        typed: takesDays(condition.test) ? String(condition.days ?? "") : (condition.at ?? ""),
      };
  }
}

export const draftsOf = (groups: SegmentGroups): GroupDraft[] =>
  groups.map(({ match, conditions }: SegmentGroup) => ({
    key: newKey(),
    match,
    conditions: conditions.map(draftOfCondition),
  }));

/** A condition as the contract has it; what is not typed yet is missing, and the contract's schema says so. */
function conditionOfDraft(draft: ConditionDraft, subjects: Subject[]): object {
  const { about, test, typed, chosen } = draft;
  const { input, field } = subjectOf(subjects, about);
  if (about.startsWith("fields.")) {
    const value = field ? sentValue(field, typed) : typed;
    return {
      about: "field",
      key: about.slice("fields.".length),
      test,
      ...(!takesNothing(test) && { value: value ?? "" }),
    };
  }
  switch (input) {
    case "several":
    case "tags":
      return { about, is: chosen };
    case "import":
      return { about, part: test, id: typed };
    case "time":
      if (takesNothing(test) || typed === "") return { about, test };
      return takesDays(test) ? { about, test, days: Number(typed) } : { about, test, at: typed };
    default:
      return { about, test, ...(!takesNothing(test) && { value: typed }) };
  }
}

/** What the contract's schema reads. */
export const groupsOfDrafts = (drafts: GroupDraft[], subjects: Subject[]): object[] =>
  drafts.map(({ match, conditions }) => ({
    match,
    conditions: conditions.map((condition) => conditionOfDraft(condition, subjects)),
  }));

/** The condition about something else: compared in the first way, with nothing yet. */
export const turnTo = (draft: ConditionDraft, subject: Subject): ConditionDraft => ({
  ...blankCondition(subject),
  key: draft.key,
});

/** The condition compared in another way; what is typed stays where it means the same. */
export const testedBy = (draft: ConditionDraft, test: string, { input }: Subject): ConditionDraft => ({
  ...draft,
  test,
  ...(input === "time" && takesDays(test) !== takesDays(draft.test) && { typed: "" }),
});

/** Messages by the condition that they are about, as "group.condition", from paths such as "filter.groups.0.conditions.1.value". */
export function conditionErrors(errors: Iterable<[path: string, message: string]>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, message] of errors) {
    const at = /(?:^|\.)groups\.(\d+)\.conditions\.(\d+)(?:\.|$)/.exec(path);
    if (at) found[`${at[1]}.${at[2]}`] ??= message;
  }
  return found;
}
