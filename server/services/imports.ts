import { setTimeout as sleep } from "node:timers/promises";
import type { Consent, ImportRun, ImportState, RejectedLine } from "../contract/imports";
import { listRejected } from "../db/import-rows";
import {
  askToCancel,
  discardPlan,
  endSilent,
  findImport,
  type ImportRow,
  listImports,
  startRun,
} from "../db/imports";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { isId } from "./parse";

const PAGE = 50;

/** Row in, record out. */
export function presentRun(row: ImportRow): ImportRun {
  const { id, fileName, by, createdAt, startedAt, endedAt, rows, rejected, written, counts } = row;
  const { error, changed, changes, undoUntil, undone, consentSource } = row;
  return {
    id,
    number: row.number ?? 0,
    state: row.state as ImportState,
    fileName,
    by,
    createdAt,
    startedAt,
    endedAt,
    options: { status: row.defaultStatus, existing: row.existing },
    consent: consentSource === null ? null : { source: consentSource, wording: row.consentWording ?? "" },
    rows,
    rejected,
    written,
    counts,
    error,
    changed,
    changes,
    undoUntil,
    undone,
  };
}

const notFound = () => new AppError("not_found", "There is no such import. A plan is kept for a day.");

/** One run, ended first when it is silent. @throws AppError not_found, also for another newsletter's */
export async function getRow(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<ImportRow> {
  const row = isId(importId) ? await findImport(ctx.db, newsletterId, importId) : null;
  if (!row) throw notFound();
  if (!row.silent) return row;
  await endSilent(ctx.db, importId);
  return (await findImport(ctx.db, newsletterId, importId)) ?? row;
}

/** One run as it stands. @throws AppError not_found */
export async function get(ctx: Pick<Ctx, "db">, newsletterId: string, importId: string): Promise<ImportRun> {
  return presentRun(await getRow(ctx, newsletterId, importId));
}

/** Runs that were started, the latest first. @param cursor the number before which the page begins */
export async function list(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  cursor: number | null,
): Promise<{ runs: ImportRun[]; next: number | null }> {
  let rows = await listImports(ctx.db, newsletterId, cursor, PAGE + 1);
  if (rows.some((row) => row.silent)) {
    await endSilent(ctx.db);
    rows = await listImports(ctx.db, newsletterId, cursor, PAGE + 1);
  }
  const runs = rows.slice(0, PAGE).map(presentRun);
  return { runs, next: rows.length > PAGE ? (runs.at(-1)?.number ?? null) : null };
}

/** The lines that added nobody, as they were pasted. @throws AppError not_found */
export async function rejected(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<RejectedLine[]> {
  await getRow(ctx, newsletterId, importId);
  return listRejected(ctx.db, importId);
}

/**
 * Begins to carry out a plan: it is `running` when this returns, and `app.imports` goes on with it. Asked again for the
 * same plan, it answers how that stands.
 * @returns the run, and whether this call began it
 * @throws AppError not_found; validation_error on `digest` or `people`, when what was agreed to is not this plan
 */
export async function begin(
  ctx: Ctx,
  newsletterId: string,
  importId: string,
  digest: string,
  consent: Consent,
): Promise<{ run: ImportRun; begun: boolean }> {
  const row = await getRow(ctx, newsletterId, importId);
  const reject = (field: string, message: string) =>
    new AppError("validation_error", message, { errors: { [field]: [message] } });
  if (row.digest !== digest)
    throw reject("digest", "This is not the plan that was shown. Nothing was added; look at the plan again.");
  if (row.state !== "planned") return { run: presentRun(row), begun: false };
  const { counts } = row;
  const people = counts.new_active + counts.new_pending;
  if (consent.people !== people)
    throw reject(
      "people",
      `The plan adds ${people} people, and the agreement was for ${consent.people}. Nothing was added; agree to the number of the plan.`,
    );
  if (people === 0 && counts.namesFilled === 0)
    throw reject("people", "Everybody in this list is on the list already: there is nothing to do.");
  const staffId = ctx.actor.kind === "staff" ? ctx.actor.id : null;
  const begun = await withTransaction(ctx, (tx) => startRun(tx, newsletterId, importId, staffId, consent));
  return { run: await get(ctx, newsletterId, importId), begun };
}

/**
 * Stops a run: once this has answered with anything but `done`, it never becomes done. A plan is discarded.
 * @throws AppError not_found
 */
export async function cancel(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  importId: string,
): Promise<ImportRun> {
  const row = await getRow(ctx, newsletter.id, importId);
  if (row.state === "planned") {
    const gone = await withTransaction(ctx, (tx) => discardPlan(tx, newsletter.id, importId));
    if (gone) return { ...presentRun(row), state: "cancelled" };
  }
  await withTransaction(ctx, async (tx) => {
    if (!(await askToCancel(tx, importId))) return;
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "import.cancelled",
      subjectId: importId,
      detail: { number: row.number ?? 0 },
    });
  });
  return get(ctx, newsletter.id, importId);
}

const LOOK_EVERY_MS = 250;

/**
 * A run whenever it has changed, until it has ended; by looking, so that any process can tell.
 * @param signal whoever watches has gone
 * @param closing this process is about to stop
 * @throws AppError not_found; service_unavailable when this process stops: another will tell how it goes on
 */
export async function* watch(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
  signal: AbortSignal | undefined,
  closing?: AbortSignal,
): AsyncGenerator<ImportRun> {
  const over = AbortSignal.any([signal, closing].filter((one) => one !== undefined));
  for (let last = ""; !over.aborted; ) {
    const run = await get(ctx, newsletterId, importId);
    const text = JSON.stringify(run);
    if (text !== last) yield run;
    last = text;
    if (run.state !== "planned" && run.state !== "running") return;
    await sleep(LOOK_EVERY_MS, undefined, { signal: over, ref: false }).catch(() => {});
  }
  if (closing?.aborted)
    throw new AppError(
      "service_unavailable",
      "Rollcall is being stopped; how the import stands shows when it is back.",
    );
}
