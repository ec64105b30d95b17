import { lowestIdAt } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import type { MailFilter, MailState } from "../../mail/schema/mail-states";
import { OVER_BUDGET, ownDomainBudget } from "../../mail/shared-queries";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { likeLiteral } from "../../subscribers/shared-queries";
import { suppressionOf } from "../../suppressions/shared-queries";

/**
 * Mails in an open state that were not replaced by another mail. The text matches the condition of a small index
 * literally.
 */
export const ATTENTION = Prisma.sql`state NOT IN ('sent', 'cancelled', 'logged') AND retry_id IS NULL`;

/** States of mails that are still to be sent, or need attention from staff. */
const openStates: MailFilter[] = ["waiting", "deferred", "sending", "failed", "uncertain"];

/** Separates bounced and delivered mails from the other sent mails. */
const inFilter: Partial<Record<MailFilter, Prisma.Sql>> = {
  sent: Prisma.sql`AND state = 'sent' AND bounced_at IS NULL`,
  delivered: Prisma.sql`AND state = 'sent' AND bounced_at IS NULL AND delivered_at IS NOT NULL`,
  bounced: Prisma.sql`AND bounced_at IS NOT NULL`,
};

/** Mails that were sent again need no attention: only the unfiltered list shows them. */
function conditionOf(filter: MailFilter | undefined): Prisma.Sql {
  if (filter === undefined) return Prisma.empty;
  const attention = openStates.includes(filter) ? Prisma.sql`AND ${ATTENTION}` : Prisma.empty;
  return inFilter[filter] ?? Prisma.sql`AND state = ${filter} ${attention}`;
}

type MailListRow = {
  id: string;
  /** Null for a mail to the staff. */
  subscriberId: string | null;
  toEmail: string;
  kind: string;
  /** For a confirmation: whether it is a reminder. */
  isReminder: boolean;
  state: MailState;
  subject: string | null;
  reason: string | null;
  deferredUntil: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  frozenAt: Date | null;
  retryId: string | null;
  delayedAt: Date | null;
  deliveredAt: Date | null;
  bouncedAt: Date | null;
  bounceReason: string | null;
  complainedAt: Date | null;
};

/** Counts the unsent confirmations of people who are still pending: waiting, deferred or only logged. */
export function countLoggedMails(db: Db, newsletterId: string): Promise<number> {
  const state = { in: ["waiting", "deferred", "logged"] };
  return db.mail.count({
    where: { newsletterId, kind: "confirmation", state, subscriber: { status: "pending" } },
  });
}

type PageInput = {
  newsletterId: string;
  filter: MailFilter | undefined;
  /** Only mails to these people, and to staff with this text in their address, if there is a text; null: all mails. */
  to: { people: string[]; search: string | null } | null;
  after: string | null;
};

export async function pageOfMails(
  db: Db,
  { newsletterId, filter, to, after }: PageInput,
  limit: number,
): Promise<MailListRow[]> {
  const among = to
    ? Prisma.sql`AND id IN (
        SELECT id FROM mails WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id = ANY (${to.people}::uuid[])
        UNION ALL
        SELECT id FROM mails WHERE newsletter_id = ${newsletterId}::uuid AND subscriber_id IS NULL
          AND lower(to_email) LIKE lower(${to.search === null ? null : `%${likeLiteral(to.search)}%`}::text))`
    : Prisma.empty;
  const edge = after ? Prisma.sql`AND id < ${after}::uuid` : Prisma.empty;
  return db.$queryRaw<MailListRow[]>`
    SELECT id, subscriber_id AS "subscriberId", to_email AS "toEmail", kind, reminder_of IS NOT NULL AS "isReminder", state, subject, error_message AS reason,
      deferred_until AS "deferredUntil", created_at AS "createdAt", finished_at AS "finishedAt", frozen_at AS "frozenAt",
      retry_id AS "retryId", delayed_at AS "delayedAt", delivered_at AS "deliveredAt", bounced_at AS "bouncedAt",
      bounce_reason AS "bounceReason", complained_at AS "complainedAt"
    FROM mails WHERE newsletter_id = ${newsletterId}::uuid ${conditionOf(filter)} ${among} ${edge} ORDER BY id DESC LIMIT ${limit}`;
}

