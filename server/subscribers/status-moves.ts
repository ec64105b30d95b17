export const statuses = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof statuses)[number];

/**
 * Who moves a subscriber: a link of their own, a sign-up page that anybody may have filled in, someone who speaks for the
 * newsletter, or the undo of a bulk action.
 */
export type Mover = "link" | "page" | "key" | "staff" | "operator" | "undo";

/** What a subscriber moves from: `returning` is pending after having unsubscribed, until they confirm. */
export type MoveFrom = Status | "returning";

const newsletter: readonly Mover[] = ["key", "staff", "operator"];
const newsletterOrUndo: readonly Mover[] = [...newsletter, "undo"];
const anyone: readonly Mover[] = ["link", ...newsletter];
const link: readonly Mover[] = ["link"];
const undo: readonly Mover[] = ["undo"];
const anyoneOrUndo: readonly Mover[] = [...anyone, "page", "undo"];

/**
 * From → to → who may. The only place that decides it, for every adapter; the database refuses the same (migration `consent`).
 * pending → pending asks again, by email. A person who unsubscribed becomes active by their own confirmation alone: the
 * newsletter, or they themselves by their unsubscribe link or a sign-up page, may set them to pending, which asks them by mail,
 * and the link in that mail does the rest. Only the undo of a bulk action restores what the newsletter itself had changed.
 */
export const statusMoves: Readonly<Record<MoveFrom, Readonly<Record<Status, readonly Mover[]>>>> = {
  pending: { pending: newsletter, active: anyone, unsubscribed: anyone },
  returning: { pending: newsletter, active: link, unsubscribed: anyone },
  active: { pending: newsletterOrUndo, active: newsletter, unsubscribed: anyone },
  unsubscribed: { pending: anyoneOrUndo, active: undo, unsubscribed: anyone },
};

/** @param unsubscribedAt when they left; null when they never did, or have confirmed since */
export function moveFrom({
  status,
  unsubscribedAt,
}: {
  status: Status;
  unsubscribedAt: Date | null;
}): MoveFrom {
  return status === "pending" && unsubscribedAt ? "returning" : status;
}

export function mayMove(from: MoveFrom, to: Status, mover: Mover): boolean {
  return statusMoves[from][to].includes(mover);
}
