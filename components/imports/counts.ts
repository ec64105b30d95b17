import type { Texts } from "../texts/texts";
import { type Group, type GroupCounts, groups } from "./reading/messages";

/** The groups to show: those with entries, and always the ready ones. */
export const shownGroups = (counts: GroupCounts) =>
  groups.filter((group) => group === "ready" || counts[group] > 0);

/** Text for screen readers: "1,204 ready, 12 to fix". */
export function countsText(counts: GroupCounts, t: Texts<"imports">): string {
  return shownGroups(counts)
    .map((group) => t.markup(`counts.groups.${group}`, { n: counts[group], b: (chunks) => chunks }))
    .join(", ");
}

/** Counts the entries of a group, or all entries for null. */
export function sumCounts(counts: GroupCounts, group: Group | null): number {
  return group ? counts[group] : groups.reduce((sum, one) => sum + counts[one], 0);
}
