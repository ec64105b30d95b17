import type { ownMailKinds } from "../../mail/schema/mail-states";
import type { ConfirmationClaims } from "../../mail/signed-links";
import type { Db, Tx } from "../../platform/db/client";

/** The email with a preferences link, or with a link that confirms a new address. */
type PreferencesMail = {
  /** The address that the email was sent to, as given. */
  toEmail: string;
  /** The hash of the person's address. For a new address, the hash of the previous address. */
  recipientHash: string;
  /** By the database's clock. */
  expired: boolean;
};

/** Returns such an email if it was given to a mail provider; null also when its person no longer exists. */
export async function findPreferencesMail(
  db: Db | Tx,
  { newsletterId, subscriberId, mailId, expiresAt }: ConfirmationClaims,
  kind: (typeof ownMailKinds)[number],
): Promise<PreferencesMail | null> {
  const rows = await db.$queryRaw<PreferencesMail[]>`
    SELECT m.to_email AS "toEmail", m.recipient_hash AS "recipientHash", ${expiresAt}::timestamptz <= now() AS expired FROM mails m
    WHERE m.id = ${mailId}::uuid AND m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = ${subscriberId}::uuid
      AND m.kind = ${kind} AND m.batch_id IS NOT NULL`;
  return rows[0] ?? null;
}
