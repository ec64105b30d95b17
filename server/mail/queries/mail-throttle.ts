import { confirmationPauseSeconds, confirmationsPerDay } from "../../kernel/durations";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";

const pause = Prisma.sql`make_interval(secs => ${confirmationPauseSeconds}::int)`;

/** The digests that identify people in the table; see the migration `throttle_digests`. */
const digests = (hashes: string[]) =>
  Prisma.sql`SELECT hash, throttle_digest(hash) AS digest FROM unnest(${textArray(hashes)}::text[]) AS given (hash)`;

/**
 * SQL: whether any of these people was mailed lately. It counts, because for EXISTS the planner may read the whole table
 * in the hope of an early match.
 */
export const isThrottled = (hashes: string[]) => Prisma.sql`(
    SELECT count(*) > 0 FROM mail_throttle WHERE recipient_hash = ANY (ARRAY(SELECT digest FROM (${digests(hashes)}) AS asked))
  )`;

/**
 * Takes one confirmation for each person: at most one a minute and three in 24 hours, by the database's clock. One
 * statement decides and records. People are taken in order, to prevent deadlocks between processes.
 * @param recipientHashes each at most once
 * @returns the people who may be mailed now
 */
export async function takeMailAllowance(tx: Tx, recipientHashes: string[]): Promise<Set<string>> {
  if (recipientHashes.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ recipientHash: string }[]>`
    WITH asked AS MATERIALIZED (${digests(recipientHashes)}), noted AS (
      INSERT INTO mail_throttle AS known (recipient_hash, allowed_at)
      SELECT digest, ARRAY[now()] FROM asked ORDER BY digest
      ON CONFLICT (recipient_hash) DO UPDATE
        SET allowed_at = (
          SELECT array_agg(at ORDER BY at) FROM unnest(known.allowed_at || now()) AS at WHERE at > now() - interval '1 day'
        )
        WHERE (
          SELECT count(*) < ${confirmationsPerDay}::int AND coalesce(max(at) <= now() - ${pause}, true)
          FROM unnest(known.allowed_at) AS at WHERE at > now() - interval '1 day'
        )
      RETURNING recipient_hash
    )
    SELECT hash AS "recipientHash" FROM asked JOIN noted ON noted.recipient_hash = asked.digest`;
  return new Set(rows.map((row) => row.recipientHash));
}

/**
 * The next time each of these people may be mailed, if no other mail is allowed before. Omits people without a recent
 * mail.
 */
export async function nextConfirmations(
  tx: Db | Tx,
  recipientHashes: string[],
): Promise<Map<string, { at: Date; isNow: boolean; dayIsFull: boolean }>> {
  if (recipientHashes.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ recipientHash: string; at: Date; isNow: boolean; dayIsFull: boolean }[]>`
    SELECT *, at <= now() AS "isNow" FROM (
    SELECT hash AS "recipientHash", recent.count >= ${confirmationsPerDay}::int AS "dayIsFull",
      greatest(
        recent.last + ${pause},
        CASE WHEN recent.count >= ${confirmationsPerDay}::int THEN recent.first + interval '1 day' END,
        now()
      ) AS at
    FROM (${digests(recipientHashes)}) AS asked JOIN mail_throttle ON recipient_hash = asked.digest, LATERAL (
      SELECT count(*), min(at) AS first, max(at) AS last FROM unnest(allowed_at) AS at WHERE at > now() - interval '1 day'
    ) AS recent
    ) AS next`;
  return new Map(rows.map(({ recipientHash, ...next }) => [recipientHash, next]));
}
