import { record as recordAudit } from "../accounts/audit";
import { actorOf, staffIdOf, withTransaction } from "../accounts/context";
import { type Page, pageOf } from "../kernel/cursor";
import { AppError } from "../kernel/errors";
import { isId } from "../kernel/ids";
import type { Ctx } from "../subscribers/context";
import { addWork } from "../work/add-work";
import {
  type ActiveDespiteOptOutRow,
  findRejectedLines,
  listActiveDespiteOptOut,
} from "./queries/import-rows";
import {
  discardPlan,
  endCancelled,
  findImport,
  type ImportRow,
  listImportRows,
  startImport,
} from "./queries/imports";
import {
  type Consent,
  countAdded,
  countStored,
  type ImportRecord,
  maxActiveDespiteOptOut,
  type RejectedLine,
} from "./schema/imports";

const PAGE = 50;

function presentImport({ digest: _, written, ...record }: ImportRow): ImportRecord {
  const { state, rows, counts } = record;
  const progress =
    state === "undoing"
      ? { done: rows - written, total: countStored(counts) }
      : { done: written, total: rows };
  return { ...record, progress };
}

/** @throws AppError not_found, also for an import of another newsletter */
async function getRow(ctx: Pick<Ctx, "db">, newsletterId: string, importId: string): Promise<ImportRow> {
  const row = isId(importId) ? await findImport(ctx.db, newsletterId, importId) : null;
  if (!row) throw new AppError("not_found", "This import does not exist. A plan is kept for one day.");
  return row;
}

/** @throws AppError not_found */
export async function getImport(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<ImportRecord> {
  return presentImport(await getRow(ctx, newsletterId, importId));
}

/** Started imports, newest first. @param cursor import number; the page starts below it */
export async function listImports(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  cursor: number | null,
): Promise<Page<ImportRecord, number>> {
  const rows = await listImportRows(ctx.db, newsletterId, cursor, PAGE + 1);
  return pageOf(rows.map(presentImport), PAGE, ({ number }) => number);
}

/** Lines that were not imported, as pasted. @throws AppError not_found */
export async function listRejectedLines(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<RejectedLine[]> {
  await getRow(ctx, newsletterId, importId);
  return findRejectedLines(ctx.db, importId);
}

/** The first subscribers that the list reports as opted out, with their current status. @throws AppError not_found */
export async function getActiveDespiteOptOut(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<ActiveDespiteOptOutRow[]> {
  await getRow(ctx, newsletterId, importId);
  return listActiveDespiteOptOut(ctx.db, newsletterId, importId, maxActiveDespiteOptOut);
}

const invalid = (field: string, message: string) =>
  new AppError("validation_error", message, { errors: { [field]: [message] } });

/**
 * Starts an import: its state is `running` on return and a job does the work. Repeated calls return the same import.
 * @param digest of the plan that was shown
 * @param consent null if the plan adds only unsubscribed people
 * @returns the import, and whether this call started it
 * @throws AppError not_found; validation_error on `digest` or `people` if they differ from the plan
 */
export async function beginImport(
  ctx: Ctx,
  newsletterId: string,
  { importId, digest, consent }: { importId: string; digest: string; consent: Consent | null },
): Promise<{ record: ImportRecord; begun: boolean }> {
  const row = await getRow(ctx, newsletterId, importId);
  if (row.digest !== digest)
    throw invalid(
      "digest",
      "The plan has changed since it was shown. No people were added. Review the plan again.",
    );
  if (row.state !== "planned") return { record: presentImport(row), begun: false };
  const people = countAdded(row.counts);
  const agreed = consent?.people ?? 0;
  if (agreed !== people)
    throw invalid(
      "people",
      `The plan adds ${people} people, but the consent was stated for ${agreed}. No people were added. Confirm the consent again.`,
    );
  if (countStored(row.counts) === 0)
    throw invalid("people", "All people in this list are already known, so there is nothing to import.");
  const staffId = staffIdOf(ctx);
  const { address } = actorOf(ctx);
  const begun = await withTransaction(ctx, async (tx) => {
    if (!(await startImport(tx, newsletterId, importId, { staffId, address, consent }))) return false;
    await addWork(ctx, tx, { id: importId });
    return true;
  });
  return { record: await getImport(ctx, newsletterId, importId), begun };
}

/**
 * Cancels an import, or deletes a plan. If the returned state is not `done`, the import never becomes `done`.
 * @throws AppError not_found
 */
export async function cancelImport(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  importId: string,
): Promise<ImportRecord> {
  const row = await getRow(ctx, newsletter.id, importId);
  if (row.state === "uploading" || row.state === "planned") {
    const gone = await withTransaction(ctx, (tx) => discardPlan(tx, newsletter.id, importId));
    if (gone) return { ...presentImport(row), state: "cancelled" };
  }
  await withTransaction(ctx, async (tx) => {
    if (!(await endCancelled(tx, importId))) return;
    await recordAudit(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "import.cancelled",
      subjectId: importId,
      detail: { number: row.number },
    });
  });
  return getImport(ctx, newsletter.id, importId);
}
