import { type Db, Prisma, type Tx } from "./client";

export type NewMailRow = {
  id: string;
  newsletterId: string;
  subscriberId: string;
  toEmail: string;
  /** SHA-256, in hex, of what stands for the person when mails are throttled. */
  recipientHash: string;
};

/** Writes confirmations that wait to be packed, in one statement. They may be packed for 7 days by the database's clock. */
export async function insertWaiting(tx: Tx, rows: NewMailRow[]): Promise<void> {
  const column = (name: keyof NewMailRow) => rows.map((row) => row[name]);
  await tx.$executeRaw`
    INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at)
    SELECT id, newsletter_id, subscriber_id, 'confirmation', to_email, recipient_hash, now() + interval '7 days'
    FROM unnest(
      ${column("id")}::uuid[], ${column("newsletterId")}::uuid[], ${column("subscriberId")}::uuid[],
      ${column("toEmail")}::text[], ${column("recipientHash")}::text[]
    ) AS new (id, newsletter_id, subscriber_id, to_email, recipient_hash)`;
}

export type WrittenMailRow = {
  id: string;
  kind: "test" | "invitation";
  newsletterId: string | null;
  staffId: string | null;
  invitationId: string | null;
  toEmail: string;
  recipientHash: string;
  subject: string;
  html: string;
  text: string;
};

/**
 * Writes a mail to the staff, whose words are final already, that waits to be packed.
 * @param expiresAt of its link; null: in 7 days by the database's clock
 */
export async function insertWritten(tx: Tx, row: WrittenMailRow, expiresAt: Date | null): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO mails (id, kind, newsletter_id, staff_id, invitation_id, to_email, recipient_hash, subject, html, text,
      link_expires_at)
    VALUES (${row.id}::uuid, ${row.kind}, ${row.newsletterId}::uuid, ${row.staffId}::uuid, ${row.invitationId}::uuid,
      ${row.toEmail}, ${row.recipientHash}, ${row.subject}, ${row.html}, ${row.text},
      coalesce(${expiresAt}::timestamptz, now() + interval '7 days'))`;
}

/** Why a mail no longer has anything to say. */
export type CancelReason =
  | "superseded"
  | "not_pending"
  | "address_changed"
  | "suppressed"
  | "complained"
  | "bounced"
  | "link_expired";

type Claimed = {
  id: string;
  recipientHash: string;
  /** Of a confirmation 7 days from now, since it is packed now. */
  linkExpiresAt: Date;
  /** What the mail is sent to: the local part as given, the domain in ASCII. */
  deliverTo: string;
  sender: string | null;
  replyTo: string | null;
  cancelReason: CancelReason | null;
};

/** A confirmation is yet to be written; mails to the staff were when they were asked for. */
export type ClaimedMail =
  | (Claimed & {
      kind: "confirmation";
      newsletterId: string;
      subscriberId: string;
      newsletterName: string;
      language: string;
      ownSubject: string | null;
      ownIntro: string | null;
    })
  | (Claimed & {
      kind: "test" | "invitation";
      /** Null of an invitation. */
      newsletterName: string | null;
      subject: string;
      html: string;
      text: string;
    });

/** Any number that no other advisory lock of ours has. */
const PACKING_LOCK = 1_886_676_843;

/**
 * Makes this transaction the only one that packs, in all processes, until it ends. Two that claim at once would share out
 * between them, row by row, what could leave in one request.
 */
export async function lockPacking(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${PACKING_LOCK}::bigint)`;
}

/**
 * Takes up to `limit` mails that can be packed now, the held ones whose time has come first, since they are older.
 * They stay locked until the transaction ends; what somebody else is changing is passed over.
 */
export async function claimDue(tx: Tx, limit: number): Promise<ClaimedMail[]> {
  return tx.$queryRaw<ClaimedMail[]>`
    WITH held AS (
      SELECT id FROM mails WHERE state = 'deferred' AND deferred_until <= now()
      ORDER BY deferred_until LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), waiting AS (
      SELECT id FROM mails WHERE state = 'waiting'
      ORDER BY id LIMIT ${limit} - (SELECT count(*) FROM held) FOR UPDATE SKIP LOCKED
    ), due AS (
      SELECT id FROM held UNION ALL SELECT id FROM waiting
    )
    SELECT m.id, m.kind, m.newsletter_id AS "newsletterId", m.subscriber_id AS "subscriberId", m.recipient_hash AS "recipientHash",
      CASE m.kind WHEN 'confirmation' THEN date_trunc('milliseconds', now() + interval '7 days')
        ELSE m.link_expires_at END AS "linkExpiresAt",
      CASE m.kind WHEN 'confirmation'
        THEN regexp_replace(m.to_email, '@.*$', '') || '@' || split_part(s.email_canonical, '@', 2)
        ELSE m.to_email END AS "deliverTo",
      n.name AS "newsletterName", n.language, n.sender, n.reply_to AS "replyTo",
      n.confirm_subject AS "ownSubject", n.confirm_intro AS "ownIntro", m.subject, m.html, m.text,
      CASE
        WHEN p.reason IN ('bounced', 'complained') THEN p.reason
        WHEN p.newsletter_id IS NOT NULL THEN 'suppressed'
        WHEN s.status <> 'pending' THEN 'not_pending'
        WHEN s.email <> m.to_email THEN 'address_changed'
        WHEN m.link_expires_at <= now() THEN 'link_expired'
        WHEN EXISTS (
          SELECT 1 FROM mails newer
          WHERE newer.newsletter_id = m.newsletter_id AND newer.subscriber_id = m.subscriber_id
            AND newer.kind = m.kind AND newer.id > m.id AND newer.state NOT IN ('failed', 'cancelled')
        ) THEN 'superseded'
      END AS "cancelReason"
    FROM due
    JOIN mails m ON m.id = due.id
    LEFT JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
    LEFT JOIN newsletters n ON n.id = m.newsletter_id
    LEFT JOIN suppressions p ON p.newsletter_id = m.newsletter_id AND p.email_canonical = s.email_canonical
    ORDER BY m.id`;
}

