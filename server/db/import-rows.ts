import type { PlanChange, RejectedLine, RowOutcome } from "../contract/imports";
import { type Db, Prisma, type Tx } from "./client";
import { textArray } from "./text-array";

/** One person of a list, checked. */
export type StagedRow = {
  line: number;
  email: string;
  canonical: string;
  firstName: string;
  lastName: string;
  status: "active" | "pending";
  /** What stands for somebody who is pending when mails are throttled; null for who is not. */
  recipientHash: string | null;
};

/** Somebody of the list who is on the list, or must not be mailed. */
export type KnownRow = { canonical: string; outcome: RowOutcome; fillName: boolean };

/**
 * Each row `r` beside its person `s` and suppression `x`. Looked up one by one (OFFSET 0 keeps it so): of rows that have just
 * come the planner knows nothing, and as joins it read the list from end to end, or once for each row.
 * @param canonical in the default collation, as the indexes looked up have it
 */
const standings = (newsletterId: string, canonical: Prisma.Sql) => Prisma.sql`
  LEFT JOIN LATERAL (SELECT id, status, first_name, last_name FROM subscribers
    WHERE email_canonical = ${canonical} AND newsletter_id = ${newsletterId}::uuid OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT email_canonical FROM suppressions
    WHERE email_canonical = ${canonical} AND newsletter_id = ${newsletterId}::uuid OFFSET 0) x ON true`;

/** What becomes of row `r`, by how person `s` and suppression `x` stand. */
const outcome = Prisma.sql`
  CASE WHEN x.email_canonical IS NOT NULL THEN 'suppressed' WHEN s.status IS NULL THEN 'new_' || r.status
    WHEN s.status = 'unsubscribed' THEN 'unsubscribed' ELSE 'already_' || s.status END`;
const fillName = Prisma.sql`
  x.email_canonical IS NULL AND coalesce(s.status IN ('active', 'pending') AND s.first_name = '' AND s.last_name = '', false)
    AND r.first_name <> ''`;

/**
 * Writes rows of a plan, each with what becomes of it by the list as it is now.
 * @param fill whether blank names of people on the list are to be filled
 * @returns those that are not simply new
 */
export async function stageRows(
  tx: Tx,
  newsletterId: string,
  importId: string,
  rows: StagedRow[],
  fill: boolean,
): Promise<KnownRow[]> {
  const column = (name: Exclude<keyof StagedRow, "line">) => textArray(rows.map((row) => row[name]));
  return tx.$queryRaw<KnownRow[]>`
    WITH staged AS (
      INSERT INTO import_rows
        (import_id, email_canonical, line, email, first_name, last_name, status, recipient_hash, outcome, fill_name)
      SELECT ${importId}::uuid, r.canonical, r.line, r.email, r.first_name, r.last_name, r.status, r.recipient_hash, ${outcome}, ${fill} AND ${fillName}
      FROM unnest(
        ${`{${rows.map((row) => row.line)}}`}::int[], ${column("email")}::text[], ${column("canonical")}::text[],
        ${column("firstName")}::text[], ${column("lastName")}::text[], ${column("status")}::text[],
        ${column("recipientHash")}::text[]
      ) AS r (line, email, canonical, first_name, last_name, status, recipient_hash)
      ${standings(newsletterId, Prisma.sql`r.canonical`)}
      RETURNING email_canonical, outcome, fill_name
    )
    SELECT email_canonical AS canonical, outcome, fill_name AS "fillName" FROM staged
    WHERE outcome NOT IN ('new_active', 'new_pending')`;
}

