import { mailProviders } from "../../kernel/mail-providers";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { type BudgetCode, budgetCodes, leastOwnDomainMailsPerDay } from "../schema/mail-budgets";
import { isOwn } from "./due-mails";

/** Matches mails deferred for a budget. */
export const OVER_BUDGET = Prisma.sql`state = 'deferred' AND error_code IN (${Prisma.join([...budgetCodes])})`;

/** The budget of a newsletter `n` for one domain, for mails that no stranger caused. */
export const ownDomainBudget = Prisma.sql`greatest(n.domain_mails_per_day, ${leastOwnDomainMailsPerDay}::int)`;

const providers = new Set(mailProviders);

/**
 * The name under which `mail_budgets` counts mails to a domain: with an @ for those that no stranger caused. Null for
 * large providers, which host many people of one newsletter.
 */
export function budgetDomain(domain: string, isOwn: boolean): string | null {
  if (providers.has(domain)) return null;
  return isOwn ? `@${domain}` : domain;
}

/** A confirmation that may be sent within the daily budgets. `domain`: as `budgetDomain`. */
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

/** A day is a UTC day, by the database's clock. */
const today = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;

/** The size of the budget that is counted under this name: as `budgetDomain`, or '' for the newsletter's. */
const sizeOf = (name: Prisma.Sql) => Prisma.sql`CASE WHEN ${name} = '' THEN n.mails_per_day
  WHEN ${name} LIKE '@%' THEN ${ownDomainBudget} ELSE n.domain_mails_per_day END`;

/**
 * The tables `asked` and `decided`: which mails have a place in the budgets of their domain and their newsletter.
 * @param mails rows `(id, newsletter_id, domain, place)`, with a place for each mail in its order
 */
const decisions = (mails: Prisma.Sql) => Prisma.sql`
    asked AS (
      SELECT a.*, ${sizeOf(Prisma.sql`a.domain`)} AS domain_budget, n.mails_per_day, coalesce(newsletter.mails, 0) AS sent,
        a.domain IS NULL OR ${sizeOf(Prisma.sql`a.domain`)} >=
          coalesce(domain.mails, 0) + row_number() OVER (PARTITION BY a.newsletter_id, a.domain ORDER BY a.place) AS fits
      FROM ${mails} AS a (id, newsletter_id, domain, place)
      JOIN newsletters n ON n.id = a.newsletter_id
      LEFT JOIN mail_budgets domain
        ON domain.newsletter_id = a.newsletter_id AND domain.day = ${today} AND domain.domain = a.domain
      LEFT JOIN mail_budgets newsletter
        ON newsletter.newsletter_id = a.newsletter_id AND newsletter.day = ${today} AND newsletter.domain = ''
    ), decided AS (
      SELECT *, CASE
        WHEN NOT fits AND domain LIKE '@%' THEN 'own_domain_day'
        WHEN NOT fits THEN 'domain_day'
        WHEN sent + count(*) FILTER (WHERE fits) OVER (PARTITION BY newsletter_id ORDER BY place) > mails_per_day
          THEN 'newsletter_day'
      END AS code FROM asked
    )`;

const overBudget = Prisma.sql`id, code, CASE WHEN code <> 'newsletter_day' THEN ltrim(domain, '@') END AS domain,
      CASE WHEN code <> 'newsletter_day' THEN domain_budget ELSE mails_per_day END AS budget,
      (${today} + 1)::timestamp AT TIME ZONE 'UTC' AS until`;

/**
 * Takes a place for each of these mails, in order, from the daily budgets of its domain and its newsletter. One
 * statement decides and counts. The caller holds the batching lock.
 * @returns the mails without a place
 */
export async function takeFromBudgets(tx: Tx, mails: BudgetedMail[]): Promise<OverBudgetRow[]> {
  if (mails.length === 0) return [];
  const column = (name: keyof BudgetedMail) => mails.map((mail) => mail[name]);
  const given = Prisma.sql`unnest(${column("id")}::uuid[], ${column("newsletterId")}::uuid[], ${column("domain")}::text[])
        WITH ORDINALITY`;
  return tx.$queryRaw<OverBudgetRow[]>`
    WITH ${decisions(given)}, counted AS (
      INSERT INTO mail_budgets AS known (newsletter_id, day, domain, mails)
      SELECT newsletter_id, ${today}, counted_for, count(*)
      FROM decided CROSS JOIN LATERAL (VALUES (''), (domain)) AS budgets (counted_for)
      WHERE code IS NULL AND counted_for IS NOT NULL GROUP BY newsletter_id, counted_for
      ON CONFLICT (newsletter_id, day, domain) DO UPDATE SET mails = known.mails + excluded.mails
    )
    SELECT ${overBudget} FROM decided WHERE code IS NOT NULL`;
}

/** The most mails of a queue that a forecast reads. */
const LOOKED_AT = 10_000;

