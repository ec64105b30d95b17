import { type RefObject, useRef, useState } from "react";
import type { Filter } from "@/server/subscribers/schema/filter";
import {
  blankCondition,
  blankDraft,
  type ConditionDraft,
  draftOf,
  type FilterDraft,
  type ListName,
} from "./drafts";
import type { Subject } from "./subjects";

/** The state of a segment's filter during editing. The filter always has at least one condition. */
export function useDrafts(initial: Filter | null, blank: Subject) {
  const element = useRef<HTMLDivElement>(null);
  const [draft, setDraft] = useState<FilterDraft>(() => (initial ? draftOf(initial) : blankDraft(blank)));
  const setList = (list: ListName, conditions: ConditionDraft[]) =>
    setDraft({ ...draft, [list]: conditions });

  return {
    element,
    draft,
    /** Starts over with this filter. */
    begin(filter: Filter) {
      const next = draftOf(filter);
      setDraft(next);
      focusOn(element, [...next.conditions, ...next.not][0]?.row);
    },
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
