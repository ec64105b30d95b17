// Messages between the page and its worker. Lists of any length stay in the worker: the page gets counts, marks in
// transferred arrays, and the few items that it shows.

/**
 * The outcome of each entry, in the order of the bar that counts them. `asked`: unknown until a question is answered.
 * `leaving`: added as unsubscribed, because the list says so. `unsubscribed`: unsubscribed here earlier.
 */
export const groups = [
  "ready",
  "fix",
  "asked",
  "leaving",
  "unsubscribed",
  "suppressed",
  "twice",
  "here",
  "skipped",
] as const;
export type Group = (typeof groups)[number];
/** An object with a value for each group. */
export const eachGroup = <Value>(read: (group: Group) => Value) =>
  Object.fromEntries(groups.map((group) => [group, read(group)])) as Record<Group, Value>;
export type GroupCounts = Record<Group, number>;

/** The ranges that the editor marks: sorted, in UTF-16 units of the read text. `group` indexes `groups`. */
export type Marks = { from: Uint32Array; to: Uint32Array; group: Uint8Array };
