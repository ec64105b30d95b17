import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { suppressionOf } from "../../suppressions/shared-queries";
import type { CancelReason } from "../delivery/reasons";
import type { PersonMailKind } from "../schema/mail-states";
import { linkLife, preferencesLife } from "./new-mails";

type Claimed = {
  id: string;
  recipientHash: string;
  /** A confirmation's link expires 7 days from now, a preferences link 24 hours from now: the mail is written now. */
  linkExpiresAt: Date;
  /** The address of delivery: the local part as given, the domain in ASCII. */
  deliverTo: string;
  sender: string | null;
  replyTo: string | null;
  cancelReason: CancelReason | null;
};

/** Mails to people are rendered after the claim; mails to the staff were rendered when requested. */
export type ClaimedMail =
  | (Claimed & {
      kind: PersonMailKind;
      newsletterId: string;
      subscriberId: string;
      newsletterName: string;
      language: string;
      ownSubject: string | null;
      ownIntro: string | null;
      isReminder: boolean;
      /** It was not requested through the sign-up page. */
      isOwn: boolean;
    })
  | (Claimed & {
      kind: "test" | "invitation" | "notice";
      /** Null for an invitation and a notice. */
      newsletterName: string | null;
      subject: string;
      html: string;
      text: string;
    });

/**
 * The reasons against sending a mail `m` to its subscriber `s`, with `x` a possible suppression of the address. The
 * first match counts.
 */
const cancelReasonCases = Prisma.sql`
  WHEN m.kind = 'new_address' THEN CASE WHEN m.link_expires_at <= now() THEN 'preferences_late' END
  WHEN x.reason IN ('bounced', 'complained') THEN x.reason
  WHEN x.reason = 'denied' OR m.kind <> 'preferences'
    AND (m.created_at > x.asked_at OR x.digest IS NOT NULL AND (x.asked_at IS NULL OR m.kind = 'welcome')) THEN 'suppressed'
  WHEN m.kind IN ('confirmation', 'welcome')
    AND EXISTS (SELECT FROM newsletters c WHERE c.id = m.newsletter_id AND c.archived_at IS NOT NULL) THEN 'archived'
  WHEN m.kind = 'welcome' AND s.status <> 'active' THEN 'not_active'
  WHEN m.kind = 'confirmation' AND s.status <> 'pending' THEN 'not_pending'
  WHEN s.email <> m.to_email THEN 'address_changed'
  WHEN m.link_expires_at <= now() THEN CASE m.kind WHEN 'welcome' THEN 'welcome_late' WHEN 'preferences' THEN 'preferences_late' ELSE 'link_expired' END`;
const joinedSubscriber = Prisma.sql`
  LEFT JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
  LEFT JOIN ${suppressionOf(Prisma.sql`s.newsletter_id`, Prisma.sql`s.email_canonical`)}`;

/**
 * Whether no stranger caused a mail `m` to its subscriber `s`. A sign-up writes the mail and the activity in one
 * transaction, so both have its time. A reminder counts like the person's sign-up.
 */
export const isOwn = Prisma.sql`CASE WHEN m.reminder_of IS NOT NULL THEN s.source <> 'public'
  ELSE NOT EXISTS (
    SELECT FROM subscriber_events e
    WHERE e.newsletter_id = m.newsletter_id AND e.subscriber_id = m.subscriber_id AND e.actor_kind = 'page' AND e.at = m.created_at
  ) END`;

/** An arbitrary number, unique among our advisory locks. */
const BATCHING_LOCK = 1_886_676_843;

/**
 * Lets only this transaction make a batch, in all processes, until it ends. Two concurrent claims would split between
 * them, row by row, the mails of one request.
 */
