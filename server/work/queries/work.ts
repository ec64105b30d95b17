import type { BulkActionKind } from "../../bulk-actions/schema/bulk-actions";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

/** A running import or bulk action, or a running undo. */
export type Work = {
  id: string;
  newsletterId: string;
  accountId: string;
  kind: "import" | BulkActionKind;
  state: "running" | "undoing";
};

/** Imports and bulk actions keep state and progress in their own tables; this query reads both alike. */
const work = Prisma.sql`(
  SELECT id, newsletter_id, 'import' AS kind, state FROM imports WHERE state IN ('running', 'undoing')
  UNION ALL SELECT id, newsletter_id, kind, state FROM bulk_actions WHERE state IN ('running', 'undoing')) AS w`;

/** @returns null when the work has ended */
export async function findWork(db: Db, id: string): Promise<Work | null> {
  const rows = await db.$queryRaw<Work[]>`
    SELECT w.id, w.newsletter_id AS "newsletterId", n.account_id AS "accountId", w.kind, w.state
    FROM ${work} JOIN newsletters n ON n.id = w.newsletter_id WHERE w.id = ${id}::uuid`;
  return rows[0] ?? null;
}

export async function hasWork(tx: Tx, newsletterId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ busy: boolean }[]>`
    SELECT EXISTS (SELECT FROM ${work} WHERE w.newsletter_id = ${newsletterId}::uuid) AS busy`;
  return row?.busy ?? false;
}

/** Ends running work as failed. An import with a failed undo is done, as before the undo. */
export async function failWork(db: Db, { id, kind, state }: Work, error: string): Promise<void> {
  if (kind === "import")
    await db.$executeRaw`
      UPDATE imports SET state = CASE state WHEN 'undoing' THEN 'done' ELSE 'failed' END, error = ${error},
        written = CASE state WHEN 'undoing' THEN rows ELSE 0 END, ended_at = coalesce(ended_at, now())
      WHERE id = ${id}::uuid AND state = ${state}`;
  else
    await db.$executeRaw`
      UPDATE bulk_actions SET state = 'failed', error = ${error}, ended_at = coalesce(ended_at, now())
      WHERE id = ${id}::uuid AND state = ${state}`;
}
