import type { Consent, ImportRecord, PlanChange } from "../contract/imports";
import { importUndoDays } from "../contract/spans";
import { type Db, Prisma, type Tx } from "./client";
import { mailingState } from "./mailings";

/** One row of `imports` with the name of its staff member. */
export type ImportRow = ImportRecord & {
  digest: string;
  /** A job is at it, and its server has given no sign of life for 10 s. */
  silent: boolean;
};

/** Within the days in which an import that is done can be undone. */
export const isUndoable = Prisma.sql`state = 'done' AND ended_at > now() - make_interval(days => ${importUndoDays}::int)`;

/** A job is at it, and nothing was heard of its server for 10 s. */
const isSilent = Prisma.sql`(state IN ('running', 'undoing') AND coalesce(heartbeat_at < now() - interval '10 seconds', false))`;

const selectImports = Prisma.sql`
  SELECT id, coalesce(number, 0) AS number, state, file_name AS "fileName",
    (SELECT name FROM staff_members WHERE id = staff_id) AS "by",
    created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt", default_status AS "statusRule",
    CASE WHEN consent_source IS NOT NULL
      THEN jsonb_build_object('source', consent_source, 'wording', coalesce(consent_wording, '')) END AS consent,
    rows, rejected, written, counts, still_here AS "stillHere", answers, error, changed, changes,
    CASE WHEN ${isUndoable} THEN ended_at + make_interval(days => ${importUndoDays}::int) END AS "undoUntil",
    (SELECT ${mailingState} FROM mailings x WHERE x.id = imports.id) AS mailing, undone, digest,
    ${isSilent} AS silent
  FROM imports`;

