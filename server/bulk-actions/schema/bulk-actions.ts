import type { WorkProgress } from "../../kernel/work-progress";

/**
 * What can be done with many people at once. erase: a digest of each address stays suppressed. forget: of those who never left
 * none stays.
 */
export const plainBulkKinds = ["confirm", "activate", "unsubscribe", "erase", "forget"] as const;
export type PlainBulkKind = (typeof plainBulkKinds)[number];
export const isErasing = (kind: BulkActionKind) => kind === "erase" || kind === "forget";
/** Kinds that can be undone for a day. Those that change tags or a field are in contract/bulk-changes.ts. */
export const undoableBulkKinds = ["confirm", "activate", "unsubscribe", "tag", "untag", "set_field"] as const;
/** Done by earlier versions. Stored ones are shown; they can't be started or undone. */
type WithdrawnBulkKind = "merge" | "copy" | "move";
export type BulkActionKind = PlainBulkKind | (typeof undoableBulkKinds)[number] | WithdrawnBulkKind;

/** Why somebody was skipped. */
export type SkipReason =
  | "already"
  | "unsubscribed"
  | "not_pending"
  | "not_to_be_mailed"
  | "on_its_way"
  | "asked_lately"
  | "asked_often"
  | "asked_since"
  | "changed_meanwhile"
  | "too_many_tags";
export type SkippedCounts = Partial<Record<SkipReason, number>>;

export type BulkActionState = "running" | "done" | "cancelled" | "failed" | "undoing" | "undone";

/** So many are done at once, while whoever asked waits; more are worked through in the background. */
export const doneAtOnce = 200;
/** So many may be chosen by hand. */
export const maxChosen = 5_000;

/** One thing done to many people, as the dashboard shows it. */
export type BulkAction = {
  id: string;
  kind: BulkActionKind;
  state: BulkActionState;
  /** Who asked for it, by name; null when they are gone. */
  by: string | null;
  /** Whether it is the caller's own. */
  mine: boolean;
  progress: WorkProgress;
  /** How many people it is about. */
  total: number;
  done: number;
  skipped: SkippedCounts;
  /** Of those it was done to: how many are as before again. */
  undone: number;
  /** Until when it can be undone; null when it can't. */
  undoUntil: Date | null;
  /** Why it stopped, for `failed`. */
  error: string | null;
};
