import type { Db, Tx } from "../../platform/db/client";

/** The hour on Monday when the digest is written, in the time zone of the account's first newsletter. */
const HOUR = 7;

export type DigestReader = { id: string; accountId: string; email: string; since: Date };

/** Lists the staff members whose digest of this week is due. */
export function listDigestsDue(db: Db): Promise<DigestReader[]> {
  return db.$queryRaw<DigestReader[]>`
    SELECT s.id, s.account_id AS "accountId", s.email, s.digest_since AS since
    FROM staff_members s CROSS JOIN LATERAL (
      SELECT time_zone FROM newsletters WHERE account_id = s.account_id ORDER BY id LIMIT 1
    ) AS n
    WHERE s.digest_since < (
      date_trunc('week', now() AT TIME ZONE n.time_zone - make_interval(hours => ${HOUR}::int)) + make_interval(hours => ${HOUR}::int)
    ) AT TIME ZONE n.time_zone
    ORDER BY s.account_id, s.id`;
}

/** Records that a digest is being written. @returns false when another process wrote it, or it was switched off */
export async function noteDigest(tx: Tx, { id, since }: DigestReader): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE staff_members SET digest_since = now() WHERE id = ${id}::uuid AND digest_since = ${since}::timestamptz`;
  return count > 0;
}

/** Returns since when a staff member gets the digest; null: switched off. */
export async function findDigest(db: Db, id: string): Promise<Date | null> {
  const found = await db.staffMember.findUnique({ where: { id }, select: { digestSince: true } });
  return found?.digestSince ?? null;
}

/** Switches the digest on or off. If it is already on, its start time stays. */
export async function updateDigest(db: Db, id: string, weekly: boolean): Promise<void> {
  await db.$executeRaw`
    UPDATE staff_members SET digest_since = CASE WHEN ${weekly} THEN coalesce(digest_since, now()) END WHERE id = ${id}::uuid`;
}

/** Counts the people who confirmed since then, each once. Reads the change feed, which is kept for 30 days. */
export async function countConfirmed(db: Db, newsletterId: string, since: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(DISTINCT subscriber_id)::int AS people FROM changes
    WHERE newsletter_id = ${newsletterId}::uuid AND at >= ${since}::timestamptz AND kind = 'confirmed'`;
  return row?.people ?? 0;
}