export async function findImport(db: Db | Tx, newsletterId: string, id: string): Promise<ImportRow | null> {
  const rows = await db.$queryRaw<ImportRow[]>`
    ${selectImports} WHERE newsletter_id = ${newsletterId}::uuid AND id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** Imports that were started, the latest first, from below `number`. */
export async function listImportRows(
  db: Db,
  newsletterId: string,
  number: number | null,
  limit: number,
): Promise<ImportRow[]> {
  const below = number === null ? Prisma.empty : Prisma.sql`AND number < ${number}::int`;
  return db.$queryRaw<ImportRow[]>`
    ${selectImports} WHERE newsletter_id = ${newsletterId}::uuid AND number IS NOT NULL ${below}
    ORDER BY imports.number DESC LIMIT ${limit}::int`;
}

type NewUpload = Pick<ImportRow, "id" | "fileName" | "statusRule" | "answers"> & {
  newsletterId: string;
  staffId: string | null;
};

export async function insertUpload(tx: Tx, upload: NewUpload): Promise<void> {
  await tx.import.create({ data: { ...upload, state: "uploading" } });
}

/** What is stored of an upload. `written` counts its parts; `digest` names what they say. */
export type UploadRow = Pick<ImportRow, "rows" | "rejected" | "written" | "digest" | "state" | "statusRule">;

/** Locks an upload, or the plan it has become: its parts are stored one after the other. */
export async function lockUpload(tx: Tx, newsletterId: string, id: string): Promise<UploadRow | null> {
  const [row] = await tx.$queryRaw<UploadRow[]>`
    SELECT rows, rejected, written, digest, state, default_status AS "statusRule" FROM imports
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state IN ('uploading', 'planned') FOR UPDATE`;
  return row ?? null;
}

/** Notes a stored part. Only under the lock of `lockUpload`. */
export async function noteUpload(
  tx: Tx,
  id: string,
  stored: Pick<UploadRow, "rows" | "rejected" | "written" | "digest">,
): Promise<void> {
  await tx.import.update({ where: { id }, data: stored });
}

/** uploading, or planned before → planned. Only under the lock of `lockUpload`. */
export async function setPlanned(
  tx: Tx,
  id: string,
  plan: Pick<ImportRow, "digest" | "counts" | "stillHere">,
): Promise<void> {
  await tx.import.update({ where: { id }, data: { ...plan, state: "planned", written: 0 } });
}

/** planned → running, with the newsletter's next number. @param consent null: it adds nobody who can be written to @returns false when it is not planned any more */
export async function startImport(
  tx: Tx,
  newsletterId: string,
  id: string,
  { staffId, address, consent }: { staffId: string | null; address: string | null; consent: Consent | null },
): Promise<boolean> {
  // One transaction at a time numbers the newsletter's imports.
  await tx.$queryRaw`SELECT FROM newsletters WHERE id = ${newsletterId}::uuid FOR NO KEY UPDATE`;
  const started = await tx.$executeRaw`
    UPDATE imports SET state = 'running', started_at = now(), heartbeat_at = NULL, staff_id = ${staffId}::uuid, address = ${address},
      consent_source = ${consent?.source ?? null}, consent_wording = ${consent?.wording ?? null},
      number = (SELECT coalesce(max(number), 0) + 1 FROM imports WHERE newsletter_id = ${newsletterId}::uuid)
    WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state = 'planned'`;
  return started === 1;
}

/** Takes an import, or its undo, that nobody has taken yet. @returns false when somebody has, or when it is over */
export async function takeImport(db: Db, id: string, state: "running" | "undoing"): Promise<boolean> {
  const taken = await db.$executeRaw`
    UPDATE imports SET heartbeat_at = now() WHERE id = ${id}::uuid AND state = ${state} AND heartbeat_at IS NULL`;
  return taken > 0;
}

/** A sign of life with the rows written so far, or written still. @returns whether it is to go on, and whether a cancel was asked for */
export async function beat(
  db: Db,
  id: string,
  written: number,
): Promise<{ running: boolean; cancelAsked: boolean }> {
  const rows = await db.$queryRaw<{ cancelAsked: boolean }[]>`
    UPDATE imports SET heartbeat_at = now(), written = ${written}::int WHERE id = ${id}::uuid AND state IN ('running', 'undoing')
    RETURNING cancel_asked_at IS NOT NULL AS "cancelAsked"`;
  return { running: rows.length > 0, cancelAsked: rows[0]?.cancelAsked ?? false };
}

/**
 * running → done, in the transaction that wrote its people. This and every other end update the same row, so exactly one wins.
 * @returns false when a cancel was asked for or another end came first; then nothing may be committed
 */
export async function finishImport(tx: Tx, id: string): Promise<boolean> {
  const done = await tx.$executeRaw`
    UPDATE imports SET state = 'done', ended_at = clock_timestamp(), written = rows
    WHERE id = ${id}::uuid AND state = 'running' AND cancel_asked_at IS NULL`;
  return done === 1;
}

export type ImportEnd =
  | { state: "cancelled" }
  | { state: "failed"; error: string }
  | { state: "outdated"; changed: number; changes: PlanChange[] };

/** running → an end that added nobody. Does nothing to an import that has ended already. */
export async function endImport(db: Db, id: string, end: ImportEnd): Promise<void> {
  const error = "error" in end ? end.error : null;
  const { changed, changes } = end.state === "outdated" ? end : { changed: 0, changes: [] };
  await db.$executeRaw`
    UPDATE imports SET state = ${end.state}, ended_at = now(), written = 0, error = ${error}, changed = ${changed}::int,
      changes = ${JSON.stringify(changes)}::jsonb
    WHERE id = ${id}::uuid AND state = 'running'`;
}

/** undoing → done again, since nobody was removed. Does nothing to an undo that has ended already. */
export async function endUndo(db: Db, id: string, error: string): Promise<void> {
  await db.$executeRaw`
    UPDATE imports SET state = 'done', written = rows, error = ${error} WHERE id = ${id}::uuid AND state = 'undoing'`;
}

const SILENT_UNDO =
  "The server stopped before the end of this undo. No people were removed. Undo the import again.";
const SILENT =
  "The server stopped before the end of this import. No people were added and no emails were sent. Start the import again.";

/**
 * Ends imports, and undos of imports, whose server has given no sign of life for 10 s. If its transaction is just being
 * committed, this waits for it and finds the import done, or undone.
 */
export async function endSilent(db: Db, id?: string): Promise<number> {
  const only = id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}::uuid`;
  return db.$executeRaw`
    UPDATE imports SET
      state = CASE WHEN state = 'undoing' THEN 'done' WHEN cancel_asked_at IS NULL THEN 'failed' ELSE 'cancelled' END,
      ended_at = coalesce(ended_at, now()), written = CASE state WHEN 'undoing' THEN rows ELSE 0 END,
      error = CASE WHEN state = 'undoing' THEN ${SILENT_UNDO} WHEN cancel_asked_at IS NULL THEN ${SILENT} END
    WHERE ${isSilent} ${only}`;
}

/** Asks a running import to stop, and ends one that no process has taken up yet; after true it can no longer become done. */
export async function askToCancel(tx: Tx, id: string): Promise<boolean> {
  const asked = await tx.$executeRaw`
    UPDATE imports SET cancel_asked_at = coalesce(cancel_asked_at, now()),
      state = CASE WHEN heartbeat_at IS NULL THEN 'cancelled' ELSE state END,
      ended_at = CASE WHEN heartbeat_at IS NULL THEN now() END
    WHERE id = ${id}::uuid AND state = 'running'`;
  return asked === 1;
}

/** uploading or planned → gone, with its rows. @returns whether there was such a plan */
export async function discardPlan(tx: Tx, newsletterId: string, id: string): Promise<boolean> {
  const gone = await tx.$executeRaw`
    DELETE FROM imports WHERE id = ${id}::uuid AND newsletter_id = ${newsletterId}::uuid AND state IN ('uploading', 'planned')`;
  if (gone === 0) return false;
  await tx.$executeRaw`DELETE FROM import_rows WHERE import_id = ${id}::uuid`;
  await tx.$executeRaw`DELETE FROM import_rejected WHERE import_id = ${id}::uuid`;
  return true;
}
