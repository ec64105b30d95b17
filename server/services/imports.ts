import { setTimeout as sleep } from "node:timers/promises";
import { type Page, pageOf } from "../contract/cursor";
import {
  addedBy,
  type Consent,
  type ImportRecord,
  isUnderWay,
  mostStillHere,
  type RejectedLine,
  storedBy,
} from "../contract/imports";
import { findRejectedLines, listStillHere, type StillHereRow } from "../db/import-rows";
import {
  askToCancel,
  discardPlan,
  endSilent,
  findImport,
  type ImportRow,
  listImportRows,
  startImport,
} from "../db/imports";
import { isId } from "../domain/ids";
import { AppError } from "../errors";
import { record as recordAudit } from "./audit";
import { actorOf, type Ctx, staffIdOf, withTransaction } from "./context";

const PAGE = 50;

function presentImport({ digest: _, silent: __, ...record }: ImportRow): ImportRecord {
  return record;
}

/** Ends the import first when its server is silent. @throws AppError not_found, also for another newsletter's */
async function getRow(ctx: Pick<Ctx, "db">, newsletterId: string, importId: string): Promise<ImportRow> {
  const find = () => findImport(ctx.db, newsletterId, importId);
  let row = isId(importId) ? await find() : null;
  if (row?.silent) {
    await endSilent(ctx.db, importId);
    row = await find();
  }
  if (!row) throw new AppError("not_found", "This import does not exist. A plan is kept for one day.");
  return row;
}

/** One import as it is now. @throws AppError not_found */
export async function getImport(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<ImportRecord> {
  return presentImport(await getRow(ctx, newsletterId, importId));
}

/** Imports that were started, the latest first. @param cursor the number before which the page begins */
export async function listImports(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  cursor: number | null,
): Promise<Page<ImportRecord, number>> {
  let rows = await listImportRows(ctx.db, newsletterId, cursor, PAGE + 1);
  if (rows.some((row) => row.silent)) {
    await endSilent(ctx.db);
    rows = await listImportRows(ctx.db, newsletterId, cursor, PAGE + 1);
  }
  return pageOf(rows.map(presentImport), PAGE, ({ number }) => number);
}

/** The lines that added nobody, as they were pasted. @throws AppError not_found */
export async function listRejectedLines(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<RejectedLine[]> {
  await getRow(ctx, newsletterId, importId);
  return findRejectedLines(ctx.db, importId);
}

/** The first people on the list who left according to an import's list, as they are now. @throws AppError not_found */
export async function getStillHere(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<StillHereRow[]> {
  await getRow(ctx, newsletterId, importId);
  return listStillHere(ctx.db, newsletterId, importId, mostStillHere);
}

const invalid = (field: string, message: string) =>
  new AppError("validation_error", message, { errors: { [field]: [message] } });

/**
 * Begins to carry out a plan: it is `running` when this returns, and a job goes on with it. Called again for the
 * same plan, it returns the import as it is.
 * @param digest of the plan that was shown
 * @param consent null: nobody who can be written to is added
 * @returns the import, and whether this call began it
 * @throws AppError not_found; validation_error on `digest` or `people`, when what was agreed to is not this plan
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
  const people = addedBy(row.counts);
  const agreed = consent?.people ?? 0;
  if (agreed !== people)
    throw invalid(
      "people",
      `The plan adds ${people} people, but the consent was stated for ${agreed}. No people were added. Confirm the consent again.`,
    );
  if (storedBy(row.counts) === 0)
    throw invalid("people", "All people in this list are already known, so there is nothing to import.");
  const staffId = staffIdOf(ctx);
  const { address } = actorOf(ctx);
  const begun = await withTransaction(ctx, async (tx) => {
    if (!(await startImport(tx, newsletterId, importId, { staffId, address, consent }))) return false;
    const startedBy = { staffId: staffId ?? "", address, requestId: ctx.requestId };
    await ctx.jobs.add(tx, "import", [{ data: { newsletterId, importId, startedBy } }]);
    return true;
  });
  return { record: await getImport(ctx, newsletterId, importId), begun };
}

/**
 * Stops an import: once this has returned any state but `done`, it never becomes done. A plan is discarded.
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
    if (!(await askToCancel(tx, importId))) return;
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

const LOOK_EVERY_MS = 250;

/**
 * An import whenever it has changed, until it has ended. It polls, so that any process can serve it.
 * @param signal the watcher has gone
 * @param closing this process is about to stop
 * @throws AppError not_found; service_unavailable when this process stops
 */
export async function* watchImport(
  ctx: Pick<Ctx, "db">,
  { newsletterId, importId }: { newsletterId: string; importId: string },
  signal: AbortSignal | undefined,
  closing?: AbortSignal,
): AsyncGenerator<ImportRecord> {
  const over = AbortSignal.any([signal, closing].filter((one) => one !== undefined));
  for (let last = ""; !over.aborted; ) {
    const record = await getImport(ctx, newsletterId, importId);
    const text = JSON.stringify(record);
    if (text !== last) yield record;
    last = text;
    if (record.state !== "planned" && !isUnderWay(record.state)) return;
    await sleep(LOOK_EVERY_MS, undefined, { signal: over, ref: false }).catch(() => {});
  }
  if (closing?.aborted)
    throw new AppError(
      "service_unavailable",
      "Rollcall is stopping. The import shows its state after the restart.",
    );
}
