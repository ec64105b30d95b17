import { type ChangeDetail, insertActivities } from "../db/activities";
import type { Tx } from "../db/client";
import { cancelConfirmations } from "../db/mails";
import { type SubscriberChange, type SubscriberRow, updateSubscribers } from "../db/subscribers";
import { liftSuppression } from "../db/suppressions";
import { mayMove, type Status } from "../domain/status-moves";
import { type Actor, actorOf } from "./context";

export type StatusMove = {
  /** Of one newsletter, locked by the caller, who has asked `mayMove` about each. */
  subscribers: SubscriberRow[];
  to: Status;
  actor: Actor;
  /** The undo of a bulk action, which restores the status from before. */
  undo?: boolean;
  /** What else a change of one subscriber writes, and how their timeline tells it. */
  change?: SubscriberChange;
  detail?: ChangeDetail | null;
};

const activityOf = ({ to, actor, undo }: StatusMove): string => {
  if (undo) return "put_back";
  if (to === "unsubscribed") return "unsubscribed";
  return actor.kind === "link" ? "confirmed" : `status.${to}`;
};

/**
 * Moves subscribers to a status; the one place that does, for every adapter. Counts their version up, stamps the times,
 * cancels the confirmations that nobody has begun to send, and writes the activity. Who confirms by a mailed link has
 * shown that mail arrives and is welcome: a bounce or complaint from before no longer suppresses the address.
 * @returns when they confirmed, of a move by link
 */
export async function setStatus(tx: Tx, move: StatusMove): Promise<Date | null> {
  const { subscribers, to, actor, undo = false, change, detail = null } = move;
  const [first] = subscribers;
  if (!first) return null;
  const { newsletterId } = first;
  const mover = undo ? "undo" : actor.kind;
  if (!subscribers.every(({ status }) => mayMove(status, to, mover)))
    throw new Error(`${mover} may not set these subscribers ${to}`);
  const ids = subscribers.map(({ id }) => id);
  const confirmed = mover === "link" && to === "active";
  const [moved] = await updateSubscribers(tx, newsletterId, ids, { ...change, status: to, confirmed });
  await cancelConfirmations(tx, newsletterId, ids);
  if (confirmed)
    for (const { emailCanonical } of subscribers)
      await liftSuppression(tx, newsletterId, emailCanonical, ["bounced", "complained"]);
  await insertActivities(tx, { newsletterId, ids, kind: activityOf(move), actor: actorOf(move), detail });
  return confirmed ? (moved?.confirmedAt ?? null) : null;
}
