import type { ClientBase } from "pg";

/** How many people are on a newsletter's list, and how many of them are not in its copy. */
export type Backlog = { newsletterId: string; people: number; missing: number };

/** People for whom one statement is worth its while, and nobody waits for it longer than a tenth of a second. */
const BATCH = 1_000;
/** How many of the list one statement looks through for some that were left out. */
const LOOK_THROUGH = 20_000;

export async function findBacklogs(client: ClientBase): Promise<Backlog[]> {
  const { rows } = await client.query<Backlog>(`
    SELECT newsletter_id AS "newsletterId", sum(listed)::float8 AS people, sum(listed - in_copy)::float8 AS missing FROM (
      SELECT newsletter_id, people AS listed, 0 AS in_copy FROM subscriber_counts
      UNION ALL SELECT newsletter_id, 0, people FROM people_search_counts
    ) AS counts GROUP BY 1`);
  return rows;
}

// FOR SHARE: whoever changes or deletes one of these waits until the copy is committed, and so finds it; whoever does so at this
// moment is left for later. The time that a row takes to be committed after its id was made is waited for, so that few ids come
// to lie below the last of the copy.
const newest = `
  SELECT * FROM subscribers s WHERE s.newsletter_id = $1
    AND s.id > coalesce((SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')
    AND s.id < uuid_at(clock_timestamp() - make_interval(secs => $2))
  ORDER BY s.id LIMIT $3 FOR SHARE SKIP LOCKED`;
const leftOut = `
  SELECT * FROM subscribers s WHERE s.newsletter_id = $1 AND s.id = ANY ($2::uuid[])
    AND NOT EXISTS (SELECT FROM people_search p WHERE p.newsletter_id = $1 AND p.id = s.id)
  ORDER BY s.id FOR SHARE SKIP LOCKED`;

/** Copies these people and counts them, all in one statement; who is in the copy already is not counted twice. */
const copy = (people: string) => `
  WITH taken AS MATERIALIZED (${people}), copied AS (
    INSERT INTO people_search (newsletter_id, id, email, name, status, source, source_id, created_at, confirmed_at)
    SELECT newsletter_id, id, lower(email), searched_name(first_name, last_name), status, source, source_id, created_at, confirmed_at
    FROM taken ON CONFLICT DO NOTHING RETURNING newsletter_id, source, status, created_at
  ), added_more AS (
    INSERT INTO people_added AS c (newsletter_id, quarter, shard, people)
    SELECT newsletter_id, quarter_of(created_at), 0, count(*) FROM copied GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (newsletter_id, quarter, shard) DO UPDATE SET people = c.people + excluded.people
  ), counted AS (
    INSERT INTO people_search_counts AS c (newsletter_id, source, status, shard, people)
    SELECT newsletter_id, source, status, 0, count(*) FROM copied GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (newsletter_id, source, status, shard) DO UPDATE SET people = c.people + excluded.people
  )
  SELECT count(*)::int AS copied FROM copied`;

/** Copies the next people above the copy's last. @param settledSeconds how old an id must be @returns how many */
export async function copyNewest(
  client: ClientBase,
  newsletterId: string,
  settledSeconds: number,
  batch = BATCH,
): Promise<number> {
  const { rows } = await client.query<{ copied: number }>(copy(newest), [
    newsletterId,
    settledSeconds,
    batch,
  ]);
  return rows[0]?.copied ?? 0;
}

/** How many of the missing lie below the copy's last; the others are only too new. */
export async function countLeftOut(
  client: ClientBase,
  { newsletterId, missing }: Pick<Backlog, "newsletterId" | "missing">,
): Promise<number> {
  const { rows } = await client.query<{ newer: number }>(
    `SELECT count(*)::int AS newer FROM (SELECT FROM subscribers WHERE newsletter_id = $1
       AND id > coalesce((SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1), '00000000-0000-0000-0000-000000000000')
       LIMIT $2) AS newer`,
    [newsletterId, missing],
  );
  return missing - (rows[0]?.newer ?? 0);
}

/**
 * Looks through a stretch of the list, newest first, for people who were left out, and copies those.
 * @param below where the stretch begins; null: at the copy's last
 * @returns how many, and where to go on; null at the end of the list
 */
export async function copyLeftOut(
  client: ClientBase,
  newsletterId: string,
  below: string | null,
  { batch = BATCH, lookThrough = LOOK_THROUGH } = {},
): Promise<{ copied: number; below: string | null }> {
  const { rows } = await client.query<{ id: string; missing: boolean }>(
    `WITH stretch AS MATERIALIZED (
       SELECT id FROM subscribers WHERE newsletter_id = $1
         AND id < coalesce($2::uuid, (SELECT id FROM people_search WHERE newsletter_id = $1 ORDER BY id DESC LIMIT 1))
       ORDER BY id DESC LIMIT $3
     ), missing AS (
       SELECT id FROM stretch WHERE NOT EXISTS (
         SELECT FROM people_search p WHERE p.newsletter_id = $1 AND p.id = stretch.id OFFSET 0) LIMIT $4
     )
     SELECT id, true AS missing FROM missing
     UNION ALL (SELECT id, false FROM stretch ORDER BY id LIMIT 1)`,
    [newsletterId, below, lookThrough, batch],
  );
  const ids = rows.filter((row) => row.missing).map((row) => row.id);
  const end = rows.find((row) => !row.missing)?.id ?? null;
  if (ids.length === 0) return { copied: 0, below: end };
  const { rows: done } = await client.query<{ copied: number }>(copy(leftOut), [newsletterId, ids]);
  // A full batch may have left others of the stretch.
  return { copied: done[0]?.copied ?? 0, below: ids.length < batch ? end : (ids.at(-1) ?? end) };
}

/** Sorts into the index what the copies left waiting beside it, where each search would read through it. */
export async function tidyIndex(client: ClientBase): Promise<void> {
  await client.query(`
    SELECT gin_clean_pending_list(c.oid) FROM pg_class c
    WHERE c.relname = 'people_search_trigrams' AND c.relnamespace = current_schema()::regnamespace`);
}
