import type { Tx } from "./client";

/**
 * Gives the list's names to people on the roll who have none. They are held in the order in which everybody holds people,
 * and before anything else is: whoever waits for them waits for one who waits for nobody.
 * @returns their ids
 */
export async function fillNames(tx: Tx, newsletterId: string, importId: string): Promise<string[]> {
  await tx.$executeRaw`
    SELECT FROM import_rows r
    JOIN subscribers s ON s.email_canonical = r.email_canonical AND s.newsletter_id = ${newsletterId}::uuid
    WHERE r.import_id = ${importId}::uuid AND r.fill_name ORDER BY s.id FOR UPDATE OF s`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE subscribers s SET first_name = r.first_name, last_name = r.last_name, version = s.version + 1
    FROM import_rows r
    WHERE r.import_id = ${importId}::uuid AND r.fill_name AND s.email_canonical = r.email_canonical
      AND s.newsletter_id = ${newsletterId}::uuid AND s.first_name = '' AND s.last_name = ''
      AND s.status IN ('active', 'pending')
    RETURNING s.id`;
  return rows.map((row) => row.id);
}

/** Notes with which version people were given a name, so that it can be given back while nothing has happened since. */
export async function noteNamed(
  tx: Tx,
  newsletterId: string,
  importId: string,
  ids: string[],
): Promise<void> {
  await tx.$executeRaw`
    UPDATE import_left l SET named_version = s.version FROM subscribers s
    WHERE l.import_id = ${importId}::uuid AND l.subscriber_id = ANY (${ids}::uuid[])
      AND s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id`;
}

/** Takes names back from people who were given them by a run and have not changed since. @returns their ids */
export async function takeNamesBack(tx: Tx, newsletterId: string, importId: string): Promise<string[]> {
  await tx.$executeRaw`
    SELECT FROM import_left l JOIN subscribers s ON s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id
    WHERE l.import_id = ${importId}::uuid AND l.named_version IS NOT NULL ORDER BY s.id FOR UPDATE OF s`;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    UPDATE subscribers s SET first_name = '', last_name = '', version = s.version + 1
    FROM import_left l
    WHERE l.import_id = ${importId}::uuid AND s.newsletter_id = ${newsletterId}::uuid AND s.id = l.subscriber_id
      AND s.version = l.named_version
    RETURNING s.id`;
  return rows.map((row) => row.id);
}
