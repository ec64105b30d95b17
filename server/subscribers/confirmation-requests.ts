import type { SkippedCounts, SkipReason } from "../bulk-actions/schema/bulk-actions";
import { recipientHash } from "../mail/recipient-hash";
import { type Mailing, nextConfirmations } from "../mail/shared-queries";
import type { Db, Tx } from "../platform/db/client";
import { mayReceiveResubscribeLink } from "../suppressions/schema/suppressions";
import { recordReturnRequest } from "../suppressions/shared-queries";
import type { Ctx } from "./context";
import { findAwaitingMail } from "./queries/subscriber-mails";
import type { LockedSubscriber, SubscriberRow } from "./queries/subscribers";

/**
 * Adds a confirmation email for each subscriber to the outbox.
 * @param mailing the mailing that sends them together; without one they may be sent at once
 * @returns the emails' ids, in order
 */
export function postConfirmations(
  ctx: Pick<Ctx, "outbox">,
  tx: Tx,
  subscribers: Pick<SubscriberRow, "newsletterId" | "id" | "email" | "emailCanonical">[],
  mailing: Mailing | null = null,
): Promise<string[]> {
  const mails = subscribers.map(({ newsletterId, id, email, emailCanonical }) => ({
    newsletterId,
    subscriberId: id,
    toEmail: email,
    canonical: emailCanonical,
  }));
  return ctx.outbox.post(tx, mails, mailing);
}

/** The subscribers that an action applies to, and the number of skipped subscribers by reason. */
export type Sorted = { chosen: LockedSubscriber[]; skipped: SkippedCounts };

/** @param reasonOf returns the reason to skip a subscriber, or null to choose them */
export function sortSubscribers(
  subscribers: LockedSubscriber[],
  reasonOf: (subscriber: LockedSubscriber) => SkipReason | null,
): Sorted {
  const sorted: Sorted = { chosen: [], skipped: {} };
  for (const subscriber of subscribers) {
    const reason = reasonOf(subscriber);
    if (reason === null) sorted.chosen.push(subscriber);
    else sorted.skipped[reason] = (sorted.skipped[reason] ?? 0) + 1;
  }
  return sorted;
}

const isUnsuppressed = ({ suppression }: LockedSubscriber) => suppression === null;

/** Whether the address has no suppression, or one that allows an email that asks whether to resubscribe. */
export const isMailable = ({ suppression: reason, askedLately }: LockedSubscriber) =>
  reason === null || mayReceiveResubscribeLink({ reason, askedLately });

/**
 * Chooses subscribers who may receive a confirmation email now: pending, not suppressed, none queued or sent lately.
 * @param isAllowed decides about suppressions instead
 */
export async function sortAskable(
  tx: Db | Tx,
  newsletterId: string,
  subscribers: LockedSubscriber[],
  isAllowed = isUnsuppressed,
): Promise<Sorted> {
  const may = subscribers.filter((one) => one.status === "pending" && isAllowed(one));
  const ids = may.map(({ id }) => id);
  const awaiting = await findAwaitingMail(tx, newsletterId, ids);
  const hashes = may.filter(({ id }) => !awaiting.has(id)).map((one) => recipientHash(one.emailCanonical));
  const grants = await nextConfirmations(tx, [...new Set(hashes)]);
  return sortSubscribers(subscribers, (subscriber) => {
    const { id, status, emailCanonical } = subscriber;
    if (status !== "pending") return "not_pending";
    if (!isAllowed(subscriber)) return "not_to_be_mailed";
    if (awaiting.has(id)) return "on_its_way";
    const next = grants.get(recipientHash(emailCanonical));
    if (!next || next.isNow) return null;
    return next.dayIsFull ? "asked_often" : "asked_lately";
  });
}

/** Why one person can't be sent a confirmation email now; null: they can. A suppressed address may be asked again. */
export async function findAskingObstacle(db: Db | Tx, person: LockedSubscriber): Promise<SkipReason | null> {
  const { skipped } = await sortAskable(db, person.newsletterId, [person], isMailable);
  const [reason = null] = Object.keys(skipped) as SkipReason[];
  return reason;
}

/**
 * Sends one pending person another confirmation email, unless there is an obstacle. Only for requests about one person: a
 * suppressed address may get such an email, and a job over many people would ask everybody who left.
 * @returns the obstacle; null: the email is queued
 */
export async function askPending(
  ctx: Pick<Ctx, "outbox">,
  tx: Tx,
  person: LockedSubscriber,
): Promise<SkipReason | null> {
  const obstacle = await findAskingObstacle(tx, person);
  if (obstacle !== null) return obstacle;
  const { newsletterId, emailCanonical, suppression } = person;
  if (suppression !== null) await recordReturnRequest(tx, newsletterId, emailCanonical);
  await postConfirmations(ctx, tx, [person]);
  return null;
}
