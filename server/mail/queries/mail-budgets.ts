import { Prisma, type Tx } from "../../platform/db/client";
import { type BudgetCode, budgetCodes } from "../schema/mail-budgets";

/** Matches mails deferred for a budget. */
export const OVER_BUDGET = Prisma.sql`state = 'deferred' AND error_code IN (${Prisma.join([...budgetCodes])})`;

/** A confirmation that may be sent within the daily budgets. `domain`: null when no domain budget applies. */
export type BudgetedMail = { id: string; newsletterId: string; domain: string | null };

export type OverBudgetRow = {
  id: string;
  code: BudgetCode;
  /** Set for a domain's budget. */
  domain: string | null;
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
    SELECT id, code, CASE code WHEN 'domain_day' THEN domain END AS domain,
      CASE code WHEN 'domain_day' THEN domain_mails_per_day ELSE mails_per_day END AS budget,
      (day + 1)::timestamp AT TIME ZONE 'UTC' AS until
    FROM decided CROSS JOIN today WHERE code IS NOT NULL`;
}

/** Makes a newsletter's mails that wait for a budget due now, since they may fit now. */
export async function reconsiderBudgets(tx: Tx, newsletterId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET deferred_until = date_trunc('milliseconds', now())
    WHERE newsletter_id = ${newsletterId}::uuid AND ${OVER_BUDGET} AND retry_id IS NULL`;
}
