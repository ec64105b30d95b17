import type { ClientBase } from "pg";
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

/** SQL for the number of people of a newsletter who are not indexed. @param id SQL of the newsletter's id */
const pendingOf = (id: string) => `greatest(0, (
  SELECT coalesce(sum(people), 0) FROM subscriber_counts WHERE newsletter_id = ${id}) - (
  SELECT coalesce(sum(people), 0) FROM people_search_counts WHERE newsletter_id = ${id}))`;

/** True for a person `s` who is not indexed. OFFSET 0 forces a look-up for each row. A join would read everybody. */
const isPending = `NOT EXISTS (
  SELECT FROM people_search p WHERE p.newsletter_id = s.newsletter_id AND p.id = s.id OFFSET 0)`;

/**
 * The pending rows, as a table with the columns of the index. Queries read from the newest row and stop when all are
 * found. Their number is exact at the moment of the transaction, even if clocks and late commits changed the order of ids.
 */
export async function findPending(tx: Tx, newsletterId: string): Promise<Prisma.Sql> {
  const [row] = await tx.$queryRaw<{ pending: number }[]>`
    SELECT ${Prisma.raw(pendingOf("n.id"))}::float8 AS pending FROM newsletters n WHERE n.id = ${newsletterId}::uuid`;
  return Prisma.sql`(SELECT * FROM people_searchable s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND ${Prisma.raw(isPending)}
    ORDER BY s.id DESC LIMIT ${row?.pending ?? 0})`;
}

type IndexFrom = { settledSeconds?: number; below?: string | null; batch?: number };

/** The number of people of a newsletter, and how many of them are not indexed. */
export type Backlog = { newsletterId: string; people: number; pending: number };

export async function findBacklogs(client: ClientBase): Promise<Backlog[]> {
  const { rows } = await client.query<Backlog>(`
    SELECT newsletter_id AS "newsletterId", sum(listed)::float8 AS people, sum(listed - indexed)::float8 AS pending FROM (
      SELECT newsletter_id, people AS listed, 0 AS indexed FROM subscriber_counts
      UNION ALL SELECT newsletter_id, 0, people FROM people_search_counts
    ) AS counts GROUP BY 1`);
  return rows;
}

/** A statement's number of people: it locks their rows for at most a tenth of a second. */
export const BATCH = 1_000;

/**
 * Indexes and counts the next people, newest first, in one statement. It reads no further than the last pending one. Ids
 * that are too new are pending too. FOR SHARE delays changes and deletes of these rows
 * until they are indexed, so that their triggers find them. SKIP LOCKED leaves out rows that are being changed.
 * @param from settledSeconds: the minimum age of an id; below: the last id of the previous full batch
 * @returns the number of people, and the last id
 */
export async function indexNext(
  client: ClientBase,
  newsletterId: string,
  { settledSeconds = 0, below = null, batch = BATCH }: IndexFrom = {},
): Promise<{ indexed: number; last: string | null }> {
  const { rows } = await client.query<{ indexed: number; last: string | null }>(
    `WITH settled AS (
      SELECT uuid_at(statement_timestamp() - make_interval(secs => $2)) AS id
    ), taken AS MATERIALIZED (
      SELECT * FROM people_searchable s
      WHERE s.newsletter_id = $1 AND s.id < least($3::uuid, (SELECT id FROM settled)) AND ${isPending}
      ORDER BY s.id DESC LIMIT greatest(0, least($4, ${pendingOf("$1")} - (
        SELECT count(*) FROM subscribers WHERE newsletter_id = $1 AND id >= (SELECT id FROM settled))))
      FOR SHARE SKIP LOCKED
    ), indexed AS (
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
    SELECT (SELECT count(*)::int FROM indexed) AS indexed, (SELECT id FROM taken ORDER BY id LIMIT 1) AS last`,
    [newsletterId, settledSeconds, below, batch],
  );
  return rows[0] ?? { indexed: 0, last: null };
}

/** Merges the pending list of the trigram index. Until then each search reads that list. */
export async function flushTrigrams(client: ClientBase): Promise<void> {
  await client.query(`
    SELECT gin_clean_pending_list(c.oid) FROM pg_class c
    WHERE c.relname = 'people_search_trigrams' AND c.relnamespace = current_schema()::regnamespace`);
}
