import type { ownMailKinds } from "../../mail/schema/mail-states";
import type { Db, Tx } from "../../platform/db/client";

/** The mail that a link to preferences, or to use a new address, came with. */
export type PreferencesMail = {
  /** Where it was sent, as given. */
  toEmail: string;
  /** Of who it was for; of a new address, at the one before. */
  recipientHash: string;
  /** By the database's clock. */
  expired: boolean;
};

/** That mail, where it was handed over to a provider; null also where its person is gone. */
export async function findPreferencesMail(
  db: Db | Tx,
  {
    newsletterId,
    subscriberId,
    mailId,
    expiresAt,
  }: { newsletterId: string; subscriberId: string; mailId: string; expiresAt: Date },
  kind: (typeof ownMailKinds)[number],
): Promise<PreferencesMail | null> {
  const rows = await db.$queryRaw<PreferencesMail[]>`
    SELECT m.to_email AS "toEmail", m.recipient_hash AS "recipientHash", ${expiresAt}::timestamptz <= now() AS expired FROM mails m
    WHERE m.id = ${mailId}::uuid AND m.newsletter_id = ${newsletterId}::uuid AND m.subscriber_id = ${subscriberId}::uuid
      AND m.kind = ${kind} AND m.batch_id IS NOT NULL`;
  return rows[0] ?? null;
}