export type Validation = { id: string; code: string; message: string };

/**
 * Cancels mails `m` that meet the condition: the one statement that does.
 * @param reason why, for whoever looks at the mail; none keeps what stands there
 */
export async function cancelMails(
  tx: Tx,
  condition: Prisma.Sql,
  reason: { code: string; message: string } | null = null,
): Promise<{ id: string; subscriberId: string | null }[]> {
  return tx.$queryRaw<{ id: string; subscriberId: string | null }[]>`
    UPDATE mails m SET state = 'cancelled', deferred_until = NULL, finished_at = coalesce(m.finished_at, now()),
      error_code = coalesce(${reason?.code ?? null}, m.error_code),
      error_message = coalesce(${reason?.message ?? null}, m.error_message)
    WHERE ${condition} RETURNING m.id, m.subscriber_id AS "subscriberId"`;
}

/** Cancels the confirmations of these subscribers that nobody has begun to send. */
export async function cancelConfirmations(tx: Tx, newsletterId: string, ids: string[]): Promise<void> {
  await cancelMails(
    tx,
    Prisma.sql`m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = ANY (${ids}::uuid[])
      AND m.kind = 'confirmation' AND m.state IN ('waiting', 'deferred')`,
  );
}

/** Cancels mails that are in one of these states, each with its reason. */
export async function cancelWithReasons(tx: Tx, mails: Validation[], states: string[]): Promise<void> {
  const byCode = new Map<string, Validation[]>();
  for (const mail of mails) byCode.set(mail.code, [...(byCode.get(mail.code) ?? []), mail]);
  for (const [code, same] of byCode) {
    const ids = same.map((mail) => mail.id);
    const condition = Prisma.sql`m.id = ANY (${ids}::uuid[]) AND m.state = ANY (${states}::text[])`;
    await cancelMails(tx, condition, { code, message: same[0]?.message ?? "" });
  }
}

/** Puts mails aside until a time. */
export async function hold(tx: Tx, held: (Validation & { until: Date })[]): Promise<void> {
  if (held.length === 0) return;
  await tx.$executeRaw`
    UPDATE mails SET state = 'deferred', deferred_until = validation.deferred_until,
      error_code = validation.code, error_message = validation.message
    FROM unnest(
      ${held.map((v) => v.id)}::uuid[], ${held.map((v) => v.code)}::text[], ${held.map((v) => v.message)}::text[],
      ${held.map((v) => v.until)}::timestamptz[]
    ) AS validation (id, code, message, deferred_until)
    WHERE mails.id = validation.id`;
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

/** Writes what the mails say for good: `sending` in the order given when they leave with a send, `kept` when none does. */
export async function freeze(tx: Tx, mails: FrozenMail[], batchId: string | null): Promise<void> {
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
  /** Place in the send, from 0. */
  position: number;
  state: "sent" | "failed" | "uncertain";
  providerId: string | null;
  code: string | null;
  message: string | null;
};

/**
 * Writes how the mails of one send ended, in one statement. A mail that was given up as uncertain is still made `sent`
 * when the provider's word comes late; nothing else is ever changed after it was settled.
 */
export async function settle(
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

/** Notes on the mails of a send that is not settled yet why they are still here. */
export async function noteDelay(
  tx: Tx,
  batchId: string,
  attempts: number,
  code: string,
  message: string,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET attempts = ${attempts}::int, error_code = ${code}, error_message = ${message}
    WHERE batch_id = ${batchId}::uuid AND state = 'sending'`;
}

/** Moves the mails at these places of a send to the start of another one, in the order given. */
export async function moveToSend(tx: Tx, fromId: string, toId: string, positions: number[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET batch_id = ${toId}::uuid, batch_position = moved.ordinality - 1
    FROM unnest(${positions}::int[]) WITH ORDINALITY AS moved (position, ordinality)
    WHERE mails.batch_id = ${fromId}::uuid AND mails.batch_position = moved.position AND mails.state = 'sending'`;
}

export type OpenMail = { id: string; position: number; cancelReason: CancelReason | null };

/** The mails of a send that are neither settled nor erased, in order, each with what now speaks against sending it. */
export async function listOpen(db: Db | Tx, batchId: string): Promise<OpenMail[]> {
  return db.$queryRaw<OpenMail[]>`
    SELECT m.id, m.batch_position AS position,
      CASE
        WHEN p.reason IN ('bounced', 'complained') THEN p.reason
        WHEN p.newsletter_id IS NOT NULL THEN 'suppressed'
        WHEN s.status <> 'pending' THEN 'not_pending'
        WHEN s.email <> m.to_email THEN 'address_changed'
        WHEN m.link_expires_at <= now() THEN 'link_expired'
      END AS "cancelReason"
    FROM mails m
    LEFT JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
    LEFT JOIN suppressions p ON p.newsletter_id = m.newsletter_id AND p.email_canonical = s.email_canonical
    WHERE m.batch_id = ${batchId}::uuid AND m.state = 'sending'
    ORDER BY m.batch_position`;
}
