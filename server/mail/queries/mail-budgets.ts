import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type BudgetCode, type BudgetGroup, budgetCodes } from "../schema/mail-budgets";
import { deferForBudget } from "./mail-state-changes";
import type { MailingOfMails } from "./new-mails";

/** Matches mails deferred for a budget. */
export const OVER_BUDGET = Prisma.sql`state = 'deferred' AND error_code IN (${Prisma.join([...budgetCodes])})`;

/** A confirmation that may be sent within the daily budgets. `domain`: null when no domain budget applies. */
export type BudgetedMail = { id: string; newsletterId: string; domain: string | null };

export type OverBudgetRow = BudgetGroup & {
  id: string;
  newsletterId: string;
  code: BudgetCode;
  /** The size of the budget. */
  budget: number;
  /** When the next day begins. */
  until: Date;
};

/**
 * Takes a place for each of these mails, in order, from the daily budgets of its domain and its newsletter. One
 * statement decides and counts. A day is a UTC day, by the database's clock. The caller holds the batching lock.
 * @returns the mails without a place
 */
export async function takeFromBudgets(tx: Tx, mails: BudgetedMail[]): Promise<OverBudgetRow[]> {
  if (mails.length === 0) return [];
  const column = (name: keyof BudgetedMail) => mails.map((mail) => mail[name]);
  return tx.$queryRaw<OverBudgetRow[]>`
    WITH today AS (
      SELECT (now() AT TIME ZONE 'UTC')::date AS day
    ), asked AS (
      SELECT a.*, n.domain_mails_per_day, n.mails_per_day, coalesce(newsletter.mails, 0) AS sent,
        a.domain IS NULL OR n.domain_mails_per_day >=
          coalesce(domain.mails, 0) + row_number() OVER (PARTITION BY a.newsletter_id, a.domain ORDER BY a.place) AS fits
      FROM unnest(${column("id")}::uuid[], ${column("newsletterId")}::uuid[], ${column("domain")}::text[])
        WITH ORDINALITY AS a (id, newsletter_id, domain, place)
      CROSS JOIN today
      JOIN newsletters n ON n.id = a.newsletter_id
      LEFT JOIN mail_budgets domain
        ON domain.newsletter_id = a.newsletter_id AND domain.day = today.day AND domain.domain = a.domain
      LEFT JOIN mail_budgets newsletter
        ON newsletter.newsletter_id = a.newsletter_id AND newsletter.day = today.day AND newsletter.domain = ''
    ), decided AS (
      SELECT *, CASE
        WHEN NOT fits THEN 'domain_day'
        WHEN sent + count(*) FILTER (WHERE fits) OVER (PARTITION BY newsletter_id ORDER BY place) > mails_per_day
          THEN 'newsletter_day'
      END AS code FROM asked
    ), counted AS (
      INSERT INTO mail_budgets AS known (newsletter_id, day, domain, mails)
      SELECT newsletter_id, day, counted_for, count(*)
      FROM decided CROSS JOIN today CROSS JOIN LATERAL (VALUES (''), (domain)) AS budgets (counted_for)
      WHERE code IS NULL AND counted_for IS NOT NULL GROUP BY newsletter_id, day, counted_for
      ON CONFLICT (newsletter_id, day, domain) DO UPDATE SET mails = known.mails + excluded.mails
    )
    SELECT id, newsletter_id AS "newsletterId", code, CASE code WHEN 'domain_day' THEN domain END AS domain,
      CASE code WHEN 'domain_day' THEN domain_mails_per_day ELSE mails_per_day END AS budget,
      (day + 1)::timestamp AT TIME ZONE 'UTC' AS until
    FROM decided CROSS JOIN today WHERE code IS NOT NULL`;
}

/** How many of the oldest mails one statement reads, so that a large outbox delays no other newsletter. */
const LOOK_AHEAD = 10_000;

/** Mails over one budget, the time until they are deferred, and the reason in words. */
export type Surplus = BudgetGroup & { newsletterId: string; until: Date; message: string };

/**
 * Defers all due mails of a used-up budget at once. Otherwise they would pass through batch after batch, ahead of all
 * other mails.
 * @param except mails that leave now
 * @returns whether the first mails were deferred until then; a job is needed for that time
 */
