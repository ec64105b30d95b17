import { webhookKeptDays } from "../../events/schema/webhooks";
import { changesKeptDays, endedInvitationDays, idempotencyHours } from "../../kernel/durations";
import { type Db, Prisma } from "../../platform/db/client";
import { deleteRows } from "../../platform/db/delete-rows";
import { clearDeletedFields } from "../../subscribers/shared-queries";

/** Long transactions count in rows of their own, from 100 on; they are added to one that nobody else touches, and so waits for. */
const FOLDED = 99;

/**
 * @param key the columns that tell such rows apart, beside the shard; static text
 * @param ended which rows of other shards nobody adds to any more
 */
function fold(table: string, key: string, counted = ["people"], ended = Prisma.sql`false`) {
  const [name, columns] = [Prisma.raw(table), Prisma.raw(key)];
  const each = (of: (column: string) => string) => Prisma.raw(counted.map(of).join(", "));
  return (db: Db, rows: number) => db.$executeRaw`
    WITH gone AS (
      DELETE FROM ${name} WHERE ctid IN (
        SELECT ctid FROM ${name} WHERE shard > ${FOLDED} OR (shard < ${FOLDED} AND ${ended}) LIMIT ${rows} FOR UPDATE SKIP LOCKED)
      RETURNING *
    ), summed AS (
      INSERT INTO ${name} AS c (${columns}, shard, ${each((one) => one)})
      SELECT ${columns}, ${FOLDED}, ${each((one) => `sum(${one})`)} FROM gone GROUP BY ${columns} ORDER BY ${columns}
      ON CONFLICT (${columns}, shard) DO UPDATE SET ${each((one) => `${one} = c.${one} + excluded.${one}`)}
    )
    SELECT FROM gone`;
}

/** So many days ago. */
const ago = (days: number) => Prisma.sql`now() - make_interval(days => ${days}::int)`;
/** Rows of an import that is not this any more. */
const noImport = (table: string, condition: Prisma.Sql) =>
  Prisma.sql`NOT EXISTS (SELECT FROM imports i WHERE i.id = ${Prisma.raw(table)}.import_id AND ${condition})`;
const endedAfter = (days: number) => Prisma.sql`coalesce(i.ended_at, now()) > ${ago(days)}`;

