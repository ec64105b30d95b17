import type { SkipReason } from "../contract/bulk-actions";
import type { Status } from "../domain/status-moves";
import { type Db, Prisma, type Tx } from "./client";
import { conditionOf, type PeopleFilter } from "./people-filter";
import { textArray } from "./text-array";

/** Who is meant, of the newsletter that they are copied from. */
export type CopiedPeople = { newsletterId: string } & ({ filter: PeopleFilter } | { ids: string[] });

/** Whether an address is suppressed; where a newsletter has no suppression no digest is computed. */
const isSuppressed = (newsletterId: string, canonical: Prisma.Sql) => Prisma.sql`(
  EXISTS (SELECT FROM suppressions WHERE newsletter_id = ${newsletterId}::uuid)
  AND EXISTS (SELECT FROM suppressions
    WHERE newsletter_id = ${newsletterId}::uuid AND digest = address_digest(${newsletterId}::uuid, ${canonical})))`;

/** People with the reason why they would not be copied; null: they would. As `copyMany` decides it. */
function comparedWith(of: CopiedPeople, to: string): Prisma.Sql {
  const { newsletterId } = of;
  const which =
    "ids" in of
      ? Prisma.sql`s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${of.ids}::uuid[])`
      : conditionOf(of.filter, "list");
  return Prisma.sql`
    SELECT s.status, s.tags, CASE
      WHEN s.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
      WHEN ${isSuppressed(newsletterId, Prisma.sql`s.email_canonical`)} THEN 'not_to_be_mailed'
      WHEN o.id IS NOT NULL THEN CASE WHEN o.unsubscribed_at IS NULL THEN 'already' ELSE 'unsubscribed_there' END
      WHEN ${isSuppressed(to, Prisma.sql`s.email_canonical`)} THEN 'suppressed_there'
      END AS reason
    FROM subscribers s LEFT JOIN subscribers o ON o.newsletter_id = ${to}::uuid AND o.email_canonical = s.email_canonical
    WHERE ${which}`;
}

/** How many people of each status would be copied (reason null), or not. */
export function countCopied(
  db: Db,
  of: CopiedPeople,
  to: string,
): Promise<{ status: Status; reason: SkipReason | null; people: number }[]> {
  return db.$queryRaw<{ status: Status; reason: SkipReason | null; people: number }[]>`
    SELECT status, reason, count(*)::int AS people FROM (${comparedWith(of, to)}) AS compared GROUP BY 1, 2`;
}

/** The numbers, here, of the tags of those who would be copied. */
export async function findCopiedTags(db: Db, of: CopiedPeople, to: string): Promise<number[]> {
  const rows = await db.$queryRaw<{ tag: number }[]>`
    SELECT DISTINCT unnest(tags) AS tag FROM (${comparedWith(of, to)}) AS compared WHERE reason IS NULL AND tags IS NOT NULL`;
  return rows.map(({ tag }) => tag);
}

/** Of these canonical addresses those that a newsletter has, and whether the person has left and not come back. */
export async function findThere(
  tx: Tx,
  newsletterId: string,
  canonicals: string[],
): Promise<Map<string, { id: string; left: boolean }>> {
  const rows = await tx.$queryRaw<{ canonical: string; id: string; left: boolean }[]>`
    SELECT email_canonical AS canonical, id, unsubscribed_at IS NOT NULL AS left FROM subscribers
    WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ANY (${textArray(canonicals)}::text[])`;
  return new Map(rows.map(({ canonical, ...person }) => [canonical, person]));
}

/** Remembers whom a copy added, in the state in which it left them, for its undo. */
export async function rememberCopies(
  tx: Tx,
  id: string,
  copies: { id: string; status: Status; mailId: string | null }[],
): Promise<void> {
  await tx.bulkActionChange.createMany({
    data: copies.map(({ id: subscriberId, status, mailId }) => ({
      bulkActionId: id,
      subscriberId,
      was: status,
      version: 1,
      mailId,
    })),
  });
}

/** Stops the action that copies people to this newsletter, where it is under way: the mails that it causes are cancelled. */
export async function endCopy(tx: Tx, newsletterId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET state = 'cancelled', ended_at = now()
    WHERE id = ${id}::uuid AND kind IN ('copy', 'move') AND state = 'running' AND change #>> '{copy,to}' = ${newsletterId}`;
}
