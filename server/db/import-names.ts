import type { Tx } from "./client";

// Whom a run met on the roll stands in import_left by their ids. Where their blank name is to be filled, named_version is 0
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
    SELECT FROM import_left l JOIN subscribers s ON s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id
    WHERE l.import_id = ${importId}::uuid AND l.subscriber_id > ${after}::uuid AND l.subscriber_id <= ${to}::uuid
      AND l.named_version IS NOT NULL
    ORDER BY s.id FOR UPDATE OF s`;
}

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
    WITH filled AS (
      UPDATE subscribers s SET first_name = r.first_name, last_name = r.last_name, version = s.version + 1
      FROM import_left l, import_rows r
      WHERE l.import_id = ${importId}::uuid AND l.subscriber_id > ${after}::uuid AND l.subscriber_id <= ${to}::uuid
        AND l.named_version = 0 AND s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id
        AND r.import_id = ${importId}::uuid AND r.email_canonical = s.email_canonical
        AND s.first_name = '' AND s.last_name = '' AND s.status IN ('active', 'pending')
      RETURNING s.id, s.version
    )
    UPDATE import_left l SET named_version = filled.version FROM filled
    WHERE l.import_id = ${importId}::uuid AND l.subscriber_id = filled.id
    RETURNING filled.id`;
  return rows.map((row) => row.id);
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
    UPDATE subscribers s SET first_name = '', last_name = '', version = s.version + 1
    FROM import_left l
    WHERE l.import_id = ${importId}::uuid AND l.subscriber_id > ${after}::uuid AND l.subscriber_id <= ${to}::uuid
      AND s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id AND s.version = l.named_version
    RETURNING s.id`;
  return rows.map((row) => row.id);
}
