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

/** How long one job works on; then others that are waiting have their turn. */
const TURN_MS = 2_000;
/** Attempts of one job, some two minutes of them, after which its work ends as failed. */
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

/** The work was cancelled or the process stops: the transaction must not commit. */
class WorkStopped extends Error {}

/**
 * Does the next parts of an import, a bulk action or an undo. Each part is one transaction that also writes the progress or the
 * end: a process that is killed loses the part it was at, and the job's next attempt does it again.
 * @param attempt retries: earlier attempts at this job
 */
export async function runWork(
  ctx: Omit<Ctx, "actor" | "requestId">,
  job: JobData["work"],
  { closing, retries = 0 }: { closing: AbortSignal; retries?: number },
): Promise<void> {
  const until = performance.now() + TURN_MS;
  while (!closing.aborted && performance.now() < until) {
    const work = await findWork(ctx.db, job.id);
    if (!work) return;
    if (retries >= MAX_TRIES) return failWork(ctx.db, work, failureOf(work));
    const { requestId, ...startedBy } = job.startedBy;
    const { accountId, newsletterId } = work;
    // Their permission was checked when they started it.
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

/** Does all of an import, or of its undo, in one transaction. */
async function doWhole(
  ctx: Ctx,
  { work, job }: { work: Work; job: JobData["work"] },
  closing: AbortSignal,
): Promise<void> {
  const { id, newsletterId, accountId, state } = work;
  const record = await findImport(ctx.db, newsletterId, id);
  if (record?.state !== state) return;
  const report = async (written: number) => {
    // A moment of silence of the database is no reason to stop.
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
