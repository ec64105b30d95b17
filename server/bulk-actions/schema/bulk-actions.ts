/**
 * The actions on many people at once. erase: a digest of each address stays suppressed. forget: a digest stays only for
 * people who unsubscribed.
 */
export const plainBulkKinds = ["confirm", "activate", "unsubscribe", "erase", "forget"] as const;
export type PlainBulkKind = (typeof plainBulkKinds)[number];
export const isErasing = (kind: BulkActionKind) => kind === "erase" || kind === "forget";
/**
 * Kinds that can be undone for a day. The schema of tag and field changes is in bulk-changes.ts. retag: replaces or
 * removes a tag that was merged or deleted.
 */
export const undoableBulkKinds = [
  "confirm",
  "activate",
  "unsubscribe",
  "tag",
  "untag",
  "set_field",
  "retag",
] as const;
export type BulkActionKind = PlainBulkKind | (typeof undoableBulkKinds)[number];

/** The kinds that a link to the People page can open. Staff confirm the action there. */
export const linkedBulkKinds = ["confirm", "activate", "unsubscribe", "erase", "tag", "untag"] as const;
export type LinkedBulkKind = (typeof linkedBulkKinds)[number];

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

/** Up to this number of people, an action finishes while the caller waits. Larger actions run in the background. */
export const immediateLimit = 200;
/** The limit for people selected one by one. */
export const maxSelected = 5_000;
