export const statuses = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof statuses)[number];

/**
 * The mover of a subscriber: their own link, a sign-up page (which any visitor may fill in), the newsletter's staff and keys, or
 * the undo of a bulk action.
 */
export type Mover = "link" | "page" | "key" | "staff" | "operator" | "undo";

/** The status before a move. `returning`: pending after an opt-out, until they confirm. */
export type MoveFrom = Status | "returning";

const newsletter: readonly Mover[] = ["key", "staff", "operator"];
const newsletterOrUndo: readonly Mover[] = [...newsletter, "undo"];
const anyone: readonly Mover[] = ["link", ...newsletter];
const link: readonly Mover[] = ["link"];
const undo: readonly Mover[] = ["undo"];
const anyoneOrUndo: readonly Mover[] = [...anyone, "page", "undo"];

/**
 * From → to → allowed movers. This table decides for all adapters, and the database enforces the same (migration `consent`).
 * pending → pending sends another email. An unsubscribed person becomes active only by confirming: other movers may set them
 * to pending, and the link in the email does the rest. The undo of a bulk action restores only the newsletter's own changes.
 */
export const statusMoves: Readonly<Record<MoveFrom, Readonly<Record<Status, readonly Mover[]>>>> = {
  pending: { pending: newsletter, active: anyone, unsubscribed: anyone },
  returning: { pending: newsletter, active: link, unsubscribed: anyone },
  active: { pending: newsletterOrUndo, active: newsletter, unsubscribed: anyone },
  unsubscribed: { pending: anyoneOrUndo, active: undo, unsubscribed: anyone },
};

/** @param unsubscribedAt when they unsubscribed; null if never, or if they confirmed since */
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

/** The status of new people whose list has none. With "list", they become pending. */
export const defaultStatusOf = (rule: "list" | "pending" | "active") =>
  rule === "active" ? "active" : "pending";
