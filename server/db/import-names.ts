import type { Tx } from "./client";

// Whom a run met on the list stands in import_left by their ids. Where their blank name is to be filled, named_version is 0
// until it was; then it is the version that they were filled with.

/** Where to cut the people whose names a run is to fill, or has filled, into pieces of `size`: the last id of each. */
export async function cutNamed(
  tx: Tx,
  importId: string,
  which: "to_fill" | "filled",
  size: number,
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT subscriber_id AS id, row_number() OVER (ORDER BY subscriber_id) AS n, count(*) OVER () AS total
      FROM import_left WHERE import_id = ${importId}::uuid AND (named_version = 0) = ${which === "to_fill"}
    ) AS numbered WHERE n % ${size}::int = 0 OR n = total ORDER BY id`;
  return rows.map((row) => row.id);
}

/**
 * Holds these people in the order in which everybody holds people, and before anything else is held: whoever waits for them
 * waits for one who waits for nobody.
 */
async function lockNamed(tx: Tx, newsletterId: string, importId: string, after: string, to: string) {
  await tx.$executeRaw`
    SELECT FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (ARRAY(
      SELECT subscriber_id FROM import_left WHERE import_id = ${importId}::uuid
        AND subscriber_id > ${after}::uuid AND subscriber_id <= ${to}::uuid AND named_version IS NOT NULL))
    ORDER BY id FOR UPDATE`;
}

// Below, people and rows are looked up one by one by their keys (OFFSET 0 keeps it so) and changed by their place: nobody has
// analysed what has just come, and left to guesses these took minutes.

/** Gives the list's names to people between two ids (the first excluded) who have none. @returns their ids */
export async function fillNames(
  tx: Tx,
  newsletterId: string,
  importId: string,
  after: string,
  to: string,
): Promise<string[]> {
  await lockNamed(tx, newsletterId, importId, after, to);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH wanted AS MATERIALIZED (
      SELECT s.ctid AS place, r.first_name, r.last_name FROM import_left l
      CROSS JOIN LATERAL (SELECT ctid, email_canonical FROM subscribers
        WHERE newsletter_id = ${newsletterId}::uuid AND id = l.subscriber_id OFFSET 0) s
      CROSS JOIN LATERAL (SELECT first_name, last_name FROM import_rows
        WHERE import_id = ${importId}::uuid AND email_canonical = s.email_canonical COLLATE "C" OFFSET 0) r
      WHERE l.import_id = ${importId}::uuid AND l.subscriber_id > ${after}::uuid AND l.subscriber_id <= ${to}::uuid
        AND l.named_version = 0
    )
    UPDATE subscribers s SET first_name = w.first_name, last_name = w.last_name, version = s.version + 1
    FROM wanted w WHERE s.ctid = w.place AND s.newsletter_id = ${newsletterId}::uuid
      AND s.first_name = '' AND s.last_name = '' AND s.status IN ('active', 'pending')
    RETURNING s.id`;
  const ids = rows.map((row) => row.id);
  await tx.$executeRaw`
    UPDATE import_left SET named_version =
      (SELECT version FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = subscriber_id)
    WHERE import_id = ${importId}::uuid AND subscriber_id = ANY (${ids}::uuid[])`;
  return ids;
}

/** Takes names back from people between two ids who were given them by a run and have not changed since. @returns their ids */
export async function takeNamesBack(
  tx: Tx,
  newsletterId: string,
  importId: string,
  after: string,
  to: string,
): Promise<string[]> {
  await lockNamed(tx, newsletterId, importId, after, to);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE subscribers SET first_name = '', last_name = '', version = version + 1
    WHERE newsletter_id = ${newsletterId}::uuid AND ctid = ANY (ARRAY(
      SELECT s.ctid FROM import_left l CROSS JOIN LATERAL (
        SELECT ctid, version FROM subscribers
        WHERE newsletter_id = ${newsletterId}::uuid AND id = l.subscriber_id OFFSET 0) s
      WHERE l.import_id = ${importId}::uuid AND l.subscriber_id > ${after}::uuid AND l.subscriber_id <= ${to}::uuid
        AND s.version = l.named_version))
    RETURNING id`;
  return rows.map((row) => row.id);
}
