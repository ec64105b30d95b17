import type { SkipReason } from "../bulk-actions/schema/bulk-actions";
import { confirmationPauseSeconds } from "../kernel/durations";
import { recipientHash } from "../mail/recipient-hash";
import { nextConfirmations } from "../mail/shared-queries";
import type { Db, Tx } from "../platform/db/client";
import { databaseNow } from "../platform/db/clock";
import { sortAskable } from "./confirmation-requests";
import { findNewestConfirmation } from "./queries/subscriber-mails";
import { type LockedSubscriber, readSubscribers } from "./queries/subscribers";

/** Whether Rollcall may send a person a confirmation email now. */
export type Asking = {
  /** The reason why not; null when it may. */
  reason: SkipReason | null;
  /** For `asked_lately`: seconds since the last confirmation email, by the database's clock. */
  askedSecondsAgo: number | null;
};

/** The same, or null for a person who may be gone. */
export async function findResendEligibility(
  db: Db,
  newsletterId: string,
  id: string,
): Promise<Asking | null> {
  const [person] = await readSubscribers(db, newsletterId, [id]);
  return person ? resendEligibilityOf(db, person) : null;
}

/**
 * A person receives at most one confirmation email a minute from all newsletters together. This newsletter's emails also
 * count while they are stored without being sent.
 */
export async function resendEligibilityOf(db: Db | Tx, person: LockedSubscriber): Promise<Asking> {
  const { newsletterId, id, emailCanonical } = person;
  const { skipped } = await sortAskable(db, newsletterId, [person]);
  const [reason = null] = Object.keys(skipped) as SkipReason[];
  if (reason !== null && reason !== "asked_lately") return { reason, askedSecondsAgo: null };
  const hash = recipientHash(emailCanonical);
  const [now, newest, next] = [
    await databaseNow(db),
    await findNewestConfirmation(db, newsletterId, id),
    (await nextConfirmations(db, [hash])).get(hash),
  ];
  const pauseMs = confirmationPauseSeconds * 1000;
  const times = [
    newest && (newest.frozenAt ?? newest.createdAt).getTime(),
    next && next.at.getTime() - pauseMs,
  ];
  const last = Math.max(...times.filter((time) => typeof time === "number"));
  const agoMs = Math.max(0, now.getTime() - last);
  if (reason === null && agoMs >= pauseMs) return { reason: null, askedSecondsAgo: null };
  return { reason: "asked_lately", askedSecondsAgo: Math.floor(agoMs / 1000) };
}