/**
 * The confirmations of a newsletter that may leave now, as rows of `mails`. Each part reads one small partial index,
 * which the planner can't exchange for a longer one.
 */
function queueOf(newsletterId: string, urgentOnly: boolean): Prisma.Sql {
  const inNewsletter = Prisma.sql`newsletter_id = ${newsletterId}::uuid AND kind = 'confirmation'`;
  const urgent = Prisma.sql`
    SELECT * FROM (
      SELECT * FROM mails WHERE urgent AND state IN ('waiting', 'deferred') AND (state = 'waiting' OR deferred_until <= now()) OFFSET 0
    ) AS urgent WHERE ${inNewsletter}`;
  if (urgentOnly) return urgent;
  return Prisma.sql`${urgent}
    UNION ALL SELECT * FROM mails WHERE ${inNewsletter} AND NOT urgent AND state = 'waiting'
      AND state NOT IN ('sent', 'cancelled', 'logged') AND retry_id IS NULL
    UNION ALL SELECT * FROM (
      SELECT * FROM mails WHERE state = 'deferred' AND deferred_until <= now() OFFSET 0
    ) AS deferred WHERE ${inNewsletter} AND NOT urgent`;
}

/** The mails of a newsletter that leave before others; see `isTight` and `foreseeBudgets`. */
type Queue = { newsletterId: string; urgentOnly: boolean };

/**
 * SQL: whether all mails of a queue together could exceed the newsletter's budget or one of these domains' budgets.
 * Otherwise each of its mails to these domains has a place, and no forecast is needed.
 * @param domains as `budgetDomain`
 */
export const isTight = ({ newsletterId, urgentOnly }: Queue, domains: string[]) => Prisma.sql`(
    WITH room AS (
      SELECT min(${sizeOf(Prisma.sql`budget.domain`)} - coalesce(b.mails, 0)) AS places
      FROM newsletters n CROSS JOIN unnest(${["", ...domains]}::text[]) AS budget (domain)
      LEFT JOIN mail_budgets b ON b.newsletter_id = n.id AND b.day = ${today} AND b.domain = budget.domain
      WHERE n.id = ${newsletterId}::uuid
    )
    SELECT count(*) > (SELECT places FROM room) FROM (
      SELECT FROM (${queueOf(newsletterId, urgentOnly)}) AS queue LIMIT (SELECT greatest(places, 0) + 1 FROM room)
    ) AS counted
  )`;

/**
 * Foresees which of these waiting confirmations won't get a place in today's budgets, in the order in which
 * `claimDue` claims them. Of a longer queue it reads the first 10,000 mails. For later ones it only compares their number with
 * the newsletter's budget.
 * @param without mails that take no place, because their person's limit holds them
 */
export async function foreseeBudgets(
  tx: Db | Tx,
  { newsletterId, urgentOnly }: Queue,
  { ids, without }: { ids: string[]; without: string[] },
): Promise<OverBudgetRow[]> {
  if (ids.length === 0) return [];
  const queue = Prisma.sql`(
        SELECT m.id, m.newsletter_id, CASE WHEN at.domain <> ALL (${mailProviders}::text[])
          THEN CASE WHEN ${isOwn} THEN '@' ELSE '' END || at.domain END, row_number() OVER (ORDER BY m.urgent DESC, m.id)
        FROM (SELECT * FROM (${queueOf(newsletterId, urgentOnly)}) AS queue WHERE id <> ALL (${without}::uuid[])
          ORDER BY urgent DESC, id LIMIT ${LOOKED_AT}) AS m
        JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id
        CROSS JOIN LATERAL split_part(s.email_canonical, '@', 2) AS at (domain)
      )`;
  return tx.$queryRaw<OverBudgetRow[]>`
    WITH ${decisions(queue)}
    SELECT ${overBudget} FROM decided WHERE code IS NOT NULL AND id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT later.id, 'newsletter_day', NULL, n.mails_per_day, (${today} + 1)::timestamp AT TIME ZONE 'UTC'
    FROM unnest(${ids}::uuid[]) AS later (id) JOIN newsletters n ON n.id = ${newsletterId}::uuid
    LEFT JOIN mail_budgets b ON b.newsletter_id = n.id AND b.day = ${today} AND b.domain = ''
    WHERE coalesce(b.mails, 0) + ${LOOKED_AT} >= n.mails_per_day
      AND (SELECT count(*) FROM decided) >= ${LOOKED_AT} AND later.id NOT IN (SELECT id FROM decided)`;
}

/** Makes a newsletter's mails that wait for a budget due now, since they may fit now. */
export async function reconsiderBudgets(tx: Tx, newsletterId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE mails SET deferred_until = date_trunc('milliseconds', now())
    WHERE newsletter_id = ${newsletterId}::uuid AND ${OVER_BUDGET} AND retry_id IS NULL`;
}