export async function lockBatching(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${BATCHING_LOCK}::bigint)`;
}

/**
 * Claims up to `limit` mails that can be sent now: the urgent ones first, then the due deferred ones, since they are
 * older. They stay locked until the transaction ends. Mails that another transaction is changing are skipped.
 * @returns the urgent ones first, so that they also get the first places in a budget; then the oldest first
 */
export async function claimDue(tx: Tx, limit: number): Promise<ClaimedMail[]> {
  return tx.$queryRaw<ClaimedMail[]>`
    WITH urgent AS (
      SELECT id FROM mails
      WHERE urgent AND state IN ('waiting', 'deferred') AND (state = 'waiting' OR deferred_until <= now())
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), deferred AS (
      SELECT id FROM mails WHERE NOT urgent AND state = 'deferred' AND deferred_until <= now()
        AND (mailing_id IS NULL OR mailing_id NOT IN (SELECT id FROM mailings WHERE released_at IS NULL AND cancelled_at IS NULL))
      ORDER BY deferred_until, id LIMIT ${limit} - (SELECT count(*) FROM urgent) FOR UPDATE SKIP LOCKED
    ), waiting AS (
      SELECT id FROM mails WHERE NOT urgent AND state = 'waiting'
      ORDER BY id LIMIT ${limit} - (SELECT count(*) FROM urgent) - (SELECT count(*) FROM deferred) FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT id FROM urgent UNION ALL SELECT id FROM deferred UNION ALL SELECT id FROM waiting
    )
    SELECT m.id, m.kind, m.newsletter_id AS "newsletterId", m.subscriber_id AS "subscriberId", m.recipient_hash AS "recipientHash",
      CASE m.kind WHEN 'confirmation' THEN date_trunc('milliseconds', now() + ${linkLife})
        WHEN 'preferences' THEN date_trunc('milliseconds', now() + ${preferencesLife})
        WHEN 'new_address' THEN date_trunc('milliseconds', now() + ${preferencesLife}) ELSE m.link_expires_at END AS "linkExpiresAt",
      CASE WHEN m.subscriber_id IS NOT NULL AND m.kind <> 'new_address'
        THEN regexp_replace(m.to_email, '@.*$', '') || '@' || split_part(s.email_canonical, '@', 2)
        ELSE m.to_email END AS "deliverTo",
      n.name AS "newsletterName", n.language, n.sender, n.reply_to AS "replyTo",
      CASE m.kind WHEN 'welcome' THEN n.welcome_subject WHEN 'confirmation' THEN n.confirm_subject END AS "ownSubject",
      CASE m.kind WHEN 'welcome' THEN n.welcome_text WHEN 'confirmation' THEN n.confirm_intro END AS "ownIntro",
      m.reminder_of IS NOT NULL AS "isReminder", m.subscriber_id IS NOT NULL AND ${isOwn} AS "isOwn",
      m.subject, m.html, m.text,
      CASE ${cancelReasonCases}
        WHEN m.kind = 'welcome' AND NOT n.welcome_on THEN 'welcome_off'
        WHEN EXISTS (
          SELECT 1 FROM mails newer
          WHERE newer.newsletter_id = m.newsletter_id AND newer.subscriber_id = m.subscriber_id
            AND newer.kind = m.kind AND newer.id > m.id AND newer.state NOT IN ('failed', 'cancelled')
        ) THEN 'superseded'
      END AS "cancelReason"
    FROM due
    JOIN mails m ON m.id = due.id
    LEFT JOIN newsletters n ON n.id = m.newsletter_id
    ${joinedSubscriber}
    ORDER BY m.urgent DESC, m.id`;
}

export type OpenMail = { id: string; position: number; cancelReason: CancelReason | null };

/**
 * The mails of a batch that are neither finished nor erased, in order, each with its current reason against sending.
 */
export async function listSending(db: Db | Tx, batchId: string): Promise<OpenMail[]> {
  return db.$queryRaw<OpenMail[]>`
    SELECT m.id, m.batch_position AS position,
      CASE ${cancelReasonCases} END AS "cancelReason"
    FROM mails m
    ${joinedSubscriber}
    WHERE m.batch_id = ${batchId}::uuid AND m.state = 'sending'
    ORDER BY m.batch_position`;
}