export async function insertRejected(tx: Tx, importId: string, lines: RejectedLine[]): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO import_rejected (import_id, line, text, reason)
    SELECT ${importId}::uuid, line, text, reason
    FROM unnest(${lines.map(({ line }) => line)}::int[], ${textArray(lines.map(({ text }) => text))}::text[],
      ${textArray(lines.map(({ reason }) => reason))}::text[]) AS new (line, text, reason)
    ON CONFLICT DO NOTHING`;
}

export async function listRejected(db: Db, importId: string): Promise<RejectedLine[]> {
  return db.$queryRaw`
    SELECT line, text, reason FROM import_rejected WHERE import_id = ${importId}::uuid ORDER BY line`;
}

/** Domains of the list that at least `people` of the newsletter's latest 20,000 have. */
export async function listTrustedDomains(
  db: Db | Tx,
  newsletterId: string,
  importId: string,
  people: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ domain: string }[]>`
    SELECT domain FROM (
      SELECT split_part(email_canonical, '@', 2) AS domain FROM (
        SELECT email_canonical FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid ORDER BY id DESC LIMIT 20000
      ) AS latest GROUP BY 1 HAVING count(*) >= ${people}::int
    ) AS frequent
    WHERE domain IN (SELECT split_part(email_canonical, '@', 2) FROM import_rows WHERE import_id = ${importId}::uuid)
    ORDER BY domain`;
  return rows.map((row) => row.domain);
}

/**
 * What of a plan does not hold any more: how many rows, and the first 100 by line; and how many rows there are.
 * @param fill whether blank names are to be filled
 */
export async function findChanges(
  db: Db | Tx,
  newsletterId: string,
  importId: string,
  fill: boolean,
): Promise<{ rows: number; changed: number; changes: PlanChange[] }> {
  const [found] = await db.$queryRaw<{ rows: number; changed: number; changes: PlanChange[] | null }[]>`
    WITH validated AS MATERIALIZED (
      SELECT r.line, r.email, r.outcome AS was, ${outcome} AS becomes, r.fill_name, ${fill} AND ${fillName} AS fills
      FROM import_rows r
      ${standings(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
      WHERE r.import_id = ${importId}::uuid
    ), differing AS (
      SELECT * FROM validated WHERE was <> becomes OR fill_name <> fills
    )
    SELECT (SELECT count(*) FROM validated)::int AS rows, (SELECT count(*) FROM differing)::int AS changed,
      (SELECT jsonb_agg(jsonb_build_object('line', line, 'email', email, 'was', was, 'is', becomes)
          || CASE WHEN fill_name <> fills THEN '{"name": true}'::jsonb ELSE '{}'::jsonb END ORDER BY line)
        FROM (SELECT * FROM differing ORDER BY line LIMIT 100) AS shown) AS changes`;
  return { rows: found?.rows ?? 0, changed: found?.changed ?? 0, changes: found?.changes ?? [] };
}

/** Where to cut the rows that bring somebody new into pieces of `size`: the last canonical address of each. */
export async function cutNewRows(tx: Tx, importId: string, size: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ canonical: string }[]>`
    SELECT email_canonical AS canonical FROM (
      SELECT email_canonical, row_number() OVER (ORDER BY email_canonical) AS n, count(*) OVER () AS total
      FROM import_rows WHERE import_id = ${importId}::uuid AND outcome IN ('new_active', 'new_pending')
    ) AS numbered WHERE n % ${size}::int = 0 OR n = total ORDER BY email_canonical`;
  return rows.map((row) => row.canonical);
}

/**
 * Adds the new people between two canonical addresses (the first one excluded) whose address is free, in the order in which
 * addresses are inserted everywhere, and a waiting confirmation for each who is pending; see insertMissing and insertWaiting,
 * which do the same for people who come in a request.
 * @returns how many there were, how many went in, and how many are to be mailed
 */
export async function insertNewRows(
  tx: Tx,
  newsletterId: string,
  importId: string,
  after: string,
  to: string,
): Promise<{ rows: number; added: number; mailed: number }> {
  const [counted] = await tx.$queryRaw<{ rows: number; added: number; mailed: number }[]>`
    WITH new AS MATERIALIZED (
      SELECT new_id(statement_timestamp(), row_number() OVER (ORDER BY email_canonical)) AS id, email, email_canonical,
        first_name, last_name, status, recipient_hash
      FROM import_rows
      WHERE import_id = ${importId}::uuid AND email_canonical > ${after} AND email_canonical <= ${to}
        AND outcome IN ('new_active', 'new_pending')
    ), added AS (
      INSERT INTO subscribers
        (newsletter_id, id, email, email_canonical, first_name, last_name, status, source, source_id)
      SELECT ${newsletterId}::uuid, id, email, email_canonical, first_name, last_name, status, 'import', ${importId}::uuid
      FROM new ORDER BY email_canonical
      ON CONFLICT (newsletter_id, email_canonical) DO NOTHING
      RETURNING id
    ), mailed AS (
      INSERT INTO mails (id, newsletter_id, subscriber_id, kind, to_email, recipient_hash, link_expires_at)
      SELECT new_id(statement_timestamp(), row_number() OVER (ORDER BY id)), ${newsletterId}::uuid, id, 'confirmation', email,
        recipient_hash, now() + interval '7 days'
      -- As a CASE it stays a look-up by hash; as a join, of two sets nobody has statistics of, it would go through all pairs.
      FROM new WHERE status = 'pending' AND CASE WHEN id IN (SELECT id FROM added) THEN true END
      RETURNING id
    )
    SELECT (SELECT count(*) FROM new)::int AS rows, (SELECT count(*) FROM added)::int AS added,
      (SELECT count(*) FROM mailed)::int AS mailed`;
  return counted ?? { rows: 0, added: 0, mailed: 0 };
}

/** Notes by id who was on the list already, and whose name is to be filled; see import-names.ts. @returns how many */
export async function noteLeft(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  return tx.$executeRaw`
    INSERT INTO import_left (import_id, subscriber_id, outcome, named_version)
    SELECT r.import_id, s.id, r.outcome, CASE WHEN r.fill_name THEN 0 END FROM import_rows r
    ${standings(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
    WHERE r.import_id = ${importId}::uuid AND r.outcome IN ('already_active', 'already_pending', 'unsubscribed') AND s.id IS NOT NULL`;
}

/** How many who were to be new must not be mailed any more. */
export async function countNewlySuppressed(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM suppressions x CROSS JOIN LATERAL (
      SELECT FROM import_rows WHERE import_id = ${importId}::uuid AND email_canonical = x.email_canonical
        AND outcome IN ('new_active', 'new_pending') OFFSET 0) r
    WHERE x.newsletter_id = ${newsletterId}::uuid`;
  return row?.people ?? 0;
}
