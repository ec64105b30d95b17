import type { AuditAction } from "../../accounts/schema/audit-actions";
import { lowestIdAt, msOfId } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { SuppressionReason } from "../../suppressions/schema/suppression-messages";
import { suppressionOf } from "../../suppressions/shared-queries";
import type { Status } from "../status-moves";

/** The data of a mailed link: subscriber, newsletter and mail. */
type Link = { newsletterId: string; subscriberId: string; mailId: string; expiresAt: Date };

/** The subscriber of a link. */
export type LinkedRow = {
  email: string;
  emailCanonical: string;
  status: Status;
  confirmedAt: Date | null;
  /** By the database's clock. A link from before an unsubscribe counts as expired. */
  expired: boolean;
  /** The recipient of the mail with this link; null when the mail is no longer stored. */
  mailedTo: string | null;
  /** The mail was handed to the provider. Staff alone can have read a mail that was only logged. */
  mailed: boolean;
  /** The subscriber unsubscribed and has not resubscribed themselves. */
  left: boolean;
  suppression: SuppressionReason | null;
  /** Another confirmation to this subscriber is queued, or its link still works. */
  hasLiveLink: boolean;
};

/** @returns null when the subscriber doesn't exist */
export async function findLinked(db: Db | Tx, link: Link): Promise<LinkedRow | null> {
  const rows = await db.$queryRaw<LinkedRow[]>`
    SELECT s.email, s.email_canonical AS "emailCanonical", s.status, s.confirmed_at AS "confirmedAt", m.to_email AS "mailedTo",
      ${link.expiresAt}::timestamptz <= now() OR coalesce(m.created_at <= s.unsubscribed_at, false) AS expired,
      m.batch_id IS NOT NULL AS mailed, s.unsubscribed_at IS NOT NULL AS left, x.reason AS suppression,
      EXISTS (SELECT FROM mails other
        WHERE other.newsletter_id = s.newsletter_id AND other.subscriber_id = s.id AND other.id <> ${link.mailId}::uuid
          AND other.kind = 'confirmation' AND other.state NOT IN ('failed', 'cancelled')
          AND other.link_expires_at > now()) AS "hasLiveLink"
    FROM subscribers s
    LEFT JOIN mails m ON m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id AND m.id = ${link.mailId}::uuid
    LEFT JOIN ${suppressionOf(Prisma.sql`s.newsletter_id`, Prisma.sql`s.email_canonical`)}
    WHERE s.newsletter_id = ${link.newsletterId}::uuid AND s.id = ${link.subscriberId}::uuid`;
  return rows[0] ?? null;
}

/**
 * Audit entries about a link's subscriber since its mail. The look-up uses account and id alone, because ids are in the
 * order of time. It starts an hour before the mail, because the clocks of machines differ.
 */
const sinceMail = (accountId: string, { newsletterId, subscriberId: subjectId, mailId }: Link) => ({
  accountId,
  id: { gte: lowestIdAt(msOfId(mailId) - HOUR_MS) },
  newsletterId,
  subjectId,
});

/** Whether this action of the audit log removed the subscriber. */
export async function wasRemovedBy(
  db: Db | Tx,
  action: string,
  { accountId, link }: { accountId: string; link: Link },
): Promise<boolean> {
  const entry = await db.auditEntry.findFirst({
    where: { ...sinceMail(accountId, link), action },
    select: { id: true },
  });
  return entry !== null;
}

/** The staff member who last viewed the link of a mail, or null. */
export async function findLinkReader(
  tx: Tx,
  { accountId, link }: { accountId: string; link: Link },
): Promise<string | null> {
  const read = { action: "people.link_read" satisfies AuditAction, actorKind: "staff" };
  const entry = await tx.auditEntry.findFirst({
    where: { ...sinceMail(accountId, link), ...read, detail: { path: ["mail"], equals: link.mailId } },
    orderBy: { id: "desc" },
    select: { actorId: true },
  });
  return entry?.actorId ?? null;
}
