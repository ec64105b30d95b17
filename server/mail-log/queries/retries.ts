import { type RetryableState, retryableStates } from "../../mail/schema/mail-states";
import type { Db, Tx } from "../../platform/db/client";
import { ATTENTION } from "./mails";

export type RetryRow = { id: string; subscriberId: string };

/** The reason of failed mails; `before`: only those with a lower id. */
type RetryReason = { state: RetryableState; code: string | null; before: string | null };

/** Up to `limit` confirmations that failed for one reason and have no replacement, newest first. */
export async function findRetryable(
  db: Db,
  newsletterId: string,
  { state, code, before }: RetryReason,
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM mails
    WHERE newsletter_id = ${newsletterId}::uuid AND state = ${state} AND ${ATTENTION} AND kind = 'confirmation'
      AND error_code IS NOT DISTINCT FROM ${code} AND (${before}::uuid IS NULL OR id < ${before}::uuid)
    ORDER BY id DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/** The mails among these that can be sent again. @param lock until the transaction ends */
export async function readRetryable(
  tx: Tx,
  newsletterId: string,
  ids: string[],
  lock: boolean,
): Promise<RetryRow[]> {
  const where = {
    id: { in: ids },
    newsletterId,
    kind: "confirmation",
    state: { in: [...retryableStates] },
    retryId: null,
  };
  if (lock) await tx.$queryRaw`SELECT FROM mails WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
  const rows = await tx.mail.findMany({
    where,
    select: { id: true, subscriberId: true },
    orderBy: { id: "asc" },
  });
  return rows.flatMap(({ id, subscriberId }) => (subscriberId ? [{ id, subscriberId }] : []));
}

/** The people among these with a newer confirmation and a valid link. */
export async function findAskedSince(tx: Tx, newsletterId: string, mails: RetryRow[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT failed.id FROM unnest(${mails.map((mail) => mail.id)}::uuid[], ${mails.map((mail) => mail.subscriberId)}::uuid[])
      AS failed (id, subscriber_id)
    WHERE EXISTS (SELECT FROM mails newer
      WHERE newer.newsletter_id = ${newsletterId}::uuid AND newer.subscriber_id = failed.subscriber_id
        AND newer.id > failed.id AND newer.state NOT IN ('failed', 'uncertain', 'cancelled')
        AND newer.bounced_at IS NULL AND newer.link_expires_at > now())`;
  return new Set(rows.map((row) => row.id));
}

export async function noteRetries(tx: Tx, retries: { id: string; retryId: string }[]): Promise<void> {
  if (retries.length === 0) return;
  await tx.$executeRaw`
    UPDATE mails SET retry_id = retry.new_id
    FROM unnest(${retries.map((one) => one.id)}::uuid[], ${retries.map((one) => one.retryId)}::uuid[]) AS retry (id, new_id)
    WHERE mails.id = retry.id`;
}
