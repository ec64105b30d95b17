import { insertConfirmations, type Mailing } from "../../mail/shared-queries";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import { textArray } from "../../platform/db/text-array";
import {
  allPersonColumns,
  insertNew,
  type NewPerson,
  personArrays,
  personColumns,
  rareArray,
  type StoredFields,
  type SubscriberRow,
  unnestedPeople,
} from "../../subscribers/shared-queries";
import { suppressionOf, suppressRead } from "../../suppressions/shared-queries";
import type { Leaving, LeavingReason } from "../list-parser/list-types";
import { newOutcomes, type RowOutcome } from "../schema/import-counts";
import type { RowPlace, RowResult } from "../schema/import-records";
import type { PlanChange, RejectedLine } from "../schema/imports";

/** A subscriber that an import's list reports as opted out; `status` is current. */
export type ActiveDespiteOptOutRow = Pick<SubscriberRow, "id" | "email" | "status"> & {
  reason: LeavingReason;
  at: Date | null;
};

/**
 * Joins each row `r` with its subscriber `s` and suppression `x`. OFFSET 0 keeps the look-ups separate for each row.
 * New rows have no statistics: with plain joins the planner scanned the whole list, or scanned it once for each row.
 * @param canonical in the default collation, like the indexes
 */
const joinKnown = (newsletterId: string, canonical: Prisma.Sql) => Prisma.sql`
  LEFT JOIN LATERAL (SELECT id, status FROM subscribers
    WHERE email_canonical = ${canonical} AND newsletter_id = ${newsletterId}::uuid OFFSET 0) s ON true
  LEFT JOIN LATERAL (SELECT digest FROM suppressions
    WHERE digest = address_digest(${newsletterId}::uuid, ${canonical}) AND newsletter_id = ${newsletterId}::uuid OFFSET 0) x ON true`;

/** The outcome of row `r` with its subscriber `s` and suppression `x`. */
const outcome = Prisma.sql`
  CASE WHEN x.digest IS NOT NULL THEN 'suppressed' WHEN s.status IS NULL THEN 'new_' || r.status
    WHEN s.status = 'unsubscribed' THEN 'unsubscribed' ELSE 'already_' || s.status END`;

export const isNew = Prisma.sql`outcome IN (${Prisma.join([...newOutcomes])})`;

/** One validated person of a list. */
export type StagedRow = NewPerson & {
  line: number;
  /** The key of the mail throttle; null unless the person is pending. */
  recipientHash: string | null;
  /** The opt-out in the list; the person is then added as unsubscribed. */
  leaving: Leaving | null;
  /** JSON of `StoredEvidence`. */
  evidence: string | null;
  /** Fields by number, and tags as named. */
  attributes: { fields: StoredFields | null; tags: string[]; externalId: string | null } | null;
};

/**
 * Stores rows with their current outcome and skips addresses that the list already has.
 * @returns the number of stored rows
 */
export async function stageRows(
  tx: Tx,
  newsletterId: string,
  importId: string,
  rows: StagedRow[],
): Promise<number> {
  const people = unnestedPeople(personArrays(rows));
  const hashes = rareArray(rows.map(({ recipientHash }) => recipientHash));
  const reasons = rareArray(rows.map(({ leaving }) => leaving?.reason ?? null));
  const times = rareArray(rows.map(({ leaving }) => leaving?.at ?? null));
  const evidence = rareArray(rows.map((row) => row.evidence));
  const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);
  const fields = rareArray(rows.map(({ attributes }) => json(attributes?.fields)));
  const tags = rareArray(
    rows.map(({ attributes }) => (attributes?.tags.length ? json(attributes.tags) : null)),
  );
  const externalIds = rareArray(rows.map(({ attributes }) => attributes?.externalId ?? null));
  return tx.$executeRaw`
      INSERT INTO import_rows (import_id, line, recipient_hash, leaving, left_at, evidence, fields, external_id, tag_names,
        ${personColumns}, outcome)
      SELECT ${importId}::uuid, r.*, ${outcome}
      FROM (
        SELECT line, recipient_hash, leaving, left_at, evidence::jsonb, fields::jsonb, external_id,
          CASE WHEN tag_names IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(tag_names::jsonb)) END,
          ${people.values}
        FROM unnest(
          ${rows.map(({ line }) => line)}::int[], ${hashes}::text[], ${reasons}::text[], ${times}::timestamptz[],
          ${evidence}::text[], ${fields}::text[], ${externalIds}::text[], ${tags}::text[], ${people.arrays}
        ) AS row (line, recipient_hash, leaving, left_at, evidence, fields, external_id, tag_names, ${personColumns})
      ) AS r
      ${joinKnown(newsletterId, Prisma.sql`r.email_canonical`)}
      ON CONFLICT DO NOTHING`;
}

