import type { Db, Tx } from "../../platform/db/client";

/** On the hour of Monday when a week's digest is written, where the account's first newsletter is. */
const HOUR = 7;

export type DigestReader = { id: string; accountId: string; email: string; since: Date };

/** The staff members whose digest of this week is not written yet. */
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

/** Notes that a digest is written now. @returns false when another process has, or they want none any more */
export async function noteDigest(tx: Tx, { id, since }: DigestReader): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE staff_members SET digest_since = now() WHERE id = ${id}::uuid AND digest_since = ${since}::timestamptz`;
  return count > 0;
}

/** Since when a staff member's digest is due; null: they want none. */
export async function findDigest(db: Db, id: string): Promise<Date | null> {
  const found = await db.staffMember.findUnique({ where: { id }, select: { digestSince: true } });
  return found?.digestSince ?? null;
}

/** From now on, or not any more; who wants it already keeps their time. */
export async function updateDigest(db: Db, id: string, weekly: boolean): Promise<void> {
  await db.$executeRaw`
    UPDATE staff_members SET digest_since = CASE WHEN ${weekly} THEN coalesce(digest_since, now()) END WHERE id = ${id}::uuid`;
}

/** How many people confirmed since: each once, however often they did. From the changes, which are kept for 30 days. */
export async function countConfirmed(db: Db, newsletterId: string, since: Date): Promise<number> {
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(DISTINCT subscriber_id)::int AS people FROM changes
    WHERE newsletter_id = ${newsletterId}::uuid AND at >= ${since}::timestamptz AND kind = 'confirmed'`;
  return row?.people ?? 0;
}
