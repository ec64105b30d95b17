import { newId } from "../domain/ids";
import type { Status } from "../domain/status-moves";
import type { Db, Tx } from "./client";

/** Which person on which newsletter. */
type Person = { newsletterId: string; subscriberId: string };
/** And the mail that a link came with. */
type Linked = Person & { mailId: string; expiresAt: Date };

export type LinkedRow = {
  accountId: string;
  newsletterName: string;
  language: string;
  timeZone: string;
  replyTo: string | null;
  /** Where the confirm page leads afterwards. */
  nextUrl: string | null;
  /** By the database's clock. */
  expired: boolean;
  /** These four are null when there is no such person (any more). */
  email: string | null;
  emailCanonical: string | null;
  status: Status | null;
  confirmedAt: Date | null;
  /** Where the mail with this link went; null when it is no longer kept. */
  mailedTo: string | null;
  /** The address has said "this wasn't me" to this newsletter. */
  suppressed: boolean;
  /** Another confirmation mail is under way to this person, or its link may still be followed. */
  hasLiveLink: boolean;
};

/** What a link leads to, or null when there is no such newsletter. */
export async function findLinked(db: Db | Tx, link: Linked): Promise<LinkedRow | null> {
  const rows = await db.$queryRaw<LinkedRow[]>`
    SELECT n.account_id AS "accountId", n.name AS "newsletterName", n.language, n.time_zone AS "timeZone",
      n.reply_to AS "replyTo", n.confirm_next_url AS "nextUrl", ${link.expiresAt}::timestamptz <= now() AS expired,
      s.email, s.email_canonical AS "emailCanonical", s.status, s.confirmed_at AS "confirmedAt", m.to_email AS "mailedTo",
      EXISTS (SELECT FROM suppressions x
        WHERE x.newsletter_id = n.id AND x.email_canonical = s.email_canonical AND x.reason = 'denied') AS suppressed,
      EXISTS (SELECT FROM mails other
        WHERE other.newsletter_id = n.id AND other.subscriber_id = s.id AND other.id <> ${link.mailId}::uuid
          AND other.kind = 'confirmation' AND other.state NOT IN ('failed', 'cancelled')
          AND other.link_expires_at > now()) AS "hasLiveLink"
    FROM newsletters n
    LEFT JOIN subscribers s ON s.newsletter_id = n.id AND s.id = ${link.subscriberId}::uuid
    LEFT JOIN mails m ON m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.id = ${link.mailId}::uuid
    WHERE n.id = ${link.newsletterId}::uuid`;
  return rows[0] ?? null;
}

/**
 * Makes this transaction the only one that decides about the person. A statement of its own: what is read after the
 * wait must see what the one before has written.
 */
export async function lockPerson(tx: Tx, { newsletterId, subscriberId }: Person): Promise<void> {
  await tx.$queryRaw`
    SELECT FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ${subscriberId}::uuid FOR UPDATE`;
}

/** @returns when, by the database's clock */
export async function setConfirmed(tx: Tx, { newsletterId, subscriberId }: Person): Promise<Date | null> {
  const rows = await tx.$queryRaw<{ confirmedAt: Date }[]>`
    UPDATE subscribers SET status = 'active', confirmed_at = now(), unsubscribed_at = NULL, version = version + 1
    WHERE newsletter_id = ${newsletterId}::uuid AND id = ${subscriberId}::uuid AND status = 'pending'
    RETURNING confirmed_at AS "confirmedAt"`;
  return rows[0]?.confirmedAt ?? null;
}

export async function setUnsubscribed(tx: Tx, { newsletterId, subscriberId }: Person): Promise<void> {
  await tx.$executeRaw`
    UPDATE subscribers SET status = 'unsubscribed', unsubscribed_at = now(), version = version + 1
    WHERE newsletter_id = ${newsletterId}::uuid AND id = ${subscriberId}::uuid AND status <> 'unsubscribed'`;
}