export async function listStoredLines(
  tx: Tx,
  importId: string,
  canonicals: string[],
): Promise<{ canonical: string; line: number }[]> {
  return tx.$queryRaw<{ canonical: string; line: number }[]>`
    SELECT email_canonical AS canonical, line FROM import_rows
    WHERE import_id = ${importId}::uuid AND email_canonical = ANY (${textArray(canonicals)}::text[])`;
}

/** Compares a list with the newsletter again: its first parts may be minutes old. */
export async function refreshOutcomes(tx: Tx, newsletterId: string, importId: string): Promise<void> {
  // By ctid: statistics may claim that the import has few rows, and a join by address then compared every pair.
  await tx.$executeRaw`
    UPDATE import_rows SET outcome = becomes FROM (
      SELECT r.ctid AS place, r.outcome AS was, ${outcome} AS becomes FROM import_rows r
      ${joinKnown(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
      WHERE r.import_id = ${importId}::uuid OFFSET 0
    ) AS compared
    WHERE import_rows.ctid = place AND was <> becomes`;
}

/**
 * Addresses of a list that are subscribers or suppressed, as `entriesOfKnownAddresses` reads them. Concatenated in SQL:
 * 100,000 rows would block the event loop.
 */
export async function listKnownAddresses(tx: Tx, importId: string): Promise<string> {
  const [row] = await tx.$queryRaw<{ known: string | null }[]>`
    SELECT string_agg(email_canonical || ' ' || replace(outcome, 'already_', ''), E'\\n' ORDER BY email_canonical) AS known
    FROM import_rows WHERE import_id = ${importId}::uuid AND NOT ${isNew}`;
  return row?.known ?? "";
}

export async function insertRejected(tx: Tx, importId: string, lines: RejectedLine[]): Promise<void> {
  const [texts, reasons] = [lines.map(({ text }) => text), lines.map(({ reason }) => reason)].map(textArray);
  await tx.$executeRaw`
    INSERT INTO import_rejected (import_id, line, text, reason)
    SELECT ${importId}::uuid, line, text, reason
    FROM unnest(${lines.map(({ line }) => line)}::int[], ${texts}::text[], ${reasons}::text[]) AS new (line, text, reason)
    ON CONFLICT DO NOTHING`;
}

/** Counts the rows of each outcome, and those of each that the list reports as opted out. */
export async function countOutcomes(
  tx: Tx,
  importId: string,
): Promise<{ outcome: RowOutcome; people: number; leaving: number }[]> {
  return tx.$queryRaw<{ outcome: RowOutcome; people: number; leaving: number }[]>`
    SELECT outcome, count(*)::int AS people, count(leaving)::int AS leaving FROM import_rows
    WHERE import_id = ${importId}::uuid GROUP BY outcome`;
}

export async function findRejectedLines(db: Db, importId: string): Promise<RejectedLine[]> {
  return db.$queryRaw`
    SELECT line, text, reason FROM import_rejected WHERE import_id = ${importId}::uuid ORDER BY line`;
}

/** Domains of the plan with at least `people` of the newsletter's latest 20,000 subscribers. */
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

/** The plan's rows, how many now have another outcome, and the first 100 of these by line. */
export type PlanComparison = { rows: number; changed: number; changes: PlanChange[] };

/** Compares a plan with the current subscribers, and stores the ids of those that the import does not change. */
export async function comparePlan(tx: Tx, newsletterId: string, importId: string): Promise<PlanComparison> {
  const [found] = await tx.$queryRaw<[PlanComparison]>`
    WITH compared AS MATERIALIZED (
      SELECT r.line, r.email, r.outcome AS was, ${outcome} AS becomes, s.id AS subscriber_id, r.leaving, r.left_at FROM import_rows r
      ${joinKnown(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
      WHERE r.import_id = ${importId}::uuid
    ), changed AS (
      SELECT * FROM compared WHERE was <> becomes
    ), unchanged AS (
      INSERT INTO import_unchanged (import_id, subscriber_id, outcome, leaving, left_at)
      SELECT ${importId}::uuid, subscriber_id, was, CASE WHEN was <> 'unsubscribed' THEN leaving END,
        CASE WHEN was <> 'unsubscribed' THEN left_at END
      FROM compared
      WHERE was = becomes AND was IN ('already_active', 'already_pending', 'unsubscribed')
    )
    SELECT (SELECT count(*) FROM compared)::int AS rows, (SELECT count(*) FROM changed)::int AS changed,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('line', line, 'email', email, 'was', was, 'is', becomes) ORDER BY line), '[]')
        FROM (SELECT * FROM changed ORDER BY line LIMIT 100) AS shown) AS changes`;
  return found;
}

