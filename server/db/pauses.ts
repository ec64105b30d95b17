import type { Db, Tx } from "./client";

/** A break whose time is over, of somebody who may have left for good or come back since. */
export type EndedPause = { newsletterId: string; subscriberId: string; leftAt: Date };

/** Notes until when an unsubscribed person takes a break, instead of what was noted before. */
export async function startPause(
  tx: Tx,
  { newsletterId, id, until }: { newsletterId: string; id: string; until: Date },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO pauses (newsletter_id, subscriber_id, left_at, until)
    SELECT newsletter_id, id, unsubscribed_at, ${until}::timestamptz FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND id = ${id}::uuid
    ON CONFLICT (newsletter_id, subscriber_id) DO UPDATE SET left_at = excluded.left_at, until = excluded.until`;
}

/** When a person is back from a break; null when they take none. */
export async function findPause(db: Db | Tx, newsletterId: string, id: string): Promise<Date | null> {
  const [pause] = await db.$queryRaw<{ until: Date }[]>`
    SELECT p.until FROM pauses p JOIN subscribers s ON s.newsletter_id = p.newsletter_id AND s.id = p.subscriber_id
    WHERE p.newsletter_id = ${newsletterId}::uuid AND p.subscriber_id = ${id}::uuid
      AND s.status = 'unsubscribed' AND s.unsubscribed_at = p.left_at`;
  return pause?.until ?? null;
}

/** Forgets the breaks of these people. */
export async function endPauses(tx: Tx, newsletterId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.pause.deleteMany({ where: { newsletterId, subscriberId: { in: ids } } });
}

/**
 * Of breaks that are over, those that ended first, all of one newsletter; they are the caller's until its transaction ends.
 * @param limit at most so many
 */
export async function lockEndedPauses(tx: Tx, limit: number): Promise<EndedPause[]> {
  return tx.$queryRaw<EndedPause[]>`
    SELECT newsletter_id AS "newsletterId", subscriber_id AS "subscriberId", left_at AS "leftAt" FROM pauses
    WHERE until <= now() AND newsletter_id = (
      SELECT newsletter_id FROM pauses WHERE until <= now() ORDER BY until, newsletter_id LIMIT 1)
    ORDER BY until LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
}
