import { setTimeout as sleep } from "node:timers/promises";
import { isDeadlock } from "../db/client";
import { beat, endImport, takeImport } from "../db/imports";
import type { JobData } from "../jobs/queues";
import type { Ctx } from "./context";
import {
  commitPlan,
  type ImportProgress,
  ImportStopped,
  PlanOutdated,
  type RunningImport,
} from "./import-commit";
import { getImport } from "./imports";
import { withLowMemory } from "./low-memory";
import { getNewsletter } from "./newsletters";

const BEAT_MS = 400;
const TRIES = 3;
/** How long the transaction of an import may take, including the wait for the newsletter's other imports. */
const TIMEOUT_MS = 15 * 60_000;

type Log = { warn(details: object, message: string): void };

const STOPPED =
  "Rollcall was stopped while this import ran. Nobody was added and nobody was mailed: start the list again.";
const FAILED =
  "The import could not be carried out. Nobody was added and nobody was mailed; the server's log says why. Start the list again.";

/** Writes the progress of an import, on connections of its own: its sign of life. Also learns that the import is to stop. */
function startHeartbeat({ db }: Ctx, id: string, closing: AbortSignal, log: Log) {
  let over = false;
  let closed = false;
  const progress = { written: 0, stopped: () => over || closing.aborted };
  const beating = (async () => {
    while (!closed) {
      const seen = await beat(db, id, progress.written).catch((err) => {
        log.warn({ err }, "imports: no sign of life could be written");
        return null;
      });
      if (seen && (!seen.running || seen.cancelAsked)) over = true;
      await sleep(BEAT_MS, undefined, { ref: false });
    }
  })();
  return {
    progress,
    async close() {
      closed = true;
      await beating;
    },
  };
}

/** Carries out an import and writes how it ended. */
async function runToEnd(ctx: Ctx, running: RunningImport, progress: ImportProgress, log: Log) {
  const { id } = running.record;
  for (let attempt = 1; ; attempt++) {
    try {
      await ctx.db.$transaction((tx) => commitPlan(ctx, tx, running, progress), {
        timeout: TIMEOUT_MS,
        maxWait: 20_000,
      });
      return;
    } catch (error) {
      if (error instanceof ImportStopped) {
        // A cancel, or another end, is written by now; without one it is the server that stops.
        const { cancelAsked } = await beat(ctx.db, id, 0);
        return endImport(
          ctx.db,
          id,
          cancelAsked ? { state: "cancelled" } : { state: "failed", error: STOPPED },
        );
      }
      const outdated = error instanceof PlanOutdated;
      if (outdated && error.comparison)
        return endImport(ctx.db, id, { state: "outdated", ...error.comparison });
      // Whoever was in the way is gone at the next try.
      if (attempt < TRIES && (outdated || isDeadlock(error))) continue;
      log.warn({ err: error, importId: id }, "imports: an import failed");
      return endImport(ctx.db, id, { state: "failed", error: FAILED });
    }
  }
}

/** Carries out an import that somebody has started. Never throws: the record has the end. */
export async function runImport(
  { db, ...ctx }: Omit<Ctx, "actor" | "requestId">,
  { newsletterId, importId, startedBy }: JobData["import"],
  closing: AbortSignal,
  log: Log,
): Promise<void> {
  const newsletter = await getNewsletter(db, newsletterId);
  const record = await getImport({ db }, newsletterId, importId);
  // A job that comes again was lost before anybody took the import; one that was taken ends where it was.
  if (record.state !== "running" || !(await takeImport(db, importId))) return;
  const { staffId, address, requestId } = startedBy;
  const { accountId } = newsletter;
  // Whether they may was checked when they started it.
  const actor = { kind: "staff", id: staffId, accountId, role: "editor", address } as const;
  await carryToEnd({ ...ctx, db, actor, requestId }, { record, newsletter }, closing, log);
}

/** Carries out an import, with signs of life. */
export function carryToEnd(ctx: Ctx, running: RunningImport, closing: AbortSignal, log: Log): Promise<void> {
  const { id } = running.record;
  return withLowMemory(async () => {
    const heartbeat = startHeartbeat(ctx, id, closing, log);
    try {
      await runToEnd(ctx, running, heartbeat.progress, log);
    } catch (err) {
      // Nobody hears of it here; whoever looks next ends the import as silent.
      log.warn({ err, importId: id }, "imports: the end of an import could not be written");
    } finally {
      await heartbeat.close();
    }
  });
}