export async function deferSurplus(tx: Tx, surplus: Surplus, except: string[]): Promise<boolean> {
  const { newsletterId, domain, code, until, message } = surplus;
  const isFirst =
    (
      await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM mails WHERE ${OVER_BUDGET} AND deferred_until = ${until}::timestamptz LIMIT 1`
    ).length === 0;
  // Arrays, which are looked up by the key. Joins were quadratic for 10,000 rows: the planner expected only a few rows.
  const ids = Prisma.sql`
      SELECT m.id FROM mails m
      WHERE m.id = ANY (ARRAY(
          (SELECT id FROM mails WHERE state = 'waiting' ORDER BY id LIMIT ${LOOK_AHEAD})
          UNION ALL
          (SELECT id FROM mails WHERE state = 'deferred' AND deferred_until <= now()
            ORDER BY deferred_until, id LIMIT ${LOOK_AHEAD})))
        AND m.id <> ALL (${except}::uuid[])
        AND m.newsletter_id = ${newsletterId}::uuid AND m.kind = 'confirmation' AND m.released_at IS NULL
        AND (${domain}::text IS NULL OR ${domain} = (
          SELECT split_part(s.email_canonical, '@', 2) FROM subscribers s
          WHERE s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id))
      FOR UPDATE SKIP LOCKED`;
  await deferForBudget(tx, ids, { code, message, domain, until });
  return isFirst;
}

/**
 * Releases up to `limit` mails that wait for one budget, the oldest first.
 * @param mailing the mailing that they leave with; without one they are due now
 * @returns how many
 */
export function releaseMails(
  tx: Tx,
  { newsletterId, code, domain, limit }: BudgetGroup & { newsletterId: string; limit: number },
  mailing: MailingOfMails | null,
): Promise<number> {
  return tx.$executeRaw`
    UPDATE mails SET released_at = now(),
      deferred_until = coalesce(${mailing?.dueAt ?? null}::timestamptz, date_trunc('milliseconds', now())),
      mailing_id = ${mailing?.id ?? null}::uuid,
      error_code = ${mailing?.code ?? null}, error_message = ${mailing?.message ?? null}
    WHERE id = ANY (ARRAY(
      SELECT id FROM mails
      WHERE newsletter_id = ${newsletterId}::uuid AND state = 'deferred' AND retry_id IS NULL AND error_code = ${code}
        AND budget_domain IS NOT DISTINCT FROM ${domain}
      ORDER BY id LIMIT ${limit} FOR UPDATE))`;
}

/** Returns the mails that a mailing released to waiting for their budgets. @returns how many */
export function cancelRelease(tx: Tx, mailingId: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE mails SET released_at = NULL, mailing_id = NULL, deferred_until = date_trunc('milliseconds', now()),
      error_code = CASE WHEN budget_domain IS NULL THEN 'newsletter_day' ELSE 'domain_day' END, error_message = NULL
    WHERE mailing_id = ${mailingId}::uuid AND state = 'deferred'`;
}

/** Counts the mails that wait for one budget, with the names or addresses of a few recipients. */
export async function previewGroup(
  db: Db,
  newsletterId: string,
  { code, domain }: BudgetGroup,
  limit: number,
): Promise<{ mails: number; names: string[] }> {
  const rows = await db.$queryRaw<{ name: string; mails: number }[]>`
    SELECT coalesce(nullif(s.first_name, ''), s.email) AS name, (count(*) OVER ())::int AS mails
    FROM mails m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
    WHERE m.newsletter_id = ${newsletterId}::uuid AND m.state = 'deferred' AND m.retry_id IS NULL
      AND m.error_code = ${code} AND m.budget_domain IS NOT DISTINCT FROM ${domain}
    ORDER BY m.id LIMIT ${limit}`;
  return { mails: rows[0]?.mails ?? 0, names: rows.map(({ name }) => name) };
}

/** Makes a newsletter's mails that wait for a budget due now, since they may fit now. */
export async function reconsiderBudgets(tx: Tx, newsletterId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET deferred_until = date_trunc('milliseconds', now())
    WHERE newsletter_id = ${newsletterId}::uuid AND ${OVER_BUDGET} AND retry_id IS NULL`;
}
