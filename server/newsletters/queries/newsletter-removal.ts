import { newsletterRestoreDays } from "../../kernel/durations";
import { type Db, deleteRows, Prisma, type Tx, withRetry } from "../../platform/db/client";

/**
 * Archives a newsletter and cancels its unreleased mailings. An archived newsletter keeps its archive time.
 * @param removed whether the newsletter is deleted, so removed with its people in 30 days
 * @returns the removal date; null: never
 */
export async function closeNewsletter(tx: Tx, id: string, removed: boolean): Promise<Date | null> {
  await tx.$executeRaw`
    UPDATE mailings SET cancelled_at = now()
    WHERE newsletter_id = ${id}::uuid AND released_at IS NULL AND cancelled_at IS NULL`;
  const [row] = await tx.$queryRaw<{ removeAt: Date | null }[]>`
    UPDATE newsletters SET archived_at = coalesce(archived_at, now()),
      remove_at = CASE WHEN ${removed} THEN coalesce(remove_at, now() + make_interval(days => ${newsletterRestoreDays}::int)) END
    WHERE id = ${id}::uuid RETURNING remove_at AS "removeAt"`;
  return row?.removeAt ?? null;
}

/** Restores an archived or deleted newsletter. @returns false when the newsletter is open or being removed */
export async function reopenNewsletter(tx: Tx, id: string): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE newsletters SET archived_at = NULL, remove_at = NULL
    WHERE id = ${id}::uuid AND archived_at IS NOT NULL AND (remove_at IS NULL OR remove_at > now())`;
  return count > 0;
}

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
 * The large tables of a newsletter, with the condition for its rows. Small tables cascade from the newsletter's row.
 * The order matters. Webhook endpoints go first, so that no webhook reports each person's removal. Subscribers go
 * before suppressions, because erasing a subscriber leaves a digest there.
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

/** A small batch, since people and their emails have rows in six tables. */
const ROWS = 1_000;

/** Deletes a newsletter's rows in batches. @returns false when `closing` aborted the removal */
export async function removeParts(db: Db, id: string, closing?: AbortSignal): Promise<boolean> {
  for (const [table, whose] of parts) {
    const removeSome = deleteRows(table, whose(id));
    while (!closing?.aborted && (await withRetry(() => removeSome(db, ROWS))) > 0);
  }
  return !closing?.aborted;
}

/** Deletes a newsletter's row; its remaining rows cascade. @returns false when another process deleted the row first */
export async function deleteNewsletterRow(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx.newsletter.deleteMany({ where: { id } });
  return count > 0;
}