/** Takes back the confirmation mails that nobody has begun to send. */
export async function cancelMails(tx: Tx, { newsletterId, subscriberId }: Person): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET state = 'cancelled', deferred_until = NULL, finished_at = now()
    WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ${subscriberId}::uuid
      AND kind = 'confirmation' AND state IN ('waiting', 'deferred')`;
}

/** Deletes the person, and with them their mails and events. */
export async function deletePerson(tx: Tx, { newsletterId, subscriberId }: Person): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ${subscriberId}::uuid`;
}

/** Why an address is not mailed any more; what a reader said outweighs what a mail server did. */
export type SuppressionReason = "denied" | "complained" | "bounced";

/** No more confirmations to this address for this newsletter. */
export async function suppress(
  tx: Tx,
  newsletterId: string,
  emailCanonical: string,
  reason: SuppressionReason,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO suppressions AS known (newsletter_id, email_canonical, reason)
    VALUES (${newsletterId}::uuid, ${emailCanonical}, ${reason})
    ON CONFLICT (newsletter_id, email_canonical) DO UPDATE SET reason = EXCLUDED.reason, created_at = now()
      WHERE EXCLUDED.reason = 'denied' AND known.reason <> 'denied'
        OR EXCLUDED.reason = 'complained' AND known.reason = 'bounced'`;
}

/** The reason why an address is not mailed, and since when; null when it is. */
export async function findSuppression(
  db: Db | Tx,
  newsletterId: string,
  subscriberId: string,
): Promise<{ reason: SuppressionReason; createdAt: Date } | null> {
  const rows = await db.$queryRaw<{ reason: SuppressionReason; createdAt: Date }[]>`
    SELECT x.reason, x.created_at AS "createdAt" FROM subscribers s
    JOIN suppressions x ON x.newsletter_id = s.newsletter_id AND x.email_canonical = s.email_canonical
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${subscriberId}::uuid`;
  return rows[0] ?? null;
}

/** Lets an address be mailed again whose mail server had rejected it. @returns false when that was not so */
export async function forgetBounce(tx: Tx, newsletterId: string, emailCanonical: string): Promise<boolean> {
  const rows = await tx.$executeRaw`
    DELETE FROM suppressions WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ${emailCanonical}
      AND reason = 'bounced'`;
  return rows > 0;
}

/** Ends a suppression that what has happened since proves wrong: mail does arrive there and is welcome. */
export async function liftSuppression(tx: Tx, newsletterId: string, emailCanonical: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM suppressions WHERE newsletter_id = ${newsletterId}::uuid AND email_canonical = ${emailCanonical}
      AND reason <> 'denied'`;
}

type Activity = Person & {
  kind: string;
  actorKind: string;
  actorId?: string | null;
  address: string | null;
  /** Of a change: what was before and what came, by field. */
  detail?: Record<string, [string, string]> | null;
};

/** Writes one line of the person's own timeline. */
export async function insertEvent(
  tx: Tx,
  { newsletterId, subscriberId, kind, actorKind, actorId = null, address, detail = null }: Activity,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, actor_id, address, detail)
    VALUES (${newId()}::uuid, ${newsletterId}::uuid, ${subscriberId}::uuid, ${kind}, ${actorKind}, ${actorId}::uuid,
      ${address}, ${detail && JSON.stringify(detail)}::jsonb)`;
}

/** Whether a person who is gone was removed by this audited act. */
export async function wasRemovedBy(
  db: Db | Tx,
  action: string,
  accountId: string,
  link: Linked,
): Promise<boolean> {
  // Entries are found by account and id alone, but ids are in the order of time, and the act came after the mail:
  // only what was written since then is read.
  const rows = await db.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM audit_entries
      WHERE account_id = ${accountId}::uuid AND id >= ${startOfHourBefore(link.mailId)}::uuid
        AND action = ${action} AND newsletter_id = ${link.newsletterId}::uuid
        AND subject_id = ${link.subscriberId}::uuid) AS found`;
  return rows[0]?.found === true;
}

const HOUR_MS = 3_600_000;

/** The lowest UUID v7 of an hour before this one; the hour is for machines whose clocks disagree. */
function startOfHourBefore(uuid: string): string {
  const made = Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
  const hex = Math.max(0, made - HOUR_MS)
    .toString(16)
    .padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
