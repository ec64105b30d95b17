import { importUndoDays } from "../../kernel/durations";
import { mailingState } from "../../mail/shared-queries";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { Consent, ImportRecord } from "../schema/imports";
import { isNew, type PlanComparison } from "./import-rows";

/** Done, and ended within the days of an undo. */
export const isUndoable = Prisma.sql`state = 'done' AND ended_at > now() - make_interval(days => ${importUndoDays}::int)`;

const selectImports = Prisma.sql`
  SELECT id, coalesce(number, 0) AS number, state, file_name AS "fileName",
    coalesce((SELECT name FROM staff_members WHERE id = staff_id), (SELECT name FROM api_keys WHERE id = api_key_id)) AS "by",
    created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", default_status AS "statusRule",
    CASE WHEN consent_source IS NOT NULL
      THEN jsonb_build_object('source', consent_source, 'wording', coalesce(consent_wording, '')) END AS consent,
    rows, rejected, counts, still_here AS "activeDespiteOptOut", answers, error, changed, changes,
    CASE WHEN ${isUndoable} THEN ended_at + make_interval(days => ${importUndoDays}::int) END AS "undoUntil",
    (SELECT ${mailingState} FROM mailings x WHERE x.id = imports.id) AS mailing, undone, digest,
    needs_staff AS "needsStaff",
    -- During an undo, written counts the rows that are not removed yet.
    CASE state WHEN 'undoing' THEN jsonb_build_object('done', rows - written, 'total',
        (SELECT sum(people::int) FROM jsonb_each_text(counts) AS counted (outcome, people) WHERE ${isNew}))
      ELSE jsonb_build_object('done', written, 'total', rows) END AS progress
  FROM imports`;

