import { requestsKeptDays } from "../../api-keys/schema/request-log";
import { webhookKeptDays } from "../../events/schema/webhooks";
import { changesKeptDays, endedInvitationDays, idempotencyHours } from "../../kernel/durations";
import { type Db, deleteRows, Prisma } from "../../platform/db/client";
import { clearDeletedFields, clearDeletedTags } from "../../subscribers/shared-queries";

/**
 * Long transactions count people in rows with their own shards, from 100 on. These rows are added to shard 99, which no
 * other transaction uses, so that none waits.
 */
const FOLDED = 99;

/**
 * @param key the columns of a counter's identity, besides the shard; static text
 * @param ended which rows of other shards receive no more counts
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

/** This many days before now. */
const ago = (days: number) => Prisma.sql`now() - make_interval(days => ${days}::int)`;
/** Rows whose import is gone or does not meet the condition. */
const noImport = (table: string, condition: Prisma.Sql) =>
  Prisma.sql`NOT EXISTS (SELECT FROM imports i WHERE i.id = ${Prisma.raw(table)}.import_id AND ${condition})`;
const endedAfter = (days: number) => Prisma.sql`coalesce(i.ended_at, now()) > ${ago(days)}`;

/** Deletes data that would otherwise grow forever, a limited number of rows per call. */
const chores: Record<string, (db: Db, rows: number) => Promise<number>> = {
  "responses stored for Idempotency-Key": deleteRows(
    "idempotent_answers",
    Prisma.sql`created_at < now() - make_interval(hours => ${idempotencyHours}::int)`,
  ),
  "logged API requests": deleteRows("api_requests", Prisma.sql`id < uuid_at(${ago(requestsKeptDays)})`),
  // Also stores how far the deletion got. A reader with an older position gets an error.
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
  // Kept longer than the provider repeats them.
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
  // An ended import has written its rows. An unfinished plan is planned again.
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
  "deleted tags": (db) => clearDeletedTags(db),
  "ended staff sessions": deleteRows("staff_sessions", Prisma.sql`expires_at < ${ago(1)}`),
};

const ROWS = 5_000;

/**
 * Deletes expired records. Uses small statements, so that others do not wait; several processes may run it at once.
 * @returns the number of removed rows by kind
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
