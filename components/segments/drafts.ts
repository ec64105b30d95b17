import { type RefObject, useRef, useState } from "react";
import type { Condition, Filter } from "@/server/subscribers/schema/filter";
import { sentValue } from "../subscribers/attribute-text";
import { needsDays, needsNoValue, type Subject, subjectOf } from "./subjects";

/** A condition while it is edited: the contract's members, of which the value may be missing. */
export type ConditionDraft = {
  /** Stable number of this row. */
  row: number;
  about: string;
  /** The key of a field. */
  key?: string;
  test?: string;
  /** The part of an import's people, which the form shows as the test. */
  part?: string;
  /** The typed value of a text or a field. */
  value?: string;
  /** The values chosen from a list. */
  is?: string[];
  days?: number;
  at?: string;
  /** An import. */
  id?: string;
};
/** A filter's two lists of conditions. */
export type ListName = "conditions" | "not";
type FilterDraft = { match: Filter["match"] } & Record<ListName, ConditionDraft[]>;

let lastRow = 0;

/** Creates a condition with a subject, its first test and no value. */
export function blankCondition({ about, field, input, tests }: Subject): ConditionDraft {
  const test = tests[0]?.value;
  const row = ++lastRow;
  if (field) return { row, about: "field", key: field.key, test };
  return input === "import" ? { row, about, part: test, id: "" } : { row, about, test, is: [], value: "" };
}

export const blankDraft = (subject: Subject): FilterDraft => ({
  match: "all",
  conditions: [blankCondition(subject)],
  not: [],
});

function draftOfCondition(condition: Condition): ConditionDraft {
  if (condition.about !== "field") return { row: ++lastRow, ...condition };
  return { row: ++lastRow, ...condition, value: String(condition.value ?? "") };
}

export const draftOf = ({ match, conditions, not }: Filter): FilterDraft => ({
  match,
  conditions: conditions.map(draftOfCondition),
  not: not.map(draftOfCondition),
});

/** The filter for the contract's schema, which reports missing values. */
export function filterOfDraft({ match, conditions, not }: FilterDraft, subjects: Subject[]) {
  const send = (draft: ConditionDraft) => {
    if (draft.about !== "field") return draft;
    const { field } = subjectOf(subjects, draft);
    const { value = "" } = draft;
    return { ...draft, value: (field ? sentValue(field, value) : value || null) ?? undefined };
  };
  return { match, conditions: conditions.map(send), not: not.map(send) };
}

/** Changes a condition's test. A value stays where it means the same. */
export function testedBy(draft: ConditionDraft, test: string): ConditionDraft {
  if (draft.about === "import") return { ...draft, part: test };
  if (needsNoValue(test)) return { ...draft, test, value: "", days: undefined, at: undefined };
  return { ...draft, test, ...(needsDays(test) ? { at: undefined } : { days: undefined }) };
}

/** Messages by condition, as "not.1", from paths such as "filter.not.1.value". */
export function conditionErrors(errors: Iterable<[path: string, message: string]>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, message] of errors) {
    const at = /(?:^|\.)((?:conditions|not)\.\d+)(?:\.|$)/.exec(path)?.[1];
    if (at) found[at] ??= message;
  }
  return found;
}

/** The state of a segment's filter during editing. The filter always has at least one condition. */
export function useDrafts(initial: Filter | null, blank: Subject) {
  const element = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState<FilterDraft>(() => (initial ? draftOf(initial) : blankDraft(blank)));
  const setList = (list: ListName, conditions: ConditionDraft[]) =>
    setDraft({ ...draft, [list]: conditions });

  return {
    element,
    draft,
    setMatch: (match: Filter["match"]) => setDraft({ ...draft, match }),
    setCondition: (list: ListName, condition: ConditionDraft) =>
      setList(
        list,
        draft[list].map((one) => (one.row === condition.row ? condition : one)),
      ),
    addCondition(list: ListName) {
      const condition = blankCondition(blank);
      setList(list, [...draft[list], condition]);
      focusOn(element, condition.row);
    },
    /** Removing the only condition leaves a blank one. */
    removeCondition(list: ListName, row: number) {
      const left = { ...draft, [list]: draft[list].filter((one) => one.row !== row) };
      const next = left.conditions.length + left.not.length > 0 ? left : blankDraft(blank);
      setDraft(next);
      focusOn(element, (next[list].at(-1) ?? [...next.conditions, ...next.not].at(-1))?.row);
    },
  };
}
export type Drafts = ReturnType<typeof useDrafts>;

/** Moves the focus: a removal would lose it, and an added condition is filled in next. */
function focusOn(element: RefObject<HTMLElement | null>, row: number | undefined) {
  setTimeout(() => element.current?.querySelector<HTMLElement>(`[data-condition="${row}"] select`)?.focus());
}
