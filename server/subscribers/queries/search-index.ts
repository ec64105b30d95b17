import type { ClientBase } from "pg";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

// The search index is a table of what the dashboard searches and sorts: a create pays nothing for it. The indexer adds people
// later; triggers follow what happens to those who are in it. Queries read the pending rows, who are not in it yet, as well.

/**
 * One moment of the database for several statements, each planned for its own values: a frequent text is met soon in the
 * list's own order, a rare one is found by its trigrams, and a plan made for any text would do one of the two badly.
 */
export function atOneMoment<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.$transaction(
    async (tx) => {
      // Compiling pays for reports that take seconds; these must not.
      await tx.$queryRaw`SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('jit', 'off', true)`;
      return read(tx);
    },
    { isolationLevel: "RepeatableRead" },
  );
}

/** People who are not in the index: how many above its last id (`top`), and how many below. */
export type Pending = { top: string | null; above: number; below: number };

/**
 * Who is pending, from the counts of the list and of the index: exact in the moment of the transaction, whatever clocks and
 * late commits did to the order of ids, and nothing to look for when all are indexed.
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
    // OFFSET 0 keeps it a look-up for each row: read from the newest, and ended when all are found, as a join would not be.
    tables.push(Prisma.sql`(SELECT * FROM people_searchable s
      WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id <= ${top}::uuid AND NOT EXISTS (SELECT FROM people_search p
        WHERE p.newsletter_id = s.newsletter_id AND p.id = s.id OFFSET 0)
      ORDER BY s.id DESC LIMIT ${below})`);
  }
  return tables;
}

/** The index and the pending rows: read together, they give everybody once. */
export const tablesOf = (newsletterId: string, pending: Pending): Prisma.Sql[] => [
  ...(pending.top === null ? [] : [Prisma.sql`people_search`]),
  ...unindexedTables(newsletterId, pending),
];

/** How many people a newsletter has, and how many of them are not in the index. */
export type Backlog = { newsletterId: string; people: number; pending: number };

/** A batch is worth a statement, and nobody waits for it longer than a tenth of a second. */
const BATCH = 1_000;
/** How many rows of the list one statement looks through for pending ones. */
const LOOK_THROUGH = 20_000;

export async function findBacklogs(client: ClientBase): Promise<Backlog[]> {
  const { rows } = await client.query<Backlog>(`
    SELECT newsletter_id AS "newsletterId", sum(listed)::float8 AS people, sum(listed - indexed)::float8 AS pending FROM (
      SELECT newsletter_id, people AS listed, 0 AS indexed FROM subscriber_counts
      UNION ALL SELECT newsletter_id, 0, people FROM people_search_counts
    ) AS counts GROUP BY 1`);
  return rows;
}

// FOR SHARE: whoever changes or deletes one of these waits until they are indexed, and so their triggers find them; rows that
// somebody is changing are skipped. The time that a row takes to be committed after its id was made is waited for, so that
// few ids are below the last of the index.
const newest = `
  SELECT * FROM people_searchable s WHERE s.newsletter_id = $1
    AND s.id > coalesce((SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')
    AND s.id < uuid_at(clock_timestamp() - make_interval(secs => $2))
  ORDER BY s.id LIMIT $3 FOR SHARE SKIP LOCKED`;
const older = `
  SELECT * FROM people_searchable s WHERE s.newsletter_id = $1 AND s.id = ANY ($2::uuid[])
    AND NOT EXISTS (SELECT FROM people_search p WHERE p.newsletter_id = $1 AND p.id = s.id)
  ORDER BY s.id FOR SHARE SKIP LOCKED`;

/** Indexes these people and counts them, all in one statement; who is indexed already is not counted twice. */
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

/** Indexes the next people above the last of the index. @param settledSeconds how old an id must be @returns how many */
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

/** How many pending rows are below the last of the index; the others are only too new. */
export async function countOlder(
  client: ClientBase,
  { newsletterId, pending }: Pick<Backlog, "newsletterId" | "pending">,
): Promise<number> {
  const { rows } = await client.query<{ newer: number }>(
    `SELECT count(*)::int AS newer FROM (SELECT FROM subscribers WHERE newsletter_id = $1
       AND id > coalesce((SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')
       LIMIT $2) AS newer`,
    [newsletterId, pending],
  );
  return pending - (rows[0]?.newer ?? 0);
}

/**
 * Looks through a part of the list, newest first, for pending rows, and indexes those.
 * @param below where the part begins; null: at the last of the index
 * @returns how many, and where to continue; null at the end of the list
 */
export async function indexOlder(
  client: ClientBase,
  newsletterId: string,
  below: string | null,
  { batch = BATCH, lookThrough = LOOK_THROUGH } = {},
): Promise<{ indexed: number; below: string | null }> {
  const { rows } = await client.query<{ id: string; missing: boolean }>(
    `WITH part AS MATERIALIZED (
       SELECT id FROM subscribers WHERE newsletter_id = $1
         AND id < coalesce($2::uuid, (SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1))
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
  if (ids.length === 0) return { indexed: 0, below: end };
  const { rows: done } = await client.query<{ indexed: number }>(index(older), [newsletterId, ids]);
  // Beyond a full batch there may be others in this part.
  return { indexed: done[0]?.indexed ?? 0, below: ids.length < batch ? end : (ids.at(-1) ?? end) };
}

/** Sorts what waits beside the trigram index into it: until then each search reads through it. */
export async function flushTrigrams(client: ClientBase): Promise<void> {
  await client.query(`
    SELECT gin_clean_pending_list(c.oid) FROM pg_class c
    WHERE c.relname = 'people_search_trigrams' AND c.relnamespace = current_schema()::regnamespace`);
}
