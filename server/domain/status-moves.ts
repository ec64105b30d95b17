export const statuses = ["active", "pending", "unsubscribed"] as const;
export type Status = (typeof statuses)[number];

/** Who moves a person: a link in their own mailbox, or someone who speaks for the newsletter. */
export type Mover = "link" | "key" | "staff" | "operator";

const newsletter: readonly Mover[] = ["key", "staff", "operator"];
const anyone: readonly Mover[] = ["link", ...newsletter];
const nobody: readonly Mover[] = [];

/**
 * From → to → who may. The only place that says so, for every adapter.
 * pending → pending is asking again, by email. unsubscribed → active is nobody's: whoever left comes back by their own
 * yes alone, so the newsletter may set them to pending, which asks them, and the link does the rest.
 */
export const statusMoves: Readonly<Record<Status, Readonly<Record<Status, readonly Mover[]>>>> = {
  pending: { pending: newsletter, active: anyone, unsubscribed: anyone },
  active: { pending: newsletter, active: newsletter, unsubscribed: anyone },
  unsubscribed: { pending: newsletter, active: nobody, unsubscribed: anyone },
};

export function mayMove(from: Status, to: Status, mover: Mover): boolean {
  return statusMoves[from][to].includes(mover);
}
