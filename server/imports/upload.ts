import { apiKeyIdOf, staffIdOf, withTransaction } from "../accounts/context";
import { AppError } from "../kernel/errors";
import { isId, newId } from "../kernel/ids";
import { type Tx, withRetry } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { defaultStatusOf } from "../subscribers/status-moves";
import { addAttributes } from "./import-attributes";
import type { OfImport } from "./imports";
import { insertRejected, listStoredLines, stageRows } from "./queries/import-rows";
import { discardPlan, insertUpload, lockUpload, noteUpload, type UploadRow } from "./queries/imports";
import { checkRepeats, readPart } from "./read-part";
import { maxImportRows } from "./schema/import-counts";
import type { UploadHead, UploadPart } from "./schema/imports";

/** `replaces`: the upload or plan to delete first. `needsStaff`: no key can commit the plan. */
type NewUpload = {
  newsletterId: string;
  head: UploadHead;
  replaces?: string | undefined;
  needsStaff?: boolean | undefined;
};

/** Starts an upload. It is deleted after a day unless its plan is committed. */
export async function beginUpload(
  ctx: Ctx,
  { newsletterId, head, replaces, needsStaff = false }: NewUpload,
): Promise<{ importId: string }> {
  const id = newId();
  await withTransaction(ctx, async (tx) => {
    if (replaces) await discardPlan(tx, newsletterId, replaces);
    const by = { staffId: staffIdOf(ctx), apiKeyId: apiKeyIdOf(ctx) };
    await insertUpload(tx, { ...head, id, newsletterId, ...by, needsStaff });
  });
  return { importId: id };
}

/** Locks an upload or its plan. @throws AppError not_found */
export async function requireLockedUpload(
  tx: Tx,
  newsletterId: string,
  importId: string,
): Promise<UploadRow> {
  const upload = isId(importId) ? await lockUpload(tx, newsletterId, importId) : null;
  if (upload) return upload;
  throw new AppError(
    "not_found",
    "This upload does not exist. An upload is kept for one day. Check the list again.",
  );
}

const rejection = (message: string) => new AppError("validation_error", message);

/** The upload's columns after this part; null if the part is already stored. @throws AppError validation_error */
function nextState(upload: UploadRow, { part, rows, rejected }: UploadPart) {
  if (upload.state === "planned")
    throw rejection("This list is complete. Check the list again to upload another.");
  if (part < upload.written) return null;
  if (part > upload.written)
    throw rejection(`Part ${part} came before part ${upload.written}. Check the list again.`);
  const sum = { rows: upload.rows + rows.length, rejected: upload.rejected + rejected.length };
  if (Math.max(sum.rows, sum.rejected) > maxImportRows)
    throw rejection(`One import takes up to ${maxImportRows} people. Split the list into several imports.`);
  return { ...sum, written: part + 1 };
}

/**
 * Validates and stores a part of a list. A repeated call with the same part changes nothing.
 * @throws AppError not_found; validation_error with the invalid lines
 */
export async function storePart(
  ctx: Ctx,
  { newsletterId, importId, ...part }: OfImport & UploadPart,
): Promise<void> {
  const work = async (tx: Tx) => {
    const upload = await requireLockedUpload(tx, newsletterId, importId);
    const next = nextState(upload, part);
    if (!next) return;
    const { people, attributes } = readPart(part.rows, defaultStatusOf(upload.statusRule));
    await addAttributes({ db: ctx.db, tx }, newsletterId, attributes);
    if ((await stageRows(tx, newsletterId, importId, people)) < people.length) {
      const canonicals = people.map(({ emailCanonical }) => emailCanonical);
      const stored = await listStoredLines(tx, importId, canonicals);
      checkRepeats(people, stored);
    }
    if (part.rejected.length > 0) await insertRejected(tx, importId, part.rejected);
    await noteUpload(tx, importId, next);
  };
  await withRetry(() => ctx.db.$transaction(work, { timeout: 60_000 }));
}
