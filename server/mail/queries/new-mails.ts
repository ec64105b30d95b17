import { confirmationLinkDays, preferencesLinkHours } from "../../kernel/durations";
import { Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import { deferReasons } from "../delivery/reasons";
import type { ownMailKinds } from "../schema/mail-states";
import type { Mailing } from "./mailings";

export type NewMailRow = {
  id: string;
  newsletterId: string;
  subscriberId: string;
  toEmail: string;
  /** SHA-256, in hex, of the key that identifies the person for throttling. */
  recipientHash: string;
};

/** How long the link of a confirmation works. */
export const linkLife = Prisma.sql`make_interval(days => ${confirmationLinkDays}::int)`;

/** How long the link to a person's preferences works. */
export const preferencesLife = Prisma.sql`make_interval(hours => ${preferencesLinkHours}::int)`;

/**
 * Inserts waiting confirmations. No other statement inserts them. Each must be sent within 7 days by the database's
 * clock.
 * @param source rows `(id, newsletter_id, subscriber_id, to_email, recipient_hash)`
 * @param mailing null: they may leave at once
 * @param urgent they leave before bulk mails
 */
export const insertConfirmations = (
  source: Prisma.Sql,
  mailing: Mailing | null,
  urgent = false,
) => Prisma.sql`
  INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at,
    urgent, state, mailing_id, deferred_until, error_code, error_message)
  SELECT id, newsletter_id, subscriber_id, 'confirmation', to_email, recipient_hash, now() + ${linkLife},
    ${urgent}, ${mailing ? "deferred" : "waiting"}, ${mailing?.id ?? null}::uuid, ${mailing?.dueAt ?? null}::timestamptz,
    ${mailing && "mailing"}, ${mailing && deferReasons.mailing}
  FROM ${source}`;

/** Writes waiting confirmations. A single one is urgent: a person is waiting for it. */
export async function insertWaiting(tx: Tx, rows: NewMailRow[], mailing: Mailing | null): Promise<void> {
  const column = (name: keyof NewMailRow) => textArray(rows.map((row) => row[name]));
  const source = Prisma.sql`unnest(
      ${column("id")}::uuid[], ${column("newsletterId")}::uuid[], ${column("subscriberId")}::uuid[],
      ${column("toEmail")}::text[], ${column("recipientHash")}::text[]
    ) AS new (id, newsletter_id, subscriber_id, to_email, recipient_hash)`;
  const urgent = rows.length === 1 && mailing === null;
  await tx.$executeRaw`${insertConfirmations(source, mailing, urgent)}`;
}

/**
 * Writes a waiting welcome, if the newsletter has one and the person had none in 24 hours. It is urgent: the person has
 * just confirmed.
 * @returns whether it was written
 */
export async function insertWelcome(tx: Tx, row: NewMailRow): Promise<boolean> {
  const { id, newsletterId, subscriberId, toEmail, recipientHash } = row;
  const written = await tx.$executeRaw`
    INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at, urgent, state)
    SELECT ${id}::uuid, n.id, ${subscriberId}::uuid, 'welcome', ${toEmail}, ${recipientHash}, now() + ${linkLife}, true, 'waiting'
    FROM newsletters n WHERE n.id = ${newsletterId}::uuid AND n.welcome_on AND NOT EXISTS (
      SELECT FROM mails m WHERE m.newsletter_id = n.id AND m.subscriber_id = ${subscriberId}::uuid AND m.kind = 'welcome'
        AND m.state NOT IN ('cancelled', 'failed') AND m.created_at > now() - interval '1 day')`;
  return written > 0;
}

/**
 * Writes a waiting mail with a person's link to their preferences, or to confirm a new address. It is urgent: the
 * person is waiting for it.
 */
export async function insertPreferences(
  tx: Tx,
  { kind, ...row }: NewMailRow & { kind: (typeof ownMailKinds)[number] },
): Promise<void> {
  const { id, newsletterId, subscriberId, toEmail, recipientHash } = row;
  await tx.$executeRaw`
    INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at, urgent, state)
    VALUES (${id}::uuid, ${newsletterId}::uuid, ${subscriberId}::uuid, ${kind}, ${toEmail}, ${recipientHash},
      now() + ${preferencesLife}, true, 'waiting')`;
}

/** A rendered mail to the staff. The domain of `toEmail` is in ASCII. */
export type StaffMail = { toEmail: string; subject: string; html: string; text: string } & (
  | { kind: "test"; newsletterId: string; staffId: string }
  | { kind: "invitation"; invitationId: string; linkExpiresAt: Date }
  | { kind: "notice"; staffId: string }
);

/** Writes a waiting mail to the staff. It is urgent: a person is waiting for it. */
export async function insertWritten(
  tx: Tx,
  row: StaffMail & { id: string; recipientHash: string; linkExpiresAt: Date },
): Promise<void> {
  await tx.mail.create({ data: { ...row, urgent: true } });
}

/** The number of tests that a staff member has requested in the last `minutes`. */
export async function countTestMails(tx: Tx, staffId: string, minutes: number): Promise<number> {
  const rows = await tx.$queryRaw<{ mails: number }[]>`
    SELECT count(*)::int AS mails FROM mails
    WHERE staff_id = ${staffId}::uuid AND created_at > now() - ${minutes}::int * interval '1 minute'`;
  return rows[0]?.mails ?? 0;
}
