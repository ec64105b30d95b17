import { type Actor, actorOf } from "../accounts/context";
import { cancelUnsent } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { recordConfirmation } from "../suppressions/shared-queries";
import { type ActivityCause, type ChangeDetail, insertActivities } from "./queries/activities";
import { type SubscriberChange, type SubscriberRow, updateSubscribers } from "./queries/subscribers";
import { mayMove, moveFrom, type Status } from "./status-moves";

export type StatusMove = {
  /** Subscribers of one newsletter. The caller has locked them and checked `mayMove` for each. */
  subscribers: SubscriberRow[];
  to: Status;
  actor: Actor;
  /** The cause. For a confirmation, the email whose link was pressed; the database checks it. */
  cause?: ActivityCause;
  /** The undo of a bulk action. It restores the previous status and opt-out. */
  undo?: { hadLeft: boolean };
  /** When each of them unsubscribed, if not now. */
  leftAt?: (Date | null)[];
  /** Further changes to a single subscriber, and their entry in the activity. */
  change?: SubscriberChange;
  detail?: ChangeDetail | null;
};

const activityOf = ({ to, actor, undo }: StatusMove): string => {
  if (undo) return "put_back";
  if (to === "unsubscribed") return "unsubscribed";
  return actor.kind === "link" && to === "active" ? "confirmed" : `status.${to}`;
};

/**
 * Moves subscribers to a status. All adapters use this one function. It increments versions, sets the times, cancels unsent
 * emails and writes the activity. Confirming from the inbox proves that the address works, so it also lifts bounce and
 * complaint suppressions.
 * @returns the first subscriber's last confirmation; null without one
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
    details: [detail],
  });
  return moved?.confirmedAt ?? null;
}
