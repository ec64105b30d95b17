import { reminderDays } from "../../kernel/durations";
import { type Db, Prisma, type Tx } from "../../platform/db/client";

/** Newsletters that remind or remove pending people who don't confirm. */
export function listNewslettersWithPendingRules(db: Db): Promise<{ id: string }[]> {
  return db.newsletter.findMany({
    where: { archivedAt: null, OR: [{ pendingReminder: true }, { pendingDays: { not: null } }] },
    orderBy: { id: "asc" },
    select: { id: true },
  });
}

const ago = (days: number) => Prisma.sql`now() - make_interval(days => ${days}::int)`;

/**
 * A confirmation waits at most 7 days to be sent, and its link works for 7 days. Confirmations with a working link are
 * newer than this.
 */
const REMINDABLE_DAYS = 15;

/**
 * True if a reminder for mail `m` is due: it was sent at least 3 days ago, its link works, it neither bounced nor was
 * marked as spam, and no later confirmation exists. People who unsubscribed before get no reminder. A cancelled
 * reminder counts, so that nobody gets two. Scalar subqueries make one index look-up each; with EXISTS the planner may
 * hash all people.
 */
const isUnreminded = Prisma.sql`
  m.kind = 'confirmation' AND m.state = 'sent' AND m.reminder_of IS NULL AND m.bounced_at IS NULL AND m.complained_at IS NULL
  AND m.finished_at <= ${ago(reminderDays)} AND m.link_expires_at > now()
  AND (
    SELECT s.status = 'pending' AND s.unsubscribed_at IS NULL AND s.email = m.to_email
    FROM subscribers s WHERE s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
  ) IS TRUE AND (
    SELECT bool_or(later.reminder_of = m.id OR later.kind = 'confirmation' AND later.id > m.id AND later.state <> 'cancelled')
    FROM mails later WHERE later.newsletter_id = m.newsletter_id AND later.subscriber_id = m.subscriber_id
  ) IS NOT TRUE`;

/** A confirmation, and whether a reminder for it is due. */
export type ConfirmationRow = { id: string; subscriberId: string; due: boolean };

/**
 * The next confirmations that are recent enough for a reminder, oldest first.
 * @param after the last one of the previous page
 */
export function pageOfPendingConfirmations(
  db: Db,
  newsletterId: string,
  after: string | null,
  limit: number,
): Promise<ConfirmationRow[]> {
  const beyond =
    after === null ? Prisma.sql`m.id > uuid_at(${ago(REMINDABLE_DAYS)})` : Prisma.sql`m.id > ${after}::uuid`;
  return db.$queryRaw<ConfirmationRow[]>`
    SELECT m.id, m.subscriber_id AS "subscriberId", ${isUnreminded} AS due FROM mails m
    WHERE m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id IS NOT NULL
      AND ${beyond} AND m.id < uuid_at(${ago(reminderDays)})
    ORDER BY m.id LIMIT ${limit}`;
}

/**
 * The mails that still need a reminder, with their subscriber. Call this with the mails locked, so that no other
 * process reminds too.
 */
export async function findUnreminded(tx: Tx, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; subscriberId: string }[]>`
    SELECT m.id, m.subscriber_id AS "subscriberId" FROM mails m WHERE m.id = ANY (${ids}::uuid[]) AND ${isUnreminded}`;
  return new Map(rows.map(({ id, subscriberId }) => [subscriberId, id]));
}

/** Links new reminders to their confirmation. Reminders are not urgent: no user waits for them. */
export async function noteReminders(tx: Tx, reminders: { id: string; of: string }[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET reminder_of = reminder.of, urgent = false
    FROM unnest(${reminders.map(({ id }) => id)}::uuid[], ${reminders.map((one) => one.of)}::uuid[]) AS reminder (id, of)
    WHERE mails.id = reminder.id`;
}

/**
 * True if a pending person `s` never confirmed: the last confirmation was sent or failed that many days ago, none is
 * queued, and no link works. People who unsubscribed before stay, because only their row records the opt-out.
 */
const isExpired = (days: number) => Prisma.sql`
  s.status = 'pending' AND s.unsubscribed_at IS NULL AND (
    SELECT max(coalesce(m.finished_at, m.frozen_at)) FILTER (WHERE m.state IN ('sent', 'failed', 'uncertain')) < ${ago(days)}
      AND NOT bool_or(m.state IN ('waiting', 'deferred', 'sending') OR m.state <> 'cancelled' AND m.link_expires_at > now())
    FROM mails m WHERE m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.kind = 'confirmation'
  ) IS TRUE`;

/** A pending person, and whether their removal is due. */
export type PendingRow = { id: string; due: boolean };

/**
 * The next pending people who were added that many days ago, oldest first.
 * @param after the last one of the previous page
 */
export function pageOfPending(
  db: Db,
  { newsletterId, days }: { newsletterId: string; days: number },
  after: string | null,
  limit: number,
): Promise<PendingRow[]> {
  const beyond = after === null ? Prisma.empty : Prisma.sql`AND s.id > ${after}::uuid`;
  return db.$queryRaw<PendingRow[]>`
    SELECT s.id, ${isExpired(days)} AS due FROM subscribers s
    WHERE s.status = 'pending' AND s.newsletter_id = ${newsletterId}::uuid ${beyond} AND s.id < uuid_at(${ago(days)})
    ORDER BY s.id LIMIT ${limit}`;
}

/** The people who are still due for removal. Call this with the people locked. */
export async function findExpired(
  tx: Tx,
  { newsletterId, days }: { newsletterId: string; days: number },
  ids: string[],
): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ANY (${ids}::uuid[]) AND ${isExpired(days)}`;
  return rows.map(({ id }) => id);
}
