import { Prisma, type Tx } from "../../platform/db/client";
import { type CancelReason, cancelReasons } from "../delivery/reasons";
import { newsletterMailKinds, ownMailKinds } from "../schema/mail-states";

/**
 * Cancels mails `m` that meet the condition. No other statement cancels mails.
 * @param reason without one the present reason stays
 */
export async function cancelMails(
  tx: Tx,
  condition: Prisma.Sql,
  reason: CancelReason | null = null,
): Promise<{ id: string; subscriberId: string | null }[]> {
  return tx.$queryRaw<{ id: string; subscriberId: string | null }[]>`
    UPDATE mails m SET state = 'cancelled', deferred_until = NULL, finished_at = coalesce(m.finished_at, now()),
      error_code = coalesce(${reason}, m.error_code),
      error_message = coalesce(${reason && cancelReasons[reason]}, m.error_message)
    WHERE ${condition} RETURNING m.id, m.subscriber_id AS "subscriberId"`;
}

export function countWaiting(tx: Tx, before: Date): Promise<number> {
  return tx.mail.count({ where: { state: { in: ["waiting", "deferred"] }, createdAt: { lt: before } } });
}

/** Cancels waiting mails that were created before the backup that was restored. @returns how many */
export async function cancelRestored(tx: Tx, before: Date): Promise<number> {
  const condition = Prisma.sql`m.state IN ('waiting', 'deferred') AND m.created_at < ${before}`;
  return (await cancelMails(tx, condition, "restored")).length;
}

/**
 * Cancels the unsent mails to these subscribers: their text belongs to the old status. Preferences links stay, since
 * they are for people of any status.
 */
export async function cancelUnsent(tx: Tx, newsletterId: string, ids: string[]): Promise<void> {
  await cancelMails(
    tx,
    Prisma.sql`m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = ANY (${ids}::uuid[])
      AND m.state IN ('waiting', 'deferred') AND m.kind <> ALL (${[...ownMailKinds]})`,
  );
}

/**
 * Cancels the waiting confirmations and welcomes of an archived newsletter. Preferences links stay, since they are for
 * people of any newsletter.
 */
export async function cancelNewsletterMails(tx: Tx, newsletterId: string): Promise<void> {
  await cancelMails(
    tx,
    Prisma.sql`m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id IS NOT NULL
      AND m.state IN ('waiting', 'deferred') AND m.kind = ANY (${[...newsletterMailKinds]})`,
    "archived",
  );
}

/** Cancels those of the mails that have a reason and are in one of these states. */
export async function cancelWithReasons(
  tx: Tx,
  mails: { id: string; cancelReason: CancelReason | null }[],
  states: string[],
): Promise<void> {
  for (const reason of new Set(mails.map((mail) => mail.cancelReason))) {
    if (reason === null) continue;
    const ids = mails.filter((mail) => mail.cancelReason === reason).map((mail) => mail.id);
    const condition = Prisma.sql`m.id = ANY (${ids}::uuid[]) AND m.state = ANY (${states}::text[])`;
    await cancelMails(tx, condition, reason);
  }
}

/** `domain`: for mails that wait for the domain's budget. */
export type Deferral = { id: string; until: Date; code: string; message: string; domain: string | null };

export async function deferMails(tx: Tx, mails: Deferral[]): Promise<void> {
  if (mails.length === 0) return;
  const column = (name: keyof Deferral) => mails.map((mail) => mail[name]);
  await tx.$executeRaw`
    UPDATE mails SET state = 'deferred', deferred_until = deferred.until, error_code = deferred.code,
      error_message = deferred.message, budget_domain = deferred.domain
    FROM unnest(
      ${column("id")}::uuid[], ${column("code")}::text[], ${column("message")}::text[], ${column("until")}::timestamptz[],
      ${column("domain")}::text[]
    ) AS deferred (id, code, message, until, domain)
    WHERE mails.id = deferred.id`;
}

export type FrozenMail = {
  id: string;
  linkExpiresAt: Date;
  sender: string;
  replyTo: string | null;
  subject: string;
  html: string;
  text: string;
};

/**
 * Writes the final text of mails: `sending` with a position in the batch, in the order given; `logged` without a batch.
 */
export async function freezeMails(tx: Tx, mails: FrozenMail[], batchId: string | null): Promise<void> {
  if (mails.length === 0) return;
  const column = <K extends keyof FrozenMail>(name: K) => mails.map((mail) => mail[name]);
  await tx.$executeRaw`
    UPDATE mails SET state = ${batchId ? "sending" : "logged"}, batch_id = ${batchId}::uuid,
      batch_position = CASE WHEN ${batchId}::uuid IS NULL THEN NULL ELSE frozen.ordinality - 1 END,
      link_expires_at = frozen.link_expires_at, sender = frozen.sender, reply_to = frozen.reply_to, subject = frozen.subject, html = frozen.html,
      text = frozen.text, frozen_at = now(), deferred_until = NULL, error_code = NULL, error_message = NULL
    FROM unnest(
      ${column("id")}::uuid[], ${column("sender")}::text[], ${column("replyTo")}::text[],
      ${column("subject")}::text[], ${column("html")}::text[], ${column("text")}::text[],
      ${column("linkExpiresAt")}::timestamptz[]
    ) WITH ORDINALITY AS frozen (id, sender, reply_to, subject, html, text, link_expires_at, ordinality)
    WHERE mails.id = frozen.id`;
}

export type MailResult = {
  /** Place in the batch, from 0. */
  position: number;
  state: "sent" | "failed" | "uncertain";
  providerId: string | null;
  code: string | null;
  message: string | null;
};

/**
 * Writes the final state of a batch's mails in one statement. A late answer of the provider still turns an `uncertain`
 * mail into `sent`. No other change applies to a finished mail.
 */
export async function finishMails(
  tx: Tx,
  batchId: string,
  attempts: number,
  results: MailResult[],
): Promise<void> {
  if (results.length === 0) return;
  const column = (name: keyof MailResult) => results.map((result) => result[name]);
  await tx.$executeRaw`
    UPDATE mails SET state = result.state, provider_id = result.provider_id, attempts = ${attempts}::int,
      error_code = result.code, error_message = result.message, finished_at = now()
    FROM unnest(
      ${column("position")}::int[], ${column("state")}::text[], ${column("providerId")}::text[],
      ${column("code")}::text[], ${column("message")}::text[]
    ) AS result (position, state, provider_id, code, message)
    WHERE mails.batch_id = ${batchId}::uuid AND mails.batch_position = result.position
      AND (mails.state = 'sending' OR (mails.state = 'uncertain' AND result.state = 'sent'))`;
}

/** Records on the mails of an unfinished batch why they are delayed. */
export async function noteDelay(
  tx: Tx,
  batchId: string,
  { attempts, code, message }: { attempts: number; code: string; message: string },
): Promise<void> {
  await tx.mail.updateMany({
    where: { batchId, state: "sending" },
    data: { attempts, errorCode: code, errorMessage: message },
  });
}

/** Moves the mails at these positions to the start of another batch, in the order given. */
export async function moveToBatch(tx: Tx, fromId: string, toId: string, positions: number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET batch_id = ${toId}::uuid, batch_position = moved.ordinality - 1
    FROM unnest(${positions}::int[]) WITH ORDINALITY AS moved (position, ordinality)
    WHERE mails.batch_id = ${fromId}::uuid AND mails.batch_position = moved.position AND mails.state = 'sending'`;
}