/**
 * Counts mails by state, for states that may need attention. Mails sent again are not counted. Neither are welcomes and
 * preferences links, which can't be replaced. Mails deferred for a daily budget are counted as over_budget.
 */
export async function countAttention(db: Db, newsletterId: string): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ state: string; mails: number }[]>`
    SELECT CASE WHEN ${OVER_BUDGET} THEN 'over_budget' ELSE state END AS state, count(*)::int AS mails FROM mails
    WHERE newsletter_id = ${newsletterId}::uuid AND ${ATTENTION} AND kind NOT IN ('welcome', 'preferences', 'new_address')
    GROUP BY 1`;
  return Object.fromEntries(rows.map((row) => [row.state, row.mails]));
}

type MailIssueRow = {
  /** bounced: sent and rejected by a mail server, and the person is still pending. */
  state: "deferred" | "sending" | "failed" | "uncertain" | "bounced";
  code: string | null;
  /** For mails that wait for a daily budget: its domain, its size, and when the next day begins. */
  domain: string | null;
  budget: number | null;
  until: Date | null;
  mails: number;
  /** The message, if all mails have the same one. */
  message: string | null;
};

/**
 * Groups the mails that are not arriving by reason, with counts. Omits invitations, and mails that wait for their
 * mailing.
 */
export async function groupIssues(db: Db, newsletterId: string): Promise<MailIssueRow[]> {
  return db.$queryRaw<MailIssueRow[]>`
    SELECT state, error_code AS code, domain, CASE error_code
        WHEN 'domain_day' THEN domain_mails_per_day WHEN 'own_domain_day' THEN ${ownDomainBudget} WHEN 'newsletter_day' THEN mails_per_day END AS budget,
      max(deferred_until) FILTER (WHERE ${OVER_BUDGET}) AS until, count(*)::int AS mails,
      CASE WHEN count(DISTINCT error_message) = 1 THEN max(error_message) END AS message
    FROM mails JOIN newsletters n ON n.id = newsletter_id
    CROSS JOIN LATERAL (SELECT CASE WHEN ${OVER_BUDGET} THEN budget_domain END) AS whose (domain)
    WHERE newsletter_id = ${newsletterId}::uuid AND ${ATTENTION}
      AND (state IN ('deferred', 'failed', 'uncertain') OR (state = 'sending' AND error_code IS NOT NULL))
      AND kind = 'confirmation' AND error_code IS DISTINCT FROM 'mailing'
    GROUP BY state, error_code, domain, domain_mails_per_day, mails_per_day
    UNION ALL
    SELECT 'bounced', NULL, NULL, NULL, NULL, count(DISTINCT s.id)::int, NULL
    FROM mails m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
    JOIN ${suppressionOf(Prisma.sql`s.newsletter_id`, Prisma.sql`s.email_canonical`)}
    WHERE m.newsletter_id = ${newsletterId}::uuid AND m.bounced_at IS NOT NULL AND s.status = 'pending'
      AND s.email = m.to_email AND x.reason = 'bounced'
    HAVING count(*) > 0
    ORDER BY mails DESC, state, code, domain`;
}

/** A newsletter's mail with the data for rendering it, or null. */
export function findMail(db: Db | Tx, newsletterId: string, id: string) {
  return db.mail.findFirst({
    where: { id, newsletterId },
    omit: { recipientHash: true },
    include: { newsletter: true },
  });
}

/** The newest mails of the installation, without their contents. */
export function listNewestMails(db: Db, limit: number) {
  return db.mail.findMany({ orderBy: { id: "desc" }, take: limit, omit: { html: true, text: true } });
}

/** Counts the people asked since a time and those who confirmed, with the median time to confirm in seconds. */
export async function confirmedSince(db: Db, newsletterId: string, since: Date) {
  const rows = await db.$queryRaw<{ asked: number; confirmed: number; medianSeconds: number | null }[]>`
    SELECT count(*)::int AS asked, count(s.confirmed_at)::int AS confirmed,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM s.confirmed_at - s.created_at)) AS "medianSeconds"
    FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.created_at >= ${since}::timestamptz
      AND s.id >= ${lowestIdAt(since.getTime() - HOUR_MS)}::uuid
      AND (s.confirmed_at IS NOT NULL OR s.status = 'pending')`;
  return rows[0] ?? { asked: 0, confirmed: 0, medianSeconds: null };
}
