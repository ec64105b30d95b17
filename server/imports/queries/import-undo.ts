import { redactMessages } from "../../events/about-people";
import { cancelMails } from "../../mail/shared-queries";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type NewSuppressionRow, suppressionOf } from "../../suppressions/shared-queries";
import type { Undone } from "../schema/imports";
import { isUndoable } from "./imports";

/**
 * Counts what an undo would do now. A subscriber at version 1 has not changed since the import. Each OFFSET keeps the
 * planner, which may not know the new people yet, from comparing all of them with all mails.
 */
export async function countUndo(db: Db, newsletterId: string, importId: string): Promise<Undone> {
  const [row] = await db.$queryRaw<Undone[]>`
    SELECT count(*) FILTER (WHERE s.version = 1)::int AS people, count(*) FILTER (WHERE s.version > 1)::int AS stayed,
      count(*) FILTER (WHERE s.version = 1 AND s.status = 'unsubscribed')::int AS "optOuts",
      (SELECT count(*)::int FROM (
          SELECT * FROM mails WHERE newsletter_id = ${newsletterId}::uuid AND state IN ('waiting', 'deferred') OFFSET 0
        ) AS m CROSS JOIN LATERAL (
          SELECT * FROM subscribers WHERE newsletter_id = m.newsletter_id AND id = m.subscriber_id OFFSET 0
        ) AS a WHERE a.source = 'import' AND a.source_id = ${importId}::uuid AND a.created_at = m.created_at) AS mails
    FROM subscribers s
    WHERE s.source = 'import' AND s.source_id = ${importId}::uuid AND s.newsletter_id = ${newsletterId}::uuid`;
  return row ?? { people: 0, stayed: 0, mails: 0, optOuts: 0 };
}

/** done → undoing, within the time limit. @returns whether this transaction made the change */
export async function claimUndo(tx: Tx, newsletterId: string, importId: string): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    UPDATE imports SET state = 'undoing', error = NULL
    WHERE id = ${importId}::uuid AND newsletter_id = ${newsletterId}::uuid AND ${isUndoable}`;
  return claimed === 1;
}

/**
 * Tells the database's triggers which import this transaction undoes. They then allow removing people it added as
 * unsubscribed.
 */
export async function setUndoneImport(tx: Tx, importId: string): Promise<void> {
  await tx.$executeRaw`SELECT set_config('rollcall.undone_import', ${importId}, true)`;
}

/** Locks the next imported people who have not changed since. @returns their ids, in order */
export async function lockUnchanged(
  tx: Tx,
  newsletterId: string,
  importId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscribers
    WHERE source = 'import' AND source_id = ${importId}::uuid AND newsletter_id = ${newsletterId}::uuid
      AND version = 1 AND id > ${after}::uuid
    ORDER BY id LIMIT ${limit}::int FOR UPDATE`;
  return rows.map((row) => row.id);
}

/** The opt-outs that an import added with these people, as suppressions that outlive the people. */
export async function readImportedOptOuts(
  tx: Tx,
  newsletterId: string,
  { importId, ids }: { importId: string; ids: string[] },
): Promise<NewSuppressionRow[]> {
  return tx.$queryRaw<NewSuppressionRow[]>`
    SELECT s.newsletter_id AS "newsletterId", s.email, s.email_canonical AS "emailCanonical", coalesce(x.reason, 'unsubscribed') AS reason,
      'import' AS source, ${importId}::uuid AS "sourceId", s.unsubscribed_at AS at
    FROM subscribers s LEFT JOIN ${suppressionOf(Prisma.sql`s.newsletter_id`, Prisma.sql`s.email_canonical`)}
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) AND s.status = 'unsubscribed'`;
}

/** Removes the suppressions that an import added with these people. Suppressions for later reasons stay. */
export async function deleteBroughtSuppressions(
  tx: Tx,
  newsletterId: string,
  { importId, ids }: { importId: string; ids: string[] },
): Promise<void> {
  // One look-up for each person, because statistics may be missing.
  await tx.$executeRaw`
    DELETE FROM suppressions WHERE ctid = ANY (ARRAY(
      SELECT x.ctid FROM unnest(${ids}::uuid[]) AS person (id)
      CROSS JOIN LATERAL (SELECT email_canonical FROM subscribers
        WHERE newsletter_id = ${newsletterId}::uuid AND id = person.id AND status = 'unsubscribed' OFFSET 0) s
      CROSS JOIN LATERAL (SELECT ctid FROM suppressions
        WHERE newsletter_id = ${newsletterId}::uuid AND digest = address_digest(${newsletterId}::uuid, s.email_canonical)
          AND source = 'import' AND source_id = ${importId}::uuid OFFSET 0) x))`;
}

/** Deletes people and their emails. @returns the number of unsent emails */
export async function deleteWithMails(tx: Tx, newsletterId: string, ids: string[]): Promise<number> {
  // Emails first: the foreign keys would delete them one by one. By ctid, because statistics may be missing.
  const [mails] = await tx.$queryRaw<{ unsent: number }[]>`
    WITH gone AS (
      DELETE FROM mails WHERE ctid = ANY (ARRAY(
        SELECT m.ctid FROM unnest(${ids}::uuid[]) AS person (id) CROSS JOIN LATERAL (
          SELECT ctid FROM mails WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = person.id OFFSET 0) m))
      RETURNING state
    )
    SELECT count(*) FILTER (WHERE state IN ('waiting', 'deferred'))::int AS unsent FROM gone`;
  await tx.$executeRaw`
    DELETE FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ANY (${ids}::uuid[])`;
  await redactMessages(tx, ids);
  return mails?.unsent ?? 0;
}

/** Cancels the import's unsent emails to people who stay. @returns the number of cancelled emails */
export async function cancelOwnMails(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  const cancelled = await cancelMails(
    tx,
    Prisma.sql`m.state IN ('waiting', 'deferred') AND m.ctid = ANY (ARRAY(
      SELECT own.ctid FROM subscribers s CROSS JOIN LATERAL (
        SELECT ctid FROM mails WHERE newsletter_id = s.newsletter_id AND subscriber_id = s.id
          AND created_at = s.created_at AND state IN ('waiting', 'deferred') OFFSET 0) own
      WHERE s.source = 'import' AND s.source_id = ${importId}::uuid AND s.newsletter_id = ${newsletterId}::uuid))`,
  );
  return cancelled.length;
}

/** Counts imported people who are still on the list. */
export async function countRemaining(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ stayed: number }[]>`
    SELECT count(*)::int AS stayed FROM subscribers
    WHERE source = 'import' AND source_id = ${importId}::uuid AND newsletter_id = ${newsletterId}::uuid`;
  return row?.stayed ?? 0;
}

/**
 * undoing → undone, in the transaction that removes the people. Every other end updates the same row, so exactly one
 * wins.
 * @returns false if another end came first; the caller must then roll back
 */
export async function finishUndo(tx: Tx, importId: string, undone: Undone): Promise<boolean> {
  const done = await tx.$executeRaw`
    UPDATE imports SET state = 'undone', written = rows, undone = ${JSON.stringify(undone)}::jsonb
    WHERE id = ${importId}::uuid AND state = 'undoing'`;
  return done === 1;
}
