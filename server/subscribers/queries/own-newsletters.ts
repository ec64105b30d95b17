import type { Db, Tx } from "../../platform/db/client";
import type { Status } from "../status-moves";

export type OwnNewsletterRow = {
  newsletterId: string;
  id: string;
  name: string;
  status: Status;
  unsubscribedAt: Date | null;
};

/** The account's newsletters with this person's address in any status, this newsletter first. */
export async function listOwnNewsletters(
  db: Db | Tx,
  newsletterId: string,
  id: string,
): Promise<OwnNewsletterRow[]> {
  return db.$queryRaw<OwnNewsletterRow[]>`
    SELECT o.newsletter_id AS "newsletterId", o.id, m.name, o.status, o.unsubscribed_at AS "unsubscribedAt"
    FROM subscribers s JOIN newsletters n ON n.id = s.newsletter_id
    JOIN subscribers o ON o.email_canonical = s.email_canonical
    JOIN newsletters m ON m.id = o.newsletter_id AND m.account_id = n.account_id
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid
    ORDER BY o.newsletter_id <> s.newsletter_id, m.name, o.newsletter_id`;
}
