import { bulkUndoHours } from "../../kernel/durations";
import { cancelMails } from "../../mail/shared-queries";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { conditionOf, type PeopleFilter, type ResolvedFilter } from "../../subscribers/shared-queries";
import {
  type BulkActionKind,
  type BulkActionState,
  type SkippedCounts,
  undoableBulkKinds,
} from "../schema/bulk-actions";
import type { StoredChange } from "./bulk-changes";

export type BulkActionRow = {
  id: string;
  newsletterId: string;
  accountId: string;
  staffId: string | null;
  /** The name of the staff member; null after they were removed. */
  by: string | null;
  kind: BulkActionKind;
  /** The people who match every one of these filters. Null: people were selected one by one. */
  filter: ResolvedFilter[] | null;
  change: StoredChange | null;
  state: BulkActionState;
  /** The number of people in the target. */
  total: number;
  done: number;
  skipped: SkippedCounts;
  after: string | null;
  /** The number of people that the undo restored. */
  undone: number;
  undoId: string | null;
  error: string | null;
  /** The deadline for an undo; null: the action can't be undone. */
  undoUntil: Date | null;
};

/** How long an action can be undone, and how long its undo data is stored. */
const UNDO = Prisma.sql`make_interval(hours => ${bulkUndoHours}::int)`;

// A merged or deleted tag is hidden before any person is changed.
const undoable = Prisma.sql`
  a.kind = ANY (${[...undoableBulkKinds]}) AND (a.done > 0 OR a.kind = 'retag') AND a.state IN ('done', 'cancelled', 'failed') AND a.ended_at > now() - ${UNDO}`;

// Actions that merged, copied or moved people in earlier versions are left out.
const selected = Prisma.sql`
  SELECT a.id, a.newsletter_id AS "newsletterId", n.account_id AS "accountId", a.staff_id AS "staffId", m.name AS by,
    a.kind, a.filter, a.change, a.state, a.total, a.done, a.skipped, a.after, a.undone, a.undo_id AS "undoId", a.error,
    CASE WHEN ${undoable} THEN a.ended_at + ${UNDO} END AS "undoUntil"
  FROM bulk_actions a JOIN newsletters n ON n.id = a.newsletter_id AND a.kind NOT IN ('merge', 'copy', 'move') LEFT JOIN staff_members m ON m.id = a.staff_id`;

type NewBulkAction = Pick<BulkActionRow, "id" | "newsletterId" | "staffId" | "kind" | "filter" | "total"> & {
  change?: StoredChange | null;
  ids: string[] | null;
  /** Subscribers with this id and higher ids are excluded; null: all are included. */
  below: string | null;
};

export async function insertBulkAction(tx: Db | Tx, action: NewBulkAction): Promise<void> {
  const [filter, change] = [action.filter, action.change].map((part) => part && JSON.stringify(part));
  // Raw: Prisma cannot write NULL for a list, and one of filter and ids must be.
  await tx.$executeRaw`
    INSERT INTO bulk_actions (id, newsletter_id, staff_id, kind, change, filter, ids, state, total, after)
    VALUES (${action.id}::uuid, ${action.newsletterId}::uuid, ${action.staffId}::uuid, ${action.kind}, ${change ?? null}::jsonb,
      ${filter}::jsonb, ${action.ids}::uuid[], 'running', ${action.total}::int, ${action.below}::uuid)`;
}

export async function findBulkAction(
  db: Db | Tx,
  newsletterId: string,
  id: string,
): Promise<BulkActionRow | null> {
  const rows = await db.$queryRaw<BulkActionRow[]>`
    ${selected} WHERE a.newsletter_id = ${newsletterId}::uuid AND a.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** All actions under way, and those of this staff member that ended in the last day and were not dismissed. */
export async function listCurrent(db: Db, newsletterId: string, staffId: string): Promise<BulkActionRow[]> {
  return db.$queryRaw<BulkActionRow[]>`
    ${selected} WHERE a.newsletter_id = ${newsletterId}::uuid AND a.created_at > now() - interval '30 days'
      AND (a.state IN ('running', 'undoing')
        OR (a.staff_id = ${staffId}::uuid AND a.seen_at IS NULL AND a.ended_at > now() - ${UNDO}))
    ORDER BY a.id DESC LIMIT 5`;
}

/** Whether an action under way, or an undo, has a tag in its change or in the conditions of its filter. */
export async function isTagInUse(tx: Tx, newsletterId: string, number: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM bulk_actions WHERE newsletter_id = ${newsletterId}::uuid AND state IN ('running', 'undoing')
      AND (change -> 'tags' @> to_jsonb(${number}::int) OR jsonb_path_exists(filter,
        '$[*].*[*] ? (@.about == "tag").is[*] ? (@ == $number)', jsonb_build_object('number', ${number}::int)))
    LIMIT 1`;
  return rows.length > 0;
}