export async function findImport(
  db: Db | Tx,
  newsletterId: string,
  id: string,
): Promise<ImportRecord | null> {
  const rows = await db.$queryRaw<ImportRecord[]>`
    ${selectImports} WHERE newsletter_id = ${newsletterId}::uuid AND id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Started imports below `number`, newest first. */
export async function listStartedImports(
  db: Db,
  newsletterId: string,
  number: number | null,
  limit: number,
): Promise<ImportRecord[]> {
  const below = number === null ? Prisma.empty : Prisma.sql`AND number < ${number}::int`;
  return db.$queryRaw<ImportRecord[]>`
    ${selectImports} WHERE newsletter_id = ${newsletterId}::uuid AND number IS NOT NULL ${below}
    ORDER BY imports.number DESC LIMIT ${limit}::int`;
}

/** Plans that wait for staff, newest first. A key has a limited number of them. */
export async function listPlansForStaff(db: Db, newsletterId: string): Promise<ImportRecord[]> {
  return db.$queryRaw<ImportRecord[]>`
    ${selectImports} WHERE newsletter_id = ${newsletterId}::uuid AND needs_staff AND state = 'planned'
    ORDER BY imports.id DESC`;
}

type NewUpload = Pick<ImportRecord, "id" | "fileName" | "statusRule" | "answers" | "needsStaff"> & {
  newsletterId: string;
  staffId: string | null;
  apiKeyId: string | null;
};

export async function insertUpload(tx: Tx, upload: NewUpload): Promise<void> {
  await tx.import.create({ data: { ...upload, state: "uploading" } });
}

/** Counts a key's plans that wait for staff. */
export function countPlansForStaff(db: Db, newsletterId: string, apiKeyId: string): Promise<number> {
  const state = { in: ["uploading", "planned"] };
  return db.import.count({ where: { newsletterId, apiKeyId, needsStaff: true, state } });
}

/** An upload's columns. `written` counts its parts. */
export type UploadRow = Pick<ImportRecord, "rows" | "rejected" | "state" | "statusRule"> & {
  written: number;
};

/** Locks an upload or its plan, so that parts are stored one after the other. */
export async function lockUpload(tx: Tx, newsletterId: string, id: string): Promise<UploadRow | null> {
  const [row] = await tx.$queryRaw<UploadRow[]>`
    SELECT rows, rejected, written, state, default_status AS "statusRule" FROM imports
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state IN ('uploading', 'planned') FOR UPDATE`;
  return row ?? null;
}

/** Stores the totals after a part. Call it under the lock of `lockUpload`. */
export async function noteUpload(
  tx: Tx,
  id: string,
  stored: Pick<UploadRow, "rows" | "rejected" | "written">,
): Promise<void> {
  await tx.import.update({ where: { id }, data: stored });
}

/** uploading or planned → planned. Call it under the lock of `lockUpload`. */
export async function setPlanned(
  tx: Tx,
  id: string,
  plan: Pick<ImportRecord, "digest" | "counts" | "activeDespiteOptOut">,
): Promise<void> {
  await tx.import.update({ where: { id }, data: { ...plan, state: "planned", written: 0 } });
}

/**
 * planned → running, with the next number.
 * @param consent null if only unsubscribed people are added
 * @returns false if not planned
 */
export async function startImport(
  tx: Tx,
  newsletterId: string,
  id: string,
  by: { staffId: string | null; apiKeyId: string | null; address: string | null; consent: Consent | null },
): Promise<boolean> {
  const { staffId, apiKeyId, address, consent } = by;
  // One transaction at a time numbers the newsletter's imports.
  await tx.$queryRaw`SELECT FROM newsletters WHERE id = ${newsletterId}::uuid FOR NO KEY UPDATE`;
  const started = await tx.$executeRaw`
    UPDATE imports SET state = 'running', started_at = now(), staff_id = ${staffId}::uuid,
      api_key_id = ${apiKeyId}::uuid, address = ${address}, consent_source = ${consent?.source ?? null},
      consent_wording = ${consent?.wording ?? null},
      number = (SELECT coalesce(max(number), 0) + 1 FROM imports WHERE newsletter_id = ${newsletterId}::uuid)
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'planned'`;
  return started === 1;
}

/** Stores the rows written so far, or during an undo the rows left. @returns false if the work has ended */
export async function noteWritten(
  db: Db,
  { id, state }: { id: string; state: "running" | "undoing" },
  written: number,
): Promise<boolean> {
  const { count } = await db.import.updateMany({ where: { id, state }, data: { written } });
  return count > 0;
}

/**
 * running → done, in the transaction that wrote the people. Every other end updates the same row, so exactly one wins.
 * @returns false if another end came first; the caller must then roll back
 */
export async function finishImport(tx: Tx, id: string): Promise<boolean> {
  const done = await tx.$executeRaw`
    UPDATE imports SET state = 'done', ended_at = clock_timestamp(), written = rows
    WHERE id = ${id}::uuid AND state = 'running'`;
  return done === 1;
}

/** running → outdated, with nobody added. Does nothing if the import has already ended. */
export async function endOutdated(db: Db, id: string, { changed, changes }: PlanComparison): Promise<void> {
  await db.$executeRaw`
    UPDATE imports SET state = 'outdated', ended_at = now(), written = 0, changed = ${changed}::int,
      changes = ${JSON.stringify(changes)}::jsonb
    WHERE id = ${id}::uuid AND state = 'running'`;
}

/** running → cancelled, with or without a running job. @returns false if the import has already ended */
export async function endCancelled(tx: Tx, id: string): Promise<boolean> {
  const ended = await tx.$executeRaw`
    UPDATE imports SET state = 'cancelled', ended_at = now(), written = 0 WHERE id = ${id}::uuid AND state = 'running'`;
  return ended === 1;
}

/** Deletes an upload or plan with its rows. @returns whether it existed */
export async function discardPlan(tx: Tx, newsletterId: string, id: string): Promise<boolean> {
  const gone = await tx.$executeRaw`
    DELETE FROM imports WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state IN ('uploading', 'planned')`;
  if (gone === 0) return false;
  await tx.$executeRaw`DELETE FROM import_rows WHERE import_id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM import_rejected WHERE import_id = ${id}::uuid`;
  return true;
}
