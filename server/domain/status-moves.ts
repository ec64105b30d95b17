export const statuses = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof statuses)[number];

/** Who moves a subscriber: a link in their own mailbox, someone who speaks for the newsletter, or the undo of a bulk action. */
export type Mover = "link" | "key" | "staff" | "operator" | "undo";

const newsletter: readonly Mover[] = ["key", "staff", "operator"];
const newsletterOrUndo: readonly Mover[] = [...newsletter, "undo"];
const anyone: readonly Mover[] = ["link", ...newsletter];
const undo: readonly Mover[] = ["undo"];

/**
 * From → to → who may. The only place that decides it, for every adapter.
 * pending → pending asks again, by email. unsubscribed → active: a person who unsubscribed becomes active by their own
 * confirmation alone. The newsletter may set them to pending, which asks them, and the link does the rest; only the undo
 * of a bulk action restores what the newsletter itself had changed.
 */
export const statusMoves: Readonly<Record<Status, Readonly<Record<Status, readonly Mover[]>>>> = {
  pending: { pending: newsletter, active: anyone, unsubscribed: anyone },
  active: { pending: newsletterOrUndo, active: newsletter, unsubscribed: anyone },
  unsubscribed: { pending: newsletterOrUndo, active: undo, unsubscribed: anyone },
};

export function mayMove(from: Status, to: Status, mover: Mover): boolean {
  return statusMoves[from][to].includes(mover);
}