/** The bulk actions among these that can be undone now. */
export async function listUndoable(db: Db, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT a.id FROM bulk_actions a WHERE a.id = ANY (${ids}::uuid[]) AND ${undoable}`;
  return rows.map((row) => row.id);
}

/**
 * Locks an action until the transaction ends, to continue it from where it was read.
 * @returns false when it has ended or continued since
 */
export async function lockBulkAction(tx: Tx, { id, state, after }: BulkActionRow): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM bulk_actions WHERE id = ${id}::uuid AND state = ${state} AND after IS NOT DISTINCT FROM ${after}::uuid
    FOR UPDATE`;
  return rows.length > 0;
}

/** The next selected people, highest ids first. */
export async function nextSelected(db: Db, { id, after }: BulkActionRow, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT chosen.id FROM bulk_actions a, unnest(a.ids) AS chosen (id)
    WHERE a.id = ${id}::uuid AND (${after}::uuid IS NULL OR chosen.id < ${after}::uuid) ORDER BY chosen.id DESC LIMIT ${limit}`;
  return rows.map((row) => row.id);
}

/** The locked subscribers who still match. Somebody may have confirmed since the page was read. */
export async function findStillMatching(tx: Tx, filter: PeopleFilter, ids: string[]): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM subscribers s WHERE ${conditionOf(filter, "list")} AND s.id = ANY (${ids}::uuid[])`;
  return new Set(rows.map((row) => row.id));
}

/** Saves the progress of a chunk, in its transaction. @param after null: this was the last chunk */
export async function saveProgress(
  tx: Tx,
  id: string,
  { done, skipped, after }: { done: number; skipped: SkippedCounts; after: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET done = done + ${done}::int, after = coalesce(${after}::uuid, after),
      skipped = (
        SELECT coalesce(jsonb_object_agg(reason, people), '{}') FROM (
          SELECT key AS reason, sum(value::int) AS people
          FROM (SELECT * FROM jsonb_each_text(skipped) UNION ALL SELECT * FROM jsonb_each_text(${JSON.stringify(skipped)}::jsonb)) AS parts
          GROUP BY key
        ) AS sums
      ),
      state = CASE WHEN ${after}::uuid IS NULL THEN 'done' ELSE state END,
      ended_at = CASE WHEN ${after}::uuid IS NULL THEN now() END
    WHERE id = ${id}::uuid`;
}

/** Saves the progress of an undo's chunk. @param after null: this was the last chunk */
export async function saveUndoProgress(
  tx: Tx,
  id: string,
  { undone, after }: { undone: number; after: string | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET undone = undone + ${undone}::int, after = coalesce(${after}::uuid, after),
      state = CASE WHEN ${after}::uuid IS NULL THEN 'undone' ELSE state END
    WHERE id = ${id}::uuid`;
}

/** Stops an action between two chunks. */
export async function endBulkAction(tx: Db | Tx, newsletterId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET state = 'cancelled', ended_at = now()
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'running'`;
}

/** Ends a bulk confirmation as undone when all its mails are cancelled, whether or not it was under way. */
export async function endAsUndone(tx: Tx, newsletterId: string, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE bulk_actions SET state = 'undone', undone = done, ended_at = coalesce(ended_at, now())
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND kind = 'confirm' AND state NOT IN ('undoing', 'undone')`;
}

/**
 * Starts the undo of an action, once. The staff member who undoes it then owns it.
 * @returns whether this transaction started it
 */
export async function beginUndo(
  tx: Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
  { staffId, undoId }: { staffId: string | null; undoId: string },
): Promise<boolean> {
  const begun = await tx.$executeRaw`
    UPDATE bulk_actions a SET state = 'undoing', undo_id = ${undoId}::uuid, after = NULL, error = NULL,
      staff_id = ${staffId}::uuid, seen_at = NULL
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND ${undoable}`;
  return begun === 1;
}

/** Dismisses a summary for the staff member who started the action. */
export async function dismissSummary(
  db: Db | Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
  staffId: string,
): Promise<void> {
  await db.bulkAction.updateMany({ where: { id, newsletterId, staffId }, data: { seenAt: new Date() } });
}

/** The next subscribers that an action changed, by id, from the position of its undo. */
export async function nextChanged(tx: Tx, { id, after }: BulkActionRow, limit: number): Promise<string[]> {
  const rows = await tx.bulkActionChange.findMany({
    where: { bulkActionId: id, ...(after && { subscriberId: { gt: after } }) },
    orderBy: { subscriberId: "asc" },
    take: limit,
    select: { subscriberId: true },
  });
  return rows.map((row) => row.subscriberId);
}

/**
 * Cancels the confirmations of an action to these subscribers that are not being sent yet.
 * @returns the ids of their subscribers
 */
export async function cancelWritten(
  tx: Tx,
  { id, newsletterId }: BulkActionRow,
  ids: string[],
): Promise<string[]> {
  const cancelled = await cancelMails(
    tx,
    Prisma.sql`m.newsletter_id = ${newsletterId}::uuid AND m.state IN ('waiting', 'deferred', 'logged')
      AND m.id IN (SELECT c.mail_id FROM bulk_action_changes c
        WHERE c.bulk_action_id = ${id}::uuid AND c.subscriber_id = ANY (${ids}::uuid[]))`,
  );
  return cancelled.flatMap(({ subscriberId }) => subscriberId ?? []);
}