/** What grows without end unless it is deleted: how, a bounded number of rows at a time. */
const chores: Record<string, (db: Db, rows: number) => Promise<number>> = {
  "responses stored for Idempotency-Key": deleteRows(
    "idempotent_answers",
    Prisma.sql`created_at < now() - make_interval(hours => ${idempotencyHours}::int)`,
  ),
  "logged API requests": deleteRows("api_requests", Prisma.sql`id < uuid_at(${ago(30)})`),
  // Where the deletion has come to is noted with it: a reader who is not beyond that is told.
  "changes of the change feed": (db, rows) => db.$executeRaw`
    WITH gone AS (
      DELETE FROM changes WHERE ctid IN (
        SELECT old.ctid FROM newsletters n CROSS JOIN LATERAL (
          SELECT c.ctid, c.at FROM changes c WHERE c.newsletter_id = n.id ORDER BY c.xid, c.subscriber_id LIMIT ${rows}
        ) old WHERE old.at < ${ago(changesKeptDays)} LIMIT ${rows}
      ) RETURNING xid
    ), noted AS (UPDATE change_epoch SET floor = greatest(floor, (SELECT max(xid) FROM gone)))
    SELECT FROM gone`,
  "messages of webhooks": deleteRows(
    "webhook_messages",
    Prisma.sql`created_at < ${ago(webhookKeptDays)} AND (state <> 'waiting' OR EXISTS (
      SELECT FROM webhook_endpoints e WHERE e.id = endpoint_id AND e.off_reason IS NOT NULL))`,
  ),
  "invitations that ended long ago": deleteRows(
    "invitations",
    Prisma.sql`expires_at < ${ago(endedInvitationDays)}`,
  ),
  "test mails": deleteRows("mails", Prisma.sql`staff_id IS NOT NULL AND created_at < ${ago(30)}`),
  // Longer than the provider repeats them.
  "mail reports": deleteRows("mail_reports", Prisma.sql`received_at < ${ago(3)}`),
  "throttle times of confirmations": deleteRows(
    "mail_throttle",
    Prisma.sql`allowed_at[array_upper(allowed_at, 1)] < ${ago(1)}`,
  ),
  "daily counts of past days": deleteRows(
    "mail_budgets",
    Prisma.sql`day < ((${ago(1)}) AT TIME ZONE 'UTC')::date`,
  ),
  "finished batches of mails": deleteRows("mail_batches", Prisma.sql`finished_at < ${ago(30)}`),
  "unused uploads and import plans": deleteRows(
    "imports",
    Prisma.sql`state IN ('uploading', 'planned') AND created_at < ${ago(1)}`,
  ),
  // What an import writes it has written when it ends; what it did not write is planned anew.
  "rows of ended imports": deleteRows(
    "import_rows",
    noImport("import_rows", Prisma.sql`i.state IN ('uploading', 'planned', 'running')`),
  ),
  "rejected lines of imports": deleteRows("import_rejected", noImport("import_rejected", endedAfter(30))),
  "addresses in import notes": (db, rows) => db.$executeRaw`
    UPDATE imports SET changes = '[]', emptied_at = now() WHERE id IN (
      SELECT id FROM imports WHERE emptied_at IS NULL AND ended_at < ${ago(30)} LIMIT ${rows})`,
  "people that imports left unchanged": deleteRows(
    "import_unchanged",
    noImport("import_unchanged", endedAfter(90)),
  ),
  "counts of long transactions": fold("subscriber_counts", "newsletter_id, status"),
  "counts of the search index, of long transactions": fold(
    "people_search_counts",
    "newsletter_id, source, status",
  ),
  "counts by time, of long transactions": fold("people_added", "newsletter_id, quarter"),
  "active people by time": fold(
    "people_active",
    "newsletter_id, quarter",
    ["became", "stopped"],
    Prisma.sql`quarter < ${ago(2)}`,
  ),
  "undo data": (db, rows) => db.$executeRaw`
    DELETE FROM bulk_action_changes WHERE ctid IN (
      SELECT c.ctid FROM bulk_action_changes c JOIN bulk_actions r ON r.id = c.bulk_action_id
      WHERE r.state = 'undone' OR (r.ended_at < ${ago(1)} AND r.state <> 'undoing') LIMIT ${rows})`,
  "ended bulk actions": deleteRows("bulk_actions", Prisma.sql`ended_at < ${ago(30)} AND state <> 'undoing'`),
  "sent or cancelled mailings": deleteRows("mailings", Prisma.sql`due_at < ${ago(30)}`),
  "sign-in attempts of staff": deleteRows(
    "staff_tries",
    Prisma.sql`tried_at < ${ago(1)} AND next_at < now()`,
  ),
  "links and codes for staff": deleteRows("staff_verifications", Prisma.sql`expires_at < ${ago(1)}`),
  "values of deleted fields": (db) => clearDeletedFields(db),
  "ended staff sessions": deleteRows("staff_sessions", Prisma.sql`expires_at < ${ago(1)}`),
};

const ROWS = 5_000;

/**
 * Deletes what has had its time. Small statements, so that nobody waits for one; several processes may do it at once.
 * @returns rows removed, by what they were
 */
export async function deleteExpired(db: Db): Promise<Record<string, number>> {
  const removed: Record<string, number> = {};
  for (const [what, chore] of Object.entries(chores)) {
    for (;;) {
      const rows = await chore(db, ROWS);
      if (rows > 0) removed[what] = (removed[what] ?? 0) + rows;
      if (rows < ROWS) break;
    }
  }
  return removed;
}
