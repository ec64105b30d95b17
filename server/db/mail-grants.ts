import type { Db, Tx } from "./client";

/**
 * Asks for one confirmation for each person: at most one a minute and three in 24 hours, by the database's clock. Granted
 * and noted in one statement; people are taken in order, so that processes asking for the same ones never wait in a circle.
 * @param personKeys each at most once
 * @returns those who may be mailed now
 */
export async function grant(tx: Tx, personKeys: string[]): Promise<Set<string>> {
  if (personKeys.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ personKey: string }[]>`
    INSERT INTO mail_grants AS known (person_key, granted_at)
    SELECT key, ARRAY[now()] FROM unnest(${personKeys}::text[]) AS asked (key) ORDER BY key
    ON CONFLICT (person_key) DO UPDATE
      SET granted_at = (
        SELECT array_agg(at ORDER BY at) FROM unnest(known.granted_at || now()) AS at WHERE at > now() - interval '1 day'
      )
      WHERE (
        SELECT count(*) < 3 AND coalesce(max(at) <= now() - interval '1 minute', true)
        FROM unnest(known.granted_at) AS at WHERE at > now() - interval '1 day'
      )
    RETURNING person_key AS "personKey"`;
  return new Set(rows.map((row) => row.personKey));
}

/** When each of these people may be mailed next, if nothing else is granted before. */
export async function nextGrants(
  tx: Tx,
  personKeys: string[],
): Promise<Map<string, { at: Date; dayIsFull: boolean }>> {
  if (personKeys.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ personKey: string; at: Date; dayIsFull: boolean }[]>`
    SELECT person_key AS "personKey", recent.count >= 3 AS "dayIsFull",
      greatest(
        recent.last + interval '1 minute',
        CASE WHEN recent.count >= 3 THEN recent.first + interval '1 day' END,
        now()
      ) AS at
    FROM mail_grants, LATERAL (
      SELECT count(*), min(at) AS first, max(at) AS last FROM unnest(granted_at) AS at WHERE at > now() - interval '1 day'
    ) AS recent
    WHERE person_key = ANY (${personKeys}::text[])`;
  return new Map(rows.map(({ personKey, ...next }) => [personKey, next]));
}

/** Forgets people whose last confirmation is more than a day old: nothing depends on them any more. */
export async function forgetOldGrants(db: Db): Promise<void> {
  await db.$executeRaw`
    DELETE FROM mail_grants WHERE granted_at[array_upper(granted_at, 1)] < now() - interval '1 day'`;
}
