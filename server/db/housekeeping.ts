import { type Db, Prisma } from "./client";
import { endSilent } from "./imports";

/** Long transactions count in rows of their own, from 100 on; they are added to one that nobody else touches, and so waits for. */
const FOLDED = 99;

/** @param key the columns that tell such rows apart, beside the shard; static text */
function fold(table: string, key: string) {
  const [name, columns] = [Prisma.raw(table), Prisma.raw(key)];
  return (db: Db, rows: number) => db.$executeRaw`
    WITH gone AS (
      DELETE FROM ${name} WHERE ctid IN (SELECT ctid FROM ${name} WHERE shard > ${FOLDED} LIMIT ${rows} FOR UPDATE SKIP LOCKED)
      RETURNING *
    ), summed AS (
      INSERT INTO ${name} AS c (${columns}, shard, people)
      SELECT ${columns}, ${FOLDED}, sum(people) FROM gone GROUP BY ${columns} ORDER BY ${columns}
      ON CONFLICT (${columns}, shard) DO UPDATE SET people = c.people + excluded.people
    )
    SELECT FROM gone`;
}

/** What grows without end unless it is cleared away: how, a bounded number of rows at a time. */
const chores: Record<string, (db: Db, rows: number) => Promise<number>> = {
  "answers kept for Idempotency-Key": (db, rows) => db.$executeRaw`
    DELETE FROM idempotent_answers WHERE ctid IN (
      SELECT ctid FROM idempotent_answers WHERE created_at < now() - interval '24 hours' LIMIT ${rows})`,
  "logged API requests": (db, rows) => db.$executeRaw`
    DELETE FROM api_requests WHERE ctid IN (
      SELECT ctid FROM api_requests WHERE id < uuid_at(now() - interval '30 days') LIMIT ${rows})`,
  "invitations that ended long ago": (db, rows) => db.$executeRaw`
    DELETE FROM invitations WHERE id IN (
      SELECT id FROM invitations WHERE expires_at < now() - interval '30 days' LIMIT ${rows})`,
  "test mails": (db, rows) => db.$executeRaw`
    DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE staff_id IS NOT NULL AND created_at < now() - interval '30 days' LIMIT ${rows})`,
  "mail reports": (db, rows) => db.$executeRaw`
    DELETE FROM mail_reports WHERE ctid IN (
      SELECT ctid FROM mail_reports WHERE received_at < now() - interval '3 days' LIMIT ${rows})`,
  "times by which confirmations are throttled": (db, rows) => db.$executeRaw`
    DELETE FROM mail_throttle WHERE ctid IN (
      SELECT ctid FROM mail_throttle WHERE allowed_at[array_upper(allowed_at, 1)] < now() - interval '1 day' LIMIT ${rows})`,
  "finished batches of mails": (db, rows) => db.$executeRaw`
    DELETE FROM mail_batches WHERE ctid IN (
      SELECT ctid FROM mail_batches WHERE finished_at < now() - interval '30 days' LIMIT ${rows})`,
  "imports whose server went silent": (db) => endSilent(db),
  "plans that came to nothing": (db, rows) => db.$executeRaw`
    DELETE FROM imports WHERE id IN (
      SELECT id FROM imports WHERE state = 'planned' AND created_at < now() - interval '24 hours' LIMIT ${rows})`,
  // What a run writes it has written when it ends; what it did not write is planned anew.
  "rows of ended imports": (db, rows) => db.$executeRaw`
    DELETE FROM import_rows WHERE ctid IN (
      SELECT r.ctid FROM import_rows r WHERE NOT EXISTS (
        SELECT FROM imports i WHERE i.id = r.import_id AND i.state IN ('planned', 'running')) LIMIT ${rows})`,
  "rejected lines of imports": (db, rows) => db.$executeRaw`
    DELETE FROM import_rejected WHERE ctid IN (
      SELECT r.ctid FROM import_rejected r WHERE NOT EXISTS (
        SELECT FROM imports i WHERE i.id = r.import_id AND coalesce(i.ended_at, now()) > now() - interval '30 days')
      LIMIT ${rows})`,
  "addresses in what imports say": (db, rows) => db.$executeRaw`
    UPDATE imports SET changes = '[]', emptied_at = now() WHERE id IN (
      SELECT id FROM imports WHERE emptied_at IS NULL AND ended_at < now() - interval '30 days' LIMIT ${rows})`,
  "people whom imports left unchanged": (db, rows) => db.$executeRaw`
    DELETE FROM import_unchanged WHERE ctid IN (
      SELECT u.ctid FROM import_unchanged u WHERE NOT EXISTS (
        SELECT FROM imports i WHERE i.id = u.import_id AND coalesce(i.ended_at, now()) > now() - interval '90 days')
      LIMIT ${rows})`,
  "counts of long transactions": fold("subscriber_counts", "newsletter_id, status"),
  "counts of the copy, of long transactions": fold("people_search_counts", "newsletter_id, source, status"),
  "counts by time, of long transactions": fold("people_added", "newsletter_id, quarter"),
  "what undoing would need": (db, rows) => db.$executeRaw`
    DELETE FROM bulk_action_changes WHERE ctid IN (
      SELECT c.ctid FROM bulk_action_changes c JOIN bulk_actions r ON r.id = c.bulk_action_id
      WHERE r.state = 'undone' OR (r.ended_at < now() - interval '24 hours' AND r.state <> 'undoing') LIMIT ${rows})`,
  "ended runs": (db, rows) => db.$executeRaw`
    DELETE FROM bulk_actions WHERE ctid IN (
      SELECT ctid FROM bulk_actions WHERE ended_at < now() - interval '30 days' AND state <> 'undoing' LIMIT ${rows})`,
  "ended staff sessions": (db, rows) => db.$executeRaw`
    DELETE FROM staff_sessions WHERE id IN (
      SELECT id FROM staff_sessions WHERE expires_at < now() - interval '1 day' LIMIT ${rows})`,
};

const ROWS = 5_000;

/**
 * Clears away what has had its time. Small statements, so that nobody waits for one; several processes may do it at once.
 * @returns rows removed, by what they were
 */
export async function clearAway(db: Db): Promise<Record<string, number>> {
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