/**
 * Locks unsubscribed people that the list also reports as opted out, if an undo of an import or a bulk action could
 * remove their opt-out.
 * @returns their ids, in order
 */
export async function lockOptedOutAgain(tx: Tx, newsletterId: string, importId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND status = 'unsubscribed'
      AND (source = 'import' AND version = 1 OR EXISTS (SELECT FROM bulk_action_changes c WHERE c.subscriber_id = subscribers.id))
      AND id = ANY (ARRAY(
        SELECT s.id FROM import_rows r ${joinKnown(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
        WHERE r.import_id = ${importId}::uuid AND r.outcome = 'unsubscribed' AND r.leaving IS NOT NULL))
    ORDER BY id FOR UPDATE`;
  return rows.map((row) => row.id);
}

/**
 * Counts people reported as opted out who were unsubscribed at planning time and no longer are. Call it after
 * `lockOptedOutAgain`, so that no undo can follow.
 */
export async function countReturned(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM import_rows r
    ${joinKnown(newsletterId, Prisma.sql`(r.email_canonical COLLATE "default")`)}
    WHERE r.import_id = ${importId}::uuid AND r.outcome = 'unsubscribed' AND r.leaving IS NOT NULL AND s.status <> 'unsubscribed'`;
  return row?.people ?? 0;
}

/** The first subscribers that an import's list reports as opted out, with their current status. */
export async function listActiveDespiteOptOut(
  db: Db,
  newsletterId: string,
  importId: string,
  limit: number,
): Promise<ActiveDespiteOptOutRow[]> {
  return db.$queryRaw<ActiveDespiteOptOutRow[]>`
    SELECT s.id, s.email, s.status, u.leaving AS reason, u.left_at AS at FROM import_unchanged u
    JOIN subscribers s ON s.newsletter_id = ${newsletterId}::uuid AND s.id = u.subscriber_id
    WHERE u.import_id = ${importId}::uuid AND u.leaving IS NOT NULL ORDER BY u.subscriber_id LIMIT ${limit}::int`;
}

/** With this many rows, a list changes what the planner should know. */
const LARGE = 1_000;

/**
 * Updates the planner's statistics after a large list. Autovacuum does that only some time later. Until then the planner
 * takes the list for a small one, and statements about it can exceed their time. Skips tables that another process
 * analyzes.
 */
export async function analyzeRows(tx: Tx, rows: number): Promise<void> {
  if (rows >= LARGE) await tx.$executeRaw`ANALYZE (SKIP_LOCKED) import_rows`;
}

/** The same for the tables that an import of so many people has changed. */
export async function analyzePeople(tx: Tx, people: number): Promise<void> {
  if (people >= LARGE) await tx.$executeRaw`ANALYZE (SKIP_LOCKED) subscribers, mails`;
}

/** Splits the new rows into batches of `size`. @returns the last canonical address of each batch */
export async function cutNewRows(tx: Tx, importId: string, size: number): Promise<string[]> {
  const rows = await tx.$queryRaw<{ canonical: string }[]>`
    SELECT email_canonical AS canonical FROM (
      SELECT email_canonical, row_number() OVER (ORDER BY email_canonical) AS n, count(*) OVER () AS total
      FROM import_rows WHERE import_id = ${importId}::uuid AND ${isNew}
    ) AS numbered WHERE n % ${size}::int = 0 OR n = total ORDER BY email_canonical`;
  return rows.map((row) => row.canonical);
}

/**
 * Adds the new people of a range whose addresses are free, in the insertion order that every writer uses. Queues a
 * confirmation for each pending person and stores the evidence of the list.
 * @returns counts of rows, of added people, and of queued emails
 */
export async function insertNewRows(
  tx: Tx,
  newsletterId: string,
  { importId, after, to, mailing }: RowRange & { mailing: Mailing | null },
): Promise<{ rows: number; added: number; mailed: number }> {
  const [counted] = await tx.$queryRaw<{ rows: number; added: number; mailed: number }[]>`
    WITH new AS MATERIALIZED (
      SELECT new_id(statement_timestamp(), row_number() OVER (ORDER BY email_canonical)) AS id,
        ${newsletterId}::uuid AS newsletter_id, 'import' AS source, ${importId}::uuid AS source_id, recipient_hash,
        ${personColumns}, fields, tags, coalesce(evidence ->> 'optedInAt', evidence ->> 'confirmedAt')::timestamptz AS subscribed_at, external_id,
        CASE WHEN leaving IS NOT NULL THEN coalesce(left_at, now()) END AS unsubscribed_at, evidence
      FROM import_rows
      WHERE import_id = ${importId}::uuid AND email_canonical > ${after} AND email_canonical <= ${to} AND ${isNew}
    ), ${insertNew(allPersonColumns)}, noted AS (
      INSERT INTO subscriber_events (id, newsletter_id, subscriber_id, kind, actor_kind, actor_id, evidence)
      SELECT new_id(statement_timestamp(), row_number() OVER (ORDER BY id)), newsletter_id, id, 'created', source, source_id, evidence
      FROM new WHERE evidence IS NOT NULL AND CASE WHEN id IN (SELECT id FROM added) THEN true END
    ), mailed AS (
      ${insertConfirmations(
        Prisma.sql`(
        SELECT new_id(statement_timestamp(), row_number() OVER (ORDER BY id)) AS id, newsletter_id, id AS subscriber_id,
          email AS to_email, recipient_hash
        -- A CASE keeps this a hash look-up. The sets have no statistics, and a join would compare every pair.
        FROM new WHERE status = 'pending' AND CASE WHEN id IN (SELECT id FROM added) THEN true END
      ) AS pending`,
        mailing,
      )}
      RETURNING id
    )
    SELECT (SELECT count(*) FROM new)::int AS rows, (SELECT count(*) FROM added)::int AS added,
      (SELECT count(*) FROM mailed)::int AS mailed`;
  return counted ?? { rows: 0, added: 0, mailed: 0 };
}

/** New rows with canonical addresses above `after`, up to and including `to`. */
type RowRange = { importId: string; after: string; to: string };

/**
 * Suppresses new people who bounced or complained according to the list. Call it under the lock of
 * `countNewlySuppressed`.
 */
export async function suppressNewRows(
  tx: Tx,
  newsletterId: string,
  { importId, after, to }: RowRange,
): Promise<void> {
  const leaving = Prisma.sql`
    SELECT email_canonical AS canonical, email, leaving AS reason, 'import' AS source, import_id AS source_id, left_at AS at,
      row_number() OVER (ORDER BY email_canonical) AS n
    FROM import_rows
    WHERE import_id = ${importId}::uuid AND email_canonical > ${after} AND email_canonical <= ${to} AND ${isNew}
      AND leaving IN ('bounced', 'complained')`;
  await suppressRead(tx, newsletterId, leaving, "keep");
}

type ResultRow = {
  line: number;
  canonical: string;
  email: string | null;
  result: RowOutcome | "rejected";
  text: string | null;
  reason: string | null;
};

/**
 * The rows of a list after a place, in their order: valid rows with their outcome, and rejected ones.
 * @param result null: all rows
 */
export async function listRowResults(
  db: Db,
  importId: string,
  { result, after, limit }: { result: RowResult | null; after: RowPlace | null; limit: number },
): Promise<ResultRow[]> {
  const { line, canonical } = after ?? { line: 0, canonical: "" };
  const rows = [
    Prisma.sql`SELECT line, email_canonical AS canonical, email, outcome AS result, NULL AS text, NULL AS reason
      FROM import_rows WHERE import_id = ${importId}::uuid AND (${result}::text IS NULL OR outcome = ${result})`,
    Prisma.sql`SELECT line, '', NULL, 'rejected', text, reason FROM import_rejected WHERE import_id = ${importId}::uuid`,
  ];
  const taken = result === null ? rows : result === "rejected" ? rows.slice(1) : rows.slice(0, 1);
  return db.$queryRaw<ResultRow[]>`
    SELECT * FROM (${Prisma.join(taken, " UNION ALL ")}) AS r (line, canonical, email, result, text, reason)
    WHERE (line, canonical COLLATE "C") > (${line}::int, ${canonical}) ORDER BY line, canonical COLLATE "C" LIMIT ${limit}::int`;
}

/** First names, or else addresses, of some people that the plan adds as pending. */
export async function listPendingNames(db: Db, importId: string, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT coalesce(nullif(first_name, ''), email) AS name FROM import_rows
    WHERE import_id = ${importId}::uuid AND outcome = 'new_pending' ORDER BY line LIMIT ${limit}::int`;
  return rows.map((row) => row.name);
}

/**
 * Counts new people of the plan who have been suppressed since the comparison. Its lock blocks other suppressions until
 * the transaction ends. An import takes the lock last, because suppressions would otherwise wait for minutes.
 */
export async function countNewlySuppressed(tx: Tx, newsletterId: string, importId: string): Promise<number> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(suppression_lock(${newsletterId}::uuid))`;
  const [row] = await tx.$queryRaw<{ people: number }[]>`
    SELECT count(*)::int AS people FROM import_rows r
    JOIN ${suppressionOf(Prisma.sql`${newsletterId}::uuid`, Prisma.sql`r.email_canonical`)}
    WHERE r.import_id = ${importId}::uuid AND ${isNew} AND x.source_id IS DISTINCT FROM ${importId}::uuid`;
  return row?.people ?? 0;
}
