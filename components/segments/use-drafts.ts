import { type RefObject, useRef, useState } from "react";
import type { SegmentGroups } from "@/server/contract/segments";
import { blankCondition, blankGroup, type ConditionDraft, draftsOf, type GroupDraft } from "./drafts";
import type { Subject } from "./subjects";

/** The groups of a segment while it is edited; there is always a condition. */
export function useDrafts(initial: SegmentGroups, blank: Subject) {
  const element = useRef<HTMLDivElement>(null);
  const [groups, setGroups] = useState<GroupDraft[]>(() =>
    initial.length > 0 ? draftsOf(initial) : [blankGroup(blank)],
  );
  const change = (key: number, to: (group: GroupDraft) => GroupDraft) =>
    setGroups(groups.map((group) => (group.key === key ? to(group) : group)));

  return {
    element,
    groups,
    /** Begins anew with these. */
    begin(preset: SegmentGroups) {
      const drafts = draftsOf(preset);
      setGroups(drafts);
      focusOn(element, drafts[0]?.conditions[0]?.key);
    },
    setMatch: (key: number, match: GroupDraft["match"]) => change(key, (group) => ({ ...group, match })),
    setCondition: (key: number, condition: ConditionDraft) =>
      change(key, (group) => ({
        ...group,
        conditions: group.conditions.map((one) => (one.key === condition.key ? condition : one)),
      })),
    addCondition(key: number) {
      const condition = blankCondition(blank);
      change(key, (group) => ({ ...group, conditions: [...group.conditions, condition] }));
      focusOn(element, condition.key);
    },
    addGroup() {
      const group = blankGroup(blank);
      setGroups([...groups, group]);
      focusOn(element, group.conditions[0]?.key);
    },
    /** With its group, when it is the group's last; the last of all becomes a blank one. */
    removeCondition(key: number, condition: number) {
      const left = groups
        .map((group) =>
          group.key === key
            ? { ...group, conditions: group.conditions.filter((one) => one.key !== condition) }
            : group,
        )
        .filter(({ conditions }) => conditions.length > 0);
      const next = left.length > 0 ? left : [blankGroup(blank)];
      setGroups(next);
      const group = next.find((one) => one.key === key) ?? next.at(-1);
      focusOn(element, group?.conditions.at(-1)?.key);
    },
  };
}
export type Drafts = ReturnType<typeof useDrafts>;

/** What was removed had the focus, and what is added is filled in next. */
function focusOn(element: RefObject<HTMLElement | null>, key: number | undefined) {
  setTimeout(() => element.current?.querySelector<HTMLElement>(`[data-condition="${key}"] select`)?.focus());
}
