import { newsletterGraveDays } from "../../kernel/spans";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { deleteRows } from "../../platform/db/delete-rows";

/**
 * Archives a newsletter, and cancels what mails many; one that is archived keeps its time.
 * @param removed it is deleted: removed with its people in 30 days
 * @returns when it is removed; null: never
 */
export async function closeNewsletter(tx: Tx, id: string, removed: boolean): Promise<Date | null> {
  await tx.$executeRaw`
    UPDATE mailings SET cancelled_at = now()
    WHERE newsletter_id = ${id}::uuid AND released_at IS NULL AND cancelled_at IS NULL`;
  const [row] = await tx.$queryRaw<{ removeAt: Date | null }[]>`
    UPDATE newsletters SET archived_at = coalesce(archived_at, now()),
      remove_at = CASE WHEN ${removed} THEN coalesce(remove_at, now() + make_interval(days => ${newsletterGraveDays}::int)) END
    WHERE id = ${id}::uuid RETURNING remove_at AS "removeAt"`;
  return row?.removeAt ?? null;
}

/** Opens an archived or deleted newsletter again. @returns false when it is open, or being removed */
export async function reopenNewsletter(tx: Tx, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE newsletters SET archived_at = NULL, remove_at = NULL
    WHERE id = ${id}::uuid AND archived_at IS NOT NULL AND (remove_at IS NULL OR remove_at > now())`;
  return count > 0;
}

/** The deleted newsletters whose time has come. */
export function listToRemove(db: Db): Promise<{ id: string; accountId: string; name: string }[]> {
  return db.$queryRaw<{ id: string; accountId: string; name: string }[]>`
    SELECT id, account_id AS "accountId", name FROM newsletters WHERE remove_at <= now() ORDER BY remove_at, id`;
}

type Whose = (id: string) => Prisma.Sql;
const itsOwn: Whose = (id) => Prisma.sql`newsletter_id = ${id}::uuid`;
const ofRows =
  (column: string, table: string): Whose =>
  (id) =>
    Prisma.sql`${Prisma.raw(column)} IN (SELECT id FROM ${Prisma.raw(table)} WHERE ${itsOwn(id)})`;

/**
 * What a newsletter has much of, and how a row is the newsletter's; the rest goes with its own row. Who is told of changes goes
 * first, so that nobody is told of each person's end; people before their digests, which they would leave.
 */
const parts: [table: string, whose: Whose][] = [
  ["webhook_messages", ofRows("endpoint_id", "webhook_endpoints")],
  ["webhook_endpoints", itsOwn],
  ["subscribers", itsOwn],
  ["suppressions", itsOwn],
  ["mails", itsOwn],
  ["bulk_action_changes", ofRows("bulk_action_id", "bulk_actions")],
  ["import_rows", ofRows("import_id", "imports")],
  ["import_rejected", ofRows("import_id", "imports")],
  ["import_unchanged", ofRows("import_id", "imports")],
  ["imports", itsOwn],
  ["idempotent_answers", ofRows("api_key_id", "api_keys")],
  ["api_keys", itsOwn],
  ["api_requests", itsOwn],
  ["changes", itsOwn],
];

/** People and their mails have rows in six tables. */
const ROWS = 1_000;

/** Deletes what a newsletter that is being removed has, so many rows at a time. @returns false when it was cut short */
export async function removeParts(db: Db, id: string, closing?: AbortSignal): Promise<boolean> {
  for (const [table, whose] of parts) {
    const removeSome = deleteRows(table, whose(id));
    while (!closing?.aborted && (await removeSome(db, ROWS)) > 0);
  }
  return !closing?.aborted;
}

/** Deletes the row of a newsletter, and the little that is left with it. @returns false when another process has */
export async function deleteNewsletterRow(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.newsletter.deleteMany({ where: { id } });
  return count > 0;
}
