import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { MailingKind, MailingState, OpenMailing } from "../schema/mailings";
import { cancelMails } from "./mail-state-changes";

/** A mailing: its mails leave when it is due, unless it is cancelled. */
export type Mailing = { id: string; dueAt: Date };

export type NewMailing = { id: string; newsletterId: string; staffId: string | null; kind: MailingKind };

/**
 * Inserts a mailing that is due after the newsletter's delay.
 * @returns null, without inserting, when that delay is 0
 */
export async function insertMailing(
  tx: Db | Tx,
  { id, newsletterId, staffId, kind }: NewMailing,
): Promise<Mailing | null> {
  const rows = await tx.$queryRaw<Mailing[]>`
    INSERT INTO mailings (id, newsletter_id, staff_id, kind, due_at)
    SELECT ${id}::uuid, n.id, ${staffId}::uuid, ${kind}, clock_timestamp() + make_interval(secs => n.send_delay_seconds)
    FROM newsletters n WHERE n.id = ${newsletterId}::uuid AND n.send_delay_seconds > 0
    RETURNING id, due_at AS "dueAt"`;
  return rows[0] ?? null;
}

/** Restarts the delay of a mailing from now, at the end of a long transaction that inserted it. */
export async function restartMailing(tx: Tx, id: string): Promise<Mailing | null> {
  const rows = await tx.$queryRaw<Mailing[]>`
    UPDATE mailings x SET due_at = clock_timestamp() + make_interval(secs => n.send_delay_seconds)
    FROM newsletters n WHERE x.id = ${id}::uuid AND n.id = x.newsletter_id
    RETURNING x.id, x.due_at AS "dueAt"`;
  return rows[0] ?? null;
}

/**
 * Locks the mailing that more mails are added to until the transaction ends. It can't be cancelled between this check
 * and the insert of the mails.
 * @returns null when it does not exist
 */
export async function joinMailing(tx: Tx, id: string): Promise<(Mailing & { cancelled: boolean }) | null> {
  const rows = await tx.$queryRaw<(Mailing & { cancelled: boolean })[]>`
    SELECT id, due_at AS "dueAt", cancelled_at IS NOT NULL AS cancelled FROM mailings WHERE id = ${id}::uuid FOR SHARE`;
  return rows[0] ?? null;
}

/**
 * Releases due mailings before mails are claimed; a released mailing can't be cancelled. Waits for a running cancel.
 */
export async function releaseDueMailings(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    UPDATE mailings SET released_at = now() WHERE released_at IS NULL AND cancelled_at IS NULL AND due_at <= now()`;
}

/** Cancels a mailing that is not released. @returns whether this transaction did */
export async function claimMailing(
  tx: Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
): Promise<boolean> {
  const claimed = await tx.$executeRaw`
    UPDATE mailings SET cancelled_at = now()
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND released_at IS NULL AND cancelled_at IS NULL`;
  return claimed === 1;
}

/**
 * Cancels the mails of a mailing for staff. If they replace failed mails, the failed mails can be sent again.
 * @returns how many
 */
export async function cancelMailsOf(
  tx: Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
): Promise<number> {
  const cancelled = await cancelMails(
    tx,
    Prisma.sql`m.mailing_id = ${id}::uuid AND m.newsletter_id = ${newsletterId}::uuid AND m.state IN ('waiting', 'deferred')`,
    "taken_back",
  );
  await tx.$executeRaw`
    UPDATE mails failed SET retry_id = NULL FROM mails m
    WHERE m.mailing_id = ${id}::uuid AND m.state = 'cancelled' AND failed.newsletter_id = m.newsletter_id
      AND failed.subscriber_id = m.subscriber_id AND failed.retry_id = m.id`;
  return cancelled.length;
}

export type MailingProgress = {
  kind: MailingKind;
  state: MailingState;
  mails: number;
  /** Sent to the provider, or being sent. */
  sent: number;
};

export async function findMailingProgress(
  db: Db | Tx,
  { newsletterId, id }: { newsletterId: string; id: string },
): Promise<MailingProgress | null> {
  const rows = await db.$queryRaw<MailingProgress[]>`
    SELECT x.kind, ${mailingState} AS state, count(m.id)::int AS mails,
      (count(*) FILTER (WHERE m.state IN ('sending', 'sent', 'uncertain', 'failed')))::int AS sent
    FROM mailings x LEFT JOIN mails m ON m.mailing_id = x.id
    WHERE x.id = ${id}::uuid AND x.newsletter_id = ${newsletterId}::uuid GROUP BY x.id`;
  return rows[0] ?? null;
}

/** The state of a mailing `x`. */
export const mailingState = Prisma.sql`CASE WHEN x.cancelled_at IS NOT NULL THEN 'cancelled'
  WHEN x.released_at IS NULL THEN 'waiting' ELSE 'released' END`;

/** The mailings that can still be cancelled, the next due first. */
export async function listOpenMailings(db: Db, newsletterId: string): Promise<OpenMailing[]> {
  return db.$queryRaw<OpenMailing[]>`
    SELECT x.id, x.kind, s.name AS by, extract(epoch FROM x.due_at - now())::float8 * 1000 AS "dueInMs",
      (SELECT count(*) FROM mails m WHERE m.mailing_id = x.id AND m.state IN ('waiting', 'deferred'))::int AS mails
    FROM mailings x LEFT JOIN staff_members s ON s.id = x.staff_id
    WHERE x.newsletter_id = ${newsletterId}::uuid AND x.released_at IS NULL AND x.cancelled_at IS NULL AND x.due_at > now()
    ORDER BY x.due_at, x.id LIMIT 5`;
}
