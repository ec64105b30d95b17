import { mailProviders } from "../../kernel/mail-providers";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import { type BudgetCode, budgetCodes, leastOwnDomainMailsPerDay } from "../schema/mail-budgets";
import { isOwn } from "./due-mails";

/** Matches mails deferred for a budget. */
export const OVER_BUDGET = Prisma.sql`state = 'deferred' AND error_code IN (${Prisma.join([...budgetCodes])})`;

/** The budget of a newsletter `n` for one domain, for mails that no stranger caused. */
export const ownDomainBudget = Prisma.sql`greatest(n.domain_mails_per_day, ${leastOwnDomainMailsPerDay}::int)`;

const providers = new Set(mailProviders);
const providerNames = textArray(mailProviders);

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

/** The confirmations of a newsletter that may leave now. `urgentOnly`: those that leave before all others. */
type Queue = { newsletterId: string; urgentOnly: boolean };

/**
 * SQL: a queue as rows of `mails`. Each part reads a small partial index. OFFSET keeps the planner from a longer one for
 * the newsletter.
 */
function mailsIn({ newsletterId, urgentOnly }: Queue): Prisma.Sql {
  const inNewsletter = Prisma.sql`newsletter_id = ${newsletterId}::uuid AND kind = 'confirmation'`;
  if (urgentOnly)
    return Prisma.sql`SELECT * FROM (
      SELECT * FROM mails WHERE urgent AND state IN ('waiting', 'deferred') AND (state = 'waiting' OR deferred_until <= now()) OFFSET 0
    ) AS urgent WHERE ${inNewsletter}`;
  return Prisma.sql`SELECT * FROM mails WHERE ${inNewsletter} AND state = 'waiting'
      AND state NOT IN ('sent', 'cancelled', 'logged') AND retry_id IS NULL
    UNION ALL SELECT * FROM (SELECT * FROM mails WHERE state = 'deferred' AND deferred_until <= now() OFFSET 0) AS due
    WHERE ${inNewsletter}`;
}

/**
 * SQL: whether the mails of a queue could exceed the newsletter's budget or the budget of one of these domains.
 * Otherwise each of its mails to these domains has a place, and no forecast is needed. Domains are read from the
 * addresses as given, because joining the people takes five times as long.
 * @param names the domains, as `budgetDomain`
 */
export function isTight(queue: Queue, names: string[]): Prisma.Sql {
  const domains = textArray([...new Set(names.map((name) => name.replace(/^@/, "")))]);
  /** At most as many mails as show that more wait than fit. */
  const some = (columns: Prisma.Sql, fit: Prisma.Sql) =>
    Prisma.sql`(SELECT ${columns} FROM (${mailsIn(queue)}) AS m LIMIT greatest(${fit}, 0) + 1) AS seen`;
  const least = Prisma.sql`least(room.total, room.domain)`;
  const total = Prisma.sql`room.total`;
  return Prisma.sql`(
    SELECT CASE WHEN (SELECT count(*) FROM ${some(Prisma.empty, least)}) > ${least} THEN (
      SELECT count(*) > ${total} OR coalesce(count(*) FILTER (WHERE domain IN (SELECT unnest(${domains}::text[]))) > room.domain, false)
      FROM ${some(Prisma.sql`lower(split_part(to_email, '@', 2)) AS domain`, total)}
    ) ELSE false END
    FROM (
      SELECT min(places) FILTER (WHERE name = '') AS total, min(places) FILTER (WHERE name <> '') AS domain FROM (
        SELECT budget.name, ${sizeOf(Prisma.sql`budget.name`)} - coalesce(b.mails, 0) AS places
        FROM newsletters n CROSS JOIN unnest(${textArray(["", ...names])}::text[]) AS budget (name)
        LEFT JOIN mail_budgets b ON b.newsletter_id = n.id AND b.day = ${today} AND b.domain = budget.name
        WHERE n.id = ${queue.newsletterId}::uuid
      ) AS rooms
    ) AS room
  )`;
}

/** The most mails of a queue that a forecast reads. */
const LOOKED_AT = 10_000;

/**
 * Foresees which of these waiting confirmations won't get a place in today's budgets, in the order in which
 * `claimDue` claims them. Of a longer queue it reads the first 10,000 mails. For later ones it only compares their number with
 * the newsletter's budget.
 * @param without mails that take no place, because their person's limit holds them
 */
export async function foreseeBudgets(
  tx: Db | Tx,
  queue: Queue,
  { ids, without }: { ids: string[]; without: string[] },
): Promise<OverBudgetRow[]> {
  if (ids.length === 0) return [];
  const due = Prisma.sql`(
        SELECT id, newsletter_id, CASE WHEN domain NOT IN (SELECT unnest(${providerNames}::text[]))
          THEN CASE WHEN is_own THEN '@' ELSE '' END || domain END, row_number() OVER (ORDER BY urgent DESC, id)
        FROM (
          SELECT m.id, m.newsletter_id, m.urgent, split_part(s.email_canonical, '@', 2) AS domain, ${isOwn} AS is_own
          FROM (
            SELECT * FROM (${mailsIn(queue)}) AS m WHERE id <> ALL (${without}::uuid[]) ORDER BY urgent DESC, id LIMIT ${LOOKED_AT}
          ) AS m JOIN subscribers s ON s.newsletter_id = m.newsletter_id AND s.id = m.subscriber_id OFFSET 0
        ) AS described
      )`;
  return tx.$queryRaw<OverBudgetRow[]>`
    WITH ${decisions(due)}
    SELECT ${overBudget} FROM decided WHERE code IS NOT NULL AND id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT later.id, 'newsletter_day', NULL, n.mails_per_day, (${today} + 1)::timestamp AT TIME ZONE 'UTC'
    FROM unnest(${ids}::uuid[]) AS later (id) JOIN newsletters n ON n.id = ${queue.newsletterId}::uuid
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
