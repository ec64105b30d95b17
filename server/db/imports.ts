import type { OutcomeCounts, PlanChange, PlanOptions } from "../contract/imports";
import { type Db, Prisma, type Tx } from "./client";

/** One run as it stands, with the name of who ran it. */
export type ImportRow = {
  id: string;
  newsletterId: string;
  staffId: string | null;
  number: number | null;
  state: string;
  fileName: string | null;
  by: string | null;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  defaultStatus: PlanOptions["status"];
  existing: PlanOptions["existing"];
  consentSource: string | null;
  consentWording: string | null;
  digest: string;
  rows: number;
  rejected: number;
  written: number;
  counts: OutcomeCounts;
  error: string | null;
  changed: number;
  changes: PlanChange[];
  /** Until when it can be undone; null when it cannot (any more). */
  undoUntil: Date | null;
  undone: { people: number; stayed: number; mails: number } | null;
  /** Running, and nobody has been heard of for 10 s. */
  silent: boolean;
};

const columns = Prisma.sql`i.id, i.newsletter_id AS "newsletterId", i.staff_id AS "staffId", i.number, i.state,
  i.file_name AS "fileName", m.name AS "by", i.created_at AS "createdAt", i.started_at AS "startedAt",
  i.ended_at AS "endedAt", i.default_status AS "defaultStatus", i.existing, i.consent_source AS "consentSource",
  i.consent_wording AS "consentWording", i.digest, i.rows, i.rejected, i.written, i.counts, i.error, i.changed, i.changes,
  CASE WHEN i.state = 'done' AND i.ended_at > now() - interval '7 days' THEN i.ended_at + interval '7 days' END AS "undoUntil",
  i.undone, i.state = 'running' AND i.heartbeat_at < now() - interval '10 seconds' AS silent`;
const source = Prisma.sql`imports i LEFT JOIN staff_members m ON m.id = i.staff_id`;

