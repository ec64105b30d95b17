import type { ClientBase } from "pg";
import { LOWEST_ID } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

// The search index is a table of what the dashboard searches and sorts. Creates don't write to it, so they stay fast.
// The indexer adds people later, and triggers update indexed people. Queries also read the pending rows, which are not
// indexed yet.

/**
 * Runs several statements on one snapshot, each planned for its own values. A frequent text is found soon in the order
 * of the list, a rare one by its trigrams. A generic plan would do one of the two badly.
 */
export function onOneSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // JIT compilation helps only queries that take seconds.
      await tx.$queryRaw`SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)`;
      return read(tx);
    },
    { isolationLevel: "RepeatableRead" },
  );
}

/** The number of pending people above the last indexed id (`top`) and below it. */
export type Pending = { top: string | null; above: number; below: number };

/**
 * Counts pending people from the counts of the list and of the index. The result is exact at the moment of the
 * transaction, even if clocks and late commits changed the order of ids. If everybody is indexed, no rows are read.
 */
export async function findUnindexed(tx: Tx, newsletterId: string): Promise<Pending> {
  const [row] = await tx.$queryRaw<{ pending: number; top: string | null }[]>`
    SELECT ((SELECT coalesce(sum(people), 0) FROM subscriber_counts WHERE newsletter_id = ${newsletterId}::uuid)
        - (SELECT coalesce(sum(people), 0) FROM people_search_counts WHERE newsletter_id = ${newsletterId}::uuid))::float8 AS pending,
      (SELECT id FROM people_search WHERE newsletter_id = ${newsletterId}::uuid ORDER BY id DESC LIMIT 1)::text AS top`;
  const { pending = 0, top = null } = row ?? {};
  if (pending <= 0 || top === null) return { top, above: Math.max(0, pending), below: 0 };
  const [counted] = await tx.$queryRaw<{ above: number }[]>`
    SELECT count(*)::float8 AS above FROM (SELECT FROM subscribers
      WHERE newsletter_id = ${newsletterId}::uuid AND id > ${top}::uuid LIMIT ${pending}) AS newer`;
  const above = counted?.above ?? 0;
  return { top, above, below: pending - above };
}

/** The pending rows, as tables with the columns of the index. */
export function unindexedTables(newsletterId: string, { top, above, below }: Pending): Prisma.Sql[] {
  const tables: Prisma.Sql[] = [];
  if (above > 0) {
    const newer = top === null ? Prisma.empty : Prisma.sql`AND s.id > ${top}::uuid`;
    tables.push(
      Prisma.sql`(SELECT * FROM people_searchable s WHERE s.newsletter_id = ${newsletterId}::uuid ${newer})`,
    );
  }
  if (below > 0) {
    // OFFSET 0 forces a look-up for each row. The query reads from the newest row and stops when all are found. A join
    // would read everybody.
    tables.push(Prisma.sql`(SELECT * FROM people_searchable s
      WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id <= ${top}::uuid AND NOT EXISTS (SELECT FROM people_search p
        WHERE p.newsletter_id = s.newsletter_id AND p.id = s.id OFFSET 0)
      ORDER BY s.id DESC LIMIT ${below})`);
  }
  return tables;
}

/** The index and the pending rows: together they contain everybody once. */
export const tablesOf = (newsletterId: string, pending: Pending): Prisma.Sql[] => [
  ...(pending.top === null ? [] : [Prisma.sql`people_search`]),
  ...unindexedTables(newsletterId, pending),
];

/** The number of people of a newsletter, and how many of them are not indexed. */
export type Backlog = { newsletterId: string; people: number; pending: number };

/** Rows that one statement indexes. They stay locked for at most a tenth of a second. */
const BATCH = 1_000;
/** How many rows of the list one statement searches for pending ones. */
const LOOK_THROUGH = 20_000;

export async function findBacklogs(client: ClientBase): Promise<Backlog[]> {
  const { rows } = await client.query<Backlog>(`
    SELECT newsletter_id AS "newsletterId", sum(listed)::float8 AS people, sum(listed - indexed)::float8 AS pending FROM (
      SELECT newsletter_id, people AS listed, 0 AS indexed FROM subscriber_counts
      UNION ALL SELECT newsletter_id, 0, people FROM people_search_counts
    ) AS counts GROUP BY 1`);
  return rows;
}

const top = `coalesce((SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1), '${LOWEST_ID}')`;
// FOR SHARE delays changes and deletes of these rows until they are indexed, so that their triggers find them. SKIP
// LOCKED leaves out rows that are being changed. New ids wait `settledSeconds` for their commit, so that few pending
// ids are below the last indexed one.
const newest = `
  SELECT * FROM people_searchable s WHERE s.newsletter_id = $1
    AND s.id > ${top}
    AND s.id < uuid_at(statement_timestamp() - make_interval(secs => $2))
  ORDER BY s.id LIMIT $3 FOR SHARE SKIP LOCKED`;
