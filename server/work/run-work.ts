import type { Actor } from "../accounts/context";
import { continueBulkAction } from "../bulk-actions/chunks";
import { findBulkAction } from "../bulk-actions/shared-queries";
import { commitPlan, PlanOutdated } from "../imports/commit";
import { removeImported } from "../imports/remove-imported";
import { endOutdated, findImport, noteWritten } from "../imports/shared-queries";
import { AppError } from "../kernel/errors";
import { isUnderWay } from "../kernel/work-progress";
import { type Tx, withRetry } from "../platform/db/client";
import type { JobData } from "../platform/jobs/queues";
import type { Ctx } from "../subscribers/context";
import { failWork, findWork, type Work } from "./queries/work";

/** The time slice of one job; afterwards other waiting jobs run. */
const TURN_MS = 2_000;
/** Attempts of one job, about two minutes in total; afterwards its work ends as failed. */
const MAX_TRIES = 8;
/** How long an import or its undo may take, including the wait for the newsletter's other imports. */
const IMPORT_TIMEOUT_MS = 15 * 60_000;

const failures = {
  import:
    "The import failed. No people were added and no emails were sent. The server's log has the reason. Start the import again.",
  undo: "The undo of this import failed. No people were removed. The server's log has the reason.",
  action:
    "The action stopped because of an error. Changes made before stay, and no one else was changed. The server's log has the reason. Repeat the action for the rest.",
};

/** Thrown when the work is cancelled or the process stops: the transaction must not commit. */
class WorkStopped extends Error {}

/**
 * Runs the next parts of an import, a bulk action or an undo. Each part is one transaction that also writes the
 * progress or the end. A killed process loses its current part, and the job's next attempt repeats that part.
 * @param input retries: earlier attempts at this job
 */
export async function runWork(
  ctx: Omit<Ctx, "actor" | "requestId">,
  { job, closing, retries = 0 }: { job: JobData["work"]; closing: AbortSignal; retries?: number },
): Promise<void> {
  const until = performance.now() + TURN_MS;
  while (!closing.aborted && performance.now() < until) {
    const work = await findWork(ctx.db, job.id);
    if (!work) return;
    if (retries >= MAX_TRIES) return failWork(ctx.db, work, failureOf(work));
    const { requestId, ...startedBy } = job.startedBy;
    const { accountId, newsletterId } = work;
    // The permission was checked at the start of the work.
    const actor = { ...startedBy, accountId, newsletterId, role: "editor" } as Actor;
    try {
      await doPart({ ...ctx, actor, requestId }, work, job, closing);
    } catch (error) {
      if (error instanceof WorkStopped) continue;
      // Another attempt would be rejected for the same reason.
      const isFinal = error instanceof AppError && error.code === "validation_error";
      if (!isFinal) throw error;
      return failWork(ctx.db, work, error.message);
    }
  }
  await ctx.jobs.add(ctx.db, "work", [{ data: job }]);
}

const failureOf = ({ kind, state }: Work) =>
  failures[kind !== "import" ? "action" : state === "running" ? "import" : "undo"];

async function doPart(ctx: Ctx, work: Work, job: JobData["work"], closing: AbortSignal): Promise<void> {
  if (work.kind === "import") return doWhole(ctx, { work, job }, closing);
  const action = await findBulkAction(ctx.db, work.newsletterId, work.id);
  if (action && isUnderWay(action.state)) await continueBulkAction(ctx, action);
}

/** Runs a whole import, or its undo, in one transaction. */
async function doWhole(
  ctx: Ctx,
  { work, job }: { work: Work; job: JobData["work"] },
  closing: AbortSignal,
): Promise<void> {
  const { id, newsletterId, accountId, state } = work;
  const record = await findImport(ctx.db, newsletterId, id);
  if (record?.state !== state) return;
  const report = async (written: number) => {
    // A short database failure must not stop the work.
    const goesOn = closing.aborted ? false : await noteWritten(ctx.db, work, written).catch(() => true);
    if (!goesOn) throw new WorkStopped();
  };
  const newsletter = { id: newsletterId, accountId };
  const { removeOptOuts = false } = job;
  const write = async (tx: Tx) => {
    const running = { record, newsletter, removeOptOuts };
    const isEnd = await (state === "running" ? commitPlan : removeImported)(ctx, tx, running, report);
    if (!isEnd) throw new WorkStopped();
  };
  const isPassing = (error: unknown) => error instanceof PlanOutdated && !error.comparison;
  try {
    await withRetry(
      () => ctx.db.$transaction(write, { timeout: IMPORT_TIMEOUT_MS, maxWait: 20_000 }),
      isPassing,
    );
  } catch (error) {
    if (!(error instanceof PlanOutdated && error.comparison)) throw error;
    await endOutdated(ctx.db, id, error.comparison);
  }
}
