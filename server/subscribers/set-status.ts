import { type Actor, actorOf } from "../accounts/context";
import { cancelUnsent } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { recordConfirmation } from "../suppressions/shared-queries";
import { type ActivityCause, type ChangeDetail, insertActivities } from "./queries/activities";
import { type SubscriberChange, type SubscriberRow, updateSubscribers } from "./queries/subscribers";
import { mayMove, moveFrom, type Status } from "./status-moves";

export type StatusMove = {
  /** Of one newsletter, locked by the caller, who has asked `mayMove` about each. */
  subscribers: SubscriberRow[];
  to: Status;
  actor: Actor;
  /** What it comes from; of a confirmation the mail whose link was pressed, which the database looks for. */
  cause?: ActivityCause;
  /** The undo of a bulk action, which restores the status from before, of people who had left before it or had not. */
  undo?: { hadLeft: boolean };
  /** When each of them unsubscribed, if that was not now. */
  leftAt?: (Date | null)[];
  /** What else a change of one subscriber writes, and how their timeline tells it. */
  change?: SubscriberChange;
  detail?: ChangeDetail | null;
};

const activityOf = ({ to, actor, undo }: StatusMove): string => {
  if (undo) return "put_back";
  if (to === "unsubscribed") return "unsubscribed";
  return actor.kind === "link" && to === "active" ? "confirmed" : `status.${to}`;
};

/**
 * Moves subscribers to a status; the one place that does, for every adapter. Counts their version up, stamps the times,
 * cancels the mails that nobody has begun to send, and writes the activity. Who confirms by a mailed link has
 * shown that mail arrives and is welcome: what suppressed the address before no longer does.
 * @returns when the first of them confirmed last; null: never
 */
export async function setStatus(tx: Tx, move: StatusMove): Promise<Date | null> {
  const { subscribers, to, actor, cause, undo, leftAt, change, detail = null } = move;
  const [first] = subscribers;
  if (!first) return null;
  const { newsletterId } = first;
  const mover = undo ? "undo" : actor.kind;
  if (!subscribers.every((subscriber) => mayMove(moveFrom(subscriber), to, mover)))
    throw new Error(`${mover} may not set these subscribers ${to}`);
  const ids = subscribers.map(({ id }) => id);
  const confirmed = mover === "link" && to === "active";
  if (confirmed && cause?.kind === "mail")
    await recordConfirmation(tx, newsletterId, { emailCanonical: first.emailCanonical, mailId: cause.id });
  const neverLeft = undo?.hadLeft === false;
  const [moved] = await updateSubscribers(tx, newsletterId, ids, {
    ...change,
    status: to,
    confirmed,
    neverLeft,
    leftAt,
  });
  await cancelUnsent(tx, newsletterId, ids);
  await insertActivities(tx, {
    newsletterId,
    ids,
    kind: activityOf(move),
    actor: actorOf(move),
    cause,
    detail,
  });
  return moved?.confirmedAt ?? null;
}
