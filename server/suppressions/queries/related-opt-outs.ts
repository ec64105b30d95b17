import { throttleKey } from "../../kernel/email";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";

/**
 * SQL for the new people whose mailbox has opted out under another spelling. It is inlined, because a database function
 * takes ten times as long.
 * @param people SQL of rows with the columns newsletter_id and mailbox
 */
export const relatedOptOuts = (people: Prisma.Sql) => Prisma.sql`
  SELECT n.* FROM (SELECT * FROM ${people} OFFSET 0) AS n CROSS JOIN suppression_keys k
  WHERE (SELECT 1 FROM subscribers s WHERE s.newsletter_id = n.newsletter_id AND mailbox_of(s.email_canonical) = n.mailbox
      AND s.unsubscribed_at IS NOT NULL LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM suppressions x WHERE x.newsletter_id = n.newsletter_id
      AND x.mailbox_digest = keyed_digest(k, n.newsletter_id, n.mailbox) LIMIT 1) IS NOT NULL`;

/**
 * How many people an import would add as active although another spelling of their address has opted out, and the first
 * of their addresses.
 */
export async function listRelatedOptOuts(
  tx: Tx,
  { newsletterId, importId }: { newsletterId: string; importId: string },
  limit: number,
): Promise<{ people: number; first: string[] }> {
  // The index uses the default collation.
  const planned = Prisma.sql`(SELECT ${newsletterId}::uuid AS newsletter_id, mailbox_of(email_canonical COLLATE "default") AS mailbox, email, line
    FROM import_rows WHERE import_id = ${importId}::uuid AND outcome = 'new_active') AS planned`;
  const rows = await tx.$queryRaw<{ email: string; people: number }[]>`
    SELECT email, count(*) OVER ()::int AS people FROM (${relatedOptOuts(planned)}) AS related ORDER BY line LIMIT ${limit}::int`;
  return { people: rows[0]?.people ?? 0, first: rows.map(({ email }) => email) };
}

/** The number of these canonical addresses, of new people, with an opt-out of another spelling. */
export async function countRelatedOptOuts(
  db: Db | Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<number> {
  const given = Prisma.sql`(SELECT ${newsletterId}::uuid AS newsletter_id, mailbox
    FROM unnest(${textArray(canonicals.map(throttleKey))}::text[]) AS mailbox) AS given`;
  const [row] = await db.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM (${relatedOptOuts(given)}) AS related`;
  return row?.people ?? 0;
}