/** One run, or null. */
export async function findImport(db: Db | Tx, newsletterId: string, id: string): Promise<ImportRow | null> {
  const rows = await db.$queryRaw<ImportRow[]>`
    SELECT ${columns} FROM ${source} WHERE i.newsletter_id = ${newsletterId}::uuid AND i.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Runs that were started, the latest first, from below `number`. */
export async function listImports(
  db: Db,
  newsletterId: string,
  number: number | null,
  limit: number,
): Promise<ImportRow[]> {
  const below = number === null ? Prisma.empty : Prisma.sql`AND i.number < ${number}::int`;
  return db.$queryRaw<ImportRow[]>`
    SELECT ${columns} FROM ${source} WHERE i.newsletter_id = ${newsletterId}::uuid AND i.number IS NOT NULL ${below}
    ORDER BY i.number DESC LIMIT ${limit}::int`;
}

export type NewImport = {
  id: string;
  newsletterId: string;
  staffId: string | null;
  fileName: string | null;
  options: PlanOptions;
  digest: string;
  rows: number;
  rejected: number;
  counts: OutcomeCounts;
};

export async function insertPlan(tx: Tx, plan: NewImport): Promise<void> {
  const { options, ...rest } = plan;
  await tx.import.create({
    data: { ...rest, state: "planned", defaultStatus: options.status, existing: options.existing },
  });
}

/** Makes this transaction the only one that numbers the newsletter's runs. */
async function lockNumbers(tx: Tx, newsletterId: string): Promise<void> {
  await tx.$queryRaw`SELECT FROM newsletters WHERE id = ${newsletterId}::uuid FOR NO KEY UPDATE`;
}

/** planned → running, with the next number. @returns false when it is not planned any more */
export async function startRun(
  tx: Tx,
  newsletterId: string,
  id: string,
  staffId: string | null,
  consent: { source: string; wording: string },
): Promise<boolean> {
  await lockNumbers(tx, newsletterId);
  const started = await tx.$executeRaw`
    UPDATE imports SET state = 'running', started_at = now(), heartbeat_at = now(), staff_id = ${staffId}::uuid,
      consent_source = ${consent.source}, consent_wording = ${consent.wording},
      number = (SELECT coalesce(max(number), 0) + 1 FROM imports WHERE newsletter_id = ${newsletterId}::uuid)
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'planned'`;
  return started === 1;
}

/** A sign of life with the rows written so far. @returns whether it is still to go on, and whether a cancel was asked for */
export async function beat(
  db: Db,
  id: string,
  written: number,
): Promise<{ running: boolean; cancelAsked: boolean }> {
  const rows = await db.$queryRaw<{ cancelAsked: boolean }[]>`
    UPDATE imports SET heartbeat_at = now(), written = ${written}::int WHERE id = ${id}::uuid AND state = 'running'
    RETURNING cancel_asked_at IS NOT NULL AS "cancelAsked"`;
  return { running: rows.length > 0, cancelAsked: rows[0]?.cancelAsked ?? false };
}

/**
 * running → done, in the transaction that did it. It and every other end are told apart by the row: exactly one wins.
 * @returns false when a cancel was asked for, or somebody has ended the run as silent; then nothing may be committed
 */
export async function finishRun(tx: Tx, id: string, counts: OutcomeCounts): Promise<boolean> {
  const done = await tx.$executeRaw`
    UPDATE imports SET state = 'done', ended_at = clock_timestamp(), written = rows, counts = ${JSON.stringify(counts)}::jsonb
    WHERE id = ${id}::uuid AND state = 'running' AND cancel_asked_at IS NULL`;
  return done === 1;
}

export type End =
  | { state: "cancelled" }
  | { state: "failed"; error: string }
  | { state: "outdated"; changed: number; changes: PlanChange[] };

/** running → an end that wrote nobody. Does nothing to a run that has ended already. */
export async function endRun(db: Db, id: string, end: End): Promise<void> {
  const error = "error" in end ? end.error : null;
  const { changed, changes } = end.state === "outdated" ? end : { changed: 0, changes: [] };
  await db.$executeRaw`
    UPDATE imports SET state = ${end.state}, ended_at = now(), written = 0, error = ${error}, changed = ${changed}::int,
      changes = ${JSON.stringify(changes)}::jsonb
    WHERE id = ${id}::uuid AND state = 'running'`;
}

/** What a run says whose server is heard of no more. */
const SILENT =
  "The server that carried out this import stopped before the end. Nobody was added and nobody was mailed: start the list again.";

/**
 * Ends runs of whose server nothing was heard for 10 s. If its transaction is just being committed, this waits for it
 * and finds the run done.
 */
export async function endSilent(db: Db, id?: string): Promise<number> {
  const only = id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}::uuid`;
  return db.$executeRaw`
    UPDATE imports SET state = CASE WHEN cancel_asked_at IS NULL THEN 'failed' ELSE 'cancelled' END, ended_at = now(),
      written = 0, error = CASE WHEN cancel_asked_at IS NULL THEN ${SILENT} END
    WHERE state = 'running' AND heartbeat_at < now() - interval '10 seconds' ${only}`;
}

/** Asks a running one to stop; once this returns true it can no longer become done. */
export async function askToCancel(tx: Tx, id: string): Promise<boolean> {
  const asked = await tx.$executeRaw`
    UPDATE imports SET cancel_asked_at = coalesce(cancel_asked_at, now()) WHERE id = ${id}::uuid AND state = 'running'`;
  return asked === 1;
}

/** planned → gone, with its rows. @returns whether there was such a plan */
export async function discardPlan(tx: Tx, newsletterId: string, id: string): Promise<boolean> {
  const gone = await tx.$executeRaw`
    DELETE FROM imports WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'planned'`;
  if (gone === 0) return false;
  await tx.$executeRaw`DELETE FROM import_rows WHERE import_id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM import_rejected WHERE import_id = ${id}::uuid`;
  return true;
}
