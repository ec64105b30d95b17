import { findBulkAction, listDue, noteFailedChunk } from "../db/bulk-actions";
import { AppError } from "../errors";
import type { JobData } from "../jobs/queues";
import { continueBulkAction } from "./bulk-actions";
import type { Ctx } from "./context";

/** How long one job works on; then others that are waiting have their turn. */
const TURN_MS = 2_000;
/** Seconds until an action is looked at again that another process is working on. */
const BUSY_SECONDS = 1;
/** Failures in a row, some two minutes of them, after which an action ends. */
const MAX_TRIES = 8;
const MAX_RECOVERED = 100;
const FAILED =
  "The action stopped because of an error. Changes made before stay, and no one else was changed. The server's log has the reason. Repeat the action for the rest.";

/**
 * Does the next chunks of a bulk action or of its undo. Each chunk is one transaction that holds the action's row: a process
 * that is killed loses the chunk it was at, and the job is tried again from the last chunk that was committed.
 */
export async function workOnBulkAction(
  ctx: Omit<Ctx, "actor" | "requestId">,
  action: JobData["bulk-action"],
  closing: AbortSignal,
): Promise<void> {
  const until = performance.now() + TURN_MS;
  let busy = false;
  while (!busy && !closing.aborted && performance.now() < until) {
    const run = await findBulkAction(ctx.db, action.newsletterId, action.id);
    if (run?.state !== "running" && run?.state !== "undoing") return;
    try {
      busy = !(await continueBulkAction(ctx, run));
    } catch (error) {
      // Trying again helps nobody where what is asked cannot be done any more.
      const isFinal = error instanceof AppError && error.code === "validation_error";
      const failed = isFinal ? { error: error.message, maxTries: 1 } : { error: FAILED, maxTries: MAX_TRIES };
      await noteFailedChunk(ctx.db, action.id, failed);
      if (isFinal) return;
      throw error;
    }
  }
  await ctx.jobs.add(ctx.db, "bulk-action", [{ data: action, ...(busy && { at: BUSY_SECONDS }) }]);
}

/** Adds a job for each action under way, whose own may be lost. One too many does no harm. */
export async function recoverBulkActions({ db, jobs }: Pick<Ctx, "db" | "jobs">): Promise<void> {
  const actions = await listDue(db, MAX_RECOVERED);
  await jobs.add(
    db,
    "bulk-action",
    actions.map(({ newsletterId, id }) => ({ data: { newsletterId, id } })),
  );
}
