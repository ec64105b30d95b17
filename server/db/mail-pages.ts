import { type Db, Prisma, type Tx } from "./client";

/** States a mail can be in, as the list filters them. */
export const mailStates = [
  "waiting",
  "held",
  "kept",
  "sending",
  "sent",
  "failed",
  "uncertain",
  "cancelled",
] as const;
export type MailState = (typeof mailStates)[number];

export type MailListRow = {
  id: string;
  /** Null of a mail to the staff. */
  subscriberId: string | null;
  toEmail: string;
  kind: string;
  state: MailState;
  subject: string | null;
  reason: string | null;
  attempts: number;
  heldUntil: Date | null;
  createdAt: Date;
  settledAt: Date | null;
  packedAt: Date | null;
};

/** A page of a newsletter's mails, newest first. */
export async function pageOfMails(
  db: Db,
  newsletterId: string,
  state: MailState | undefined,
  limit: number,
  after: string | null,
): Promise<MailListRow[]> {
  const inState = state ? Prisma.sql`AND state = ${state}` : Prisma.empty;
  // A literal beside it, so that the planner sees that the small index of what wants attention holds them.
  const rare = state && !["sent", "cancelled", "kept"].includes(state);
  const few = rare ? Prisma.sql`AND state NOT IN ('sent', 'cancelled', 'kept')` : Prisma.empty;
  const edge = after ? Prisma.sql`AND id < ${after}::uuid` : Prisma.empty;
  return db.$queryRaw<MailListRow[]>`
    SELECT id, subscriber_id AS "subscriberId", to_email AS "toEmail", kind, state, subject, error_message AS reason,
      attempts, held_until AS "heldUntil", created_at AS "createdAt", settled_at AS "settledAt", packed_at AS "packedAt"
    FROM mails WHERE newsletter_id = ${newsletterId}::uuid ${inState} ${few} ${edge} ORDER BY id DESC LIMIT ${limit}`;
}

/** How many mails are in each state that may want attention; the rest are not counted. */
export async function countAttention(db: Db, newsletterId: string): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ state: string; mails: number }[]>`
    SELECT state, count(*)::int AS mails FROM mails
    WHERE newsletter_id = ${newsletterId}::uuid AND state NOT IN ('sent', 'cancelled', 'kept') GROUP BY state`;
  return Object.fromEntries(rows.map((row) => [row.state, row.mails]));
}

/** How many tests a staff member has asked for in the last so many minutes. */
export async function countTestMails(tx: Tx, staffId: string, minutes: number): Promise<number> {
  const rows = await tx.$queryRaw<{ mails: number }[]>`
    SELECT count(*)::int AS mails FROM mails
    WHERE staff_id = ${staffId}::uuid AND created_at > now() - ${minutes}::int * interval '1 minute'`;
  return rows[0]?.mails ?? 0;
}

/** Whether the newsletter's mails are kept here because nothing leaves. */
export async function hasKeptMails(db: Db, newsletterId: string): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM mails WHERE newsletter_id = ${newsletterId}::uuid AND state = 'kept' LIMIT 1`;
  return rows.length > 0;
}

/** How many of those who were asked since said yes, and how long half of them took, in seconds. */
export async function confirmedSince(db: Db, newsletterId: string, since: Date) {
  const rows = await db.$queryRaw<{ asked: number; confirmed: number; medianSeconds: number | null }[]>`
    SELECT count(*)::int AS asked, count(s.confirmed_at)::int AS confirmed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM s.confirmed_at - s.created_at)) AS "medianSeconds"
    FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.created_at >= ${since}::timestamptz
      AND s.id >= ${idAt(since)}::uuid
      AND (s.confirmed_at IS NOT NULL OR s.status = 'pending')`;
  return rows[0] ?? { asked: 0, confirmed: 0, medianSeconds: null };
}

const HOUR_MS = 3_600_000;
function idAt(time: Date): string {
  const hex = (time.getTime() - HOUR_MS).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
