import type { Db } from "./client";

/** What grows without end unless it is cleared away: how, a bounded number of rows at a time. */
const chores: Record<string, (db: Db, rows: number) => Promise<number>> = {
  "answers kept for Idempotency-Key": (db, rows) => db.$executeRaw`
    DELETE FROM idempotent_answers WHERE ctid IN (
      SELECT ctid FROM idempotent_answers WHERE created_at < now() - interval '24 hours' LIMIT ${rows})`,
  "logged API requests": (db, rows) => db.$executeRaw`
    DELETE FROM api_requests WHERE ctid IN (
      SELECT ctid FROM api_requests WHERE id < uuid_at(now() - interval '30 days') LIMIT ${rows})`,
  "invitations that ended long ago": (db, rows) => db.$executeRaw`
    DELETE FROM staff_verifications WHERE id IN (
      SELECT id FROM staff_verifications WHERE expires_at < now() - interval '30 days' LIMIT ${rows})`,
  "mail reports": (db, rows) => db.$executeRaw`
    DELETE FROM mail_reports WHERE ctid IN (
      SELECT ctid FROM mail_reports WHERE received_at < now() - interval '3 days' LIMIT ${rows})`,
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