const older = `
  SELECT * FROM people_searchable s WHERE s.newsletter_id = $1 AND s.id = ANY ($2::uuid[])
    AND NOT EXISTS (SELECT FROM people_search p WHERE p.newsletter_id = $1 AND p.id = s.id)
  ORDER BY s.id FOR SHARE SKIP LOCKED`;

/** Indexes these people and counts them in one statement. People who are already indexed are not counted twice. */
const index = (people: string) => `
  WITH taken AS MATERIALIZED (${people}), indexed AS (
    INSERT INTO people_search SELECT * FROM taken ON CONFLICT DO NOTHING RETURNING newsletter_id, source, status, created_at
  ), added_more AS (
    INSERT INTO people_added AS c (newsletter_id, quarter, shard, people)
    SELECT newsletter_id, quarter_of(created_at), 0, count(*) FROM indexed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (newsletter_id, quarter, shard) DO UPDATE SET people = c.people + excluded.people
  ), counted AS (
    INSERT INTO people_search_counts AS c (newsletter_id, source, status, shard, people)
    SELECT newsletter_id, source, status, 0, count(*) FROM indexed GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (newsletter_id, source, status, shard) DO UPDATE SET people = c.people + excluded.people
  )
  SELECT count(*)::int AS indexed FROM indexed`;

/**
 * Indexes the next people above the last indexed id.
 * @param settledSeconds minimum age of an id
 * @returns the number of people
 */
export async function indexNewest(
  client: ClientBase,
  newsletterId: string,
  settledSeconds: number,
  batch = BATCH,
): Promise<number> {
  const { rows } = await client.query<{ indexed: number }>(index(newest), [
    newsletterId,
    settledSeconds,
    batch,
  ]);
  return rows[0]?.indexed ?? 0;
}

/** The number of pending rows below the last indexed id. Other pending rows are only too new. */
export async function countOlder(
  client: ClientBase,
  { newsletterId, pending }: Pick<Backlog, "newsletterId" | "pending">,
): Promise<number> {
  const { rows } = await client.query<{ newer: number }>(
    `SELECT count(*)::int AS newer FROM (SELECT FROM subscribers WHERE newsletter_id = $1
       AND id > ${top}
       LIMIT $2) AS newer`,
    [newsletterId, pending],
  );
  return pending - (rows[0]?.newer ?? 0);
}

/**
 * Searches a part of the list for pending rows, newest first, and indexes them.
 * @param below upper end of the part; null: the last indexed id
 * @returns how many were found, how many of them were indexed, and where to continue; null at the end of the list
 */
export async function indexOlder(
  client: ClientBase,
  newsletterId: string,
  below: string | null,
  { batch = BATCH, lookThrough = LOOK_THROUGH } = {},
): Promise<{ found: number; indexed: number; below: string | null }> {
  const { rows } = await client.query<{ id: string; missing: boolean }>(
    `WITH part AS MATERIALIZED (
       SELECT id FROM subscribers WHERE newsletter_id = $1
         AND id < coalesce($2::uuid, ${top})
       ORDER BY id DESC LIMIT $3
     ), missing AS (
       SELECT id FROM part WHERE NOT EXISTS (
         SELECT FROM people_search p WHERE p.newsletter_id = $1 AND p.id = part.id OFFSET 0) LIMIT $4
     )
     SELECT id, true AS missing FROM missing
     UNION ALL (SELECT id, false FROM part ORDER BY id LIMIT 1)`,
    [newsletterId, below, lookThrough, batch],
  );
  const ids = rows.filter((row) => row.missing).map((row) => row.id);
  const end = rows.find((row) => !row.missing)?.id ?? null;
  const found = ids.length;
  if (found === 0) return { found, indexed: 0, below: end };
  const { rows: done } = await client.query<{ indexed: number }>(index(older), [newsletterId, ids]);
  // After a full batch, this part may contain more pending rows.
  return { found, indexed: done[0]?.indexed ?? 0, below: found < batch ? end : (ids.at(-1) ?? end) };
}

/** Merges the pending list of the trigram index. Until then each search reads that list. */
export async function flushTrigrams(client: ClientBase): Promise<void> {
  await client.query(`
    SELECT gin_clean_pending_list(c.oid) FROM pg_class c
    WHERE c.relname = 'people_search_trigrams' AND c.relnamespace = current_schema()::regnamespace`);
}
