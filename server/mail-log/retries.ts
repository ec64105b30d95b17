import { record } from "../accounts/audit";
import { type OfNewsletter, staffIdOf, withTransaction } from "../accounts/context";
import { AppError } from "../kernel/errors";
import { newId } from "../kernel/ids";
import type { RetryableState } from "../mail/schema/mail-states";
import {
  type CancelReason,
  cancelWithReasons,
  insertMailing,
  joinMailing,
  type Mailing,
} from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { postConfirmations } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { type LockedSubscriber, lockSubscribers } from "../subscribers/shared-queries";
import type { SuppressionReason } from "../suppressions/schema/suppression-messages";
import { findAskedSince, findRetryable, noteRetries, type RetryRow, readRetryable } from "./queries/retries";

/** sent: failed mails that were replaced by new ones. closed: failed mails to people who must not be asked again. */
type RetryResult = { sent: number; closed: number };

const CHUNK = 200;

const bySuppression: Record<SuppressionReason, CancelReason> = {
  manual: "suppressed",
  unsubscribed: "suppressed",
  denied: "suppressed",
  complained: "complained",
  bounced: "bounced",
};

/** The reason against a new confirmation in place of a failed one; null without a reason. */
function cancelReasonOf(person: LockedSubscriber | undefined, isSuperseded: boolean): CancelReason | null {
  if (person?.status !== "pending") return "not_pending";
  if (person.suppression) return bySuppression[person.suppression];
  return isSuperseded ? "superseded" : null;
}

/** Returns failed mails with their people and the reasons against new confirmations. */
export async function checkRetries(
  tx: Tx,
  newsletterId: string,
  mails: RetryRow[],
  people: LockedSubscriber[],
) {
  const byId = new Map(people.map((person) => [person.id, person]));
  const askedSince = await findAskedSince(tx, newsletterId, mails);
  return mails.map((mail) => {
    const person = byId.get(mail.subscriberId);
    return { ...mail, person, cancelReason: cancelReasonOf(person, askedSince.has(mail.id)) };
  });
}

/**
 * Sends new mails in place of these, with a new link, current words and a new request. Under the old idempotency key
 * Resend would only repeat its old answer. People are locked before mails, as everywhere, to prevent deadlocks.
 */
async function retryIn(
  ctx: Ctx,
  tx: Tx,
  { newsletterId, ids, mailing }: { newsletterId: string; ids: string[]; mailing: Mailing | null },
): Promise<RetryResult> {
  const found = await readRetryable(tx, newsletterId, ids, false);
  const people = await lockSubscribers(tx, newsletterId, [
    ...new Set(found.map((mail) => mail.subscriberId)),
  ]);
  // Read again with a lock: another request may have sent them again meanwhile.
  const mails = await readRetryable(
    tx,
    newsletterId,
    found.map((mail) => mail.id),
    true,
  );
  const validated = await checkRetries(tx, newsletterId, mails, people);
  await cancelWithReasons(tx, validated, ["failed", "uncertain"]);
  const wanted = validated.filter((one) => one.cancelReason === null);
  const asked = new Map(wanted.map(({ person }) => [person?.id, person as LockedSubscriber]));
  const posted = await postConfirmations(ctx, tx, [...asked.values()], mailing);
  const newIds = new Map([...asked.keys()].map((id, i) => [id, posted[i] as string]));
  await noteRetries(
    tx,
    wanted.map(({ id, subscriberId }) => ({ id, retryId: newIds.get(subscriberId) as string })),
  );
  return { sent: wanted.length, closed: validated.length - wanted.length };
}

type Retry = OfNewsletter & {
  ids: string[];
  mailingId: string | null;
  detail: Record<string, string | null>;
};

function retryAndNote(ctx: Ctx, retry: Retry): Promise<RetryResult> {
  const { newsletterId, accountId, ids, mailingId, detail } = retry;
  return withTransaction(ctx, async (tx) => {
    const mailing = mailingId === null ? null : await joinMailing(tx, mailingId);
    if (mailing?.cancelled) return { sent: 0, closed: 0 };
    const result = await retryIn(ctx, tx, { newsletterId, ids, mailing });
    const { sent, closed } = result;
    if (sent + closed === 0) return result;
    const subjectId = ids.length === 1 ? (ids[0] as string) : null;
    const entry = { accountId, newsletterId, subjectId, detail: { ...detail, mails: sent, closed } };
    await record(ctx, tx, { ...entry, action: "mails.retried" });
    return result;
  });
}

/** Sends one failed or uncertain mail again, or closes it. @throws AppError not_found when it can't be sent again */
export async function retryMail(
  ctx: Ctx,
  { id, ...of }: OfNewsletter & { id: string },
): Promise<RetryResult> {
  const result = await retryAndNote(ctx, { ...of, ids: [id], mailingId: null, detail: {} });
  if (result.sent + result.closed === 0)
    throw new AppError("not_found", "This email did not fail or was already sent again. No email was sent.");
  return result;
}

/**
 * Sends all mails again that failed for one reason, 200 in a transaction. Mails that fail meanwhile are not included.
 * Several mails leave together after the newsletter's delay.
 */
export async function retryMailsOfReason(
  ctx: Ctx,
  { state, code, ...of }: OfNewsletter & { state: RetryableState; code: string | null },
): Promise<RetryResult> {
  const { newsletterId } = of;
  const reason = { state, code };
  const own = { id: newId(), newsletterId, staffId: staffIdOf(ctx), kind: "retry" } as const;
  const sum: RetryResult = { sent: 0, closed: 0 };
  let mailingId: string | null = null;
  for (let before: string | null = null; ; ) {
    const ids = await findRetryable(ctx.db, newsletterId, { ...reason, before }, CHUNK);
    if (ids.length > 1) mailingId ??= (await insertMailing(ctx.db, own))?.id ?? null;
    const { sent, closed } = await retryAndNote(ctx, { ...of, ids, mailingId, detail: reason });
    sum.sent += sent;
    sum.closed += closed;
    // A chunk without results means that another request is sending the mails again, or has cancelled them.
    if (ids.length < CHUNK || sent + closed === 0) return sum;
    before = ids.at(-1) ?? null;
  }
}
