import { setTimeout as sleep } from "node:timers/promises";
import { isDeadlock } from "../db/client";
import { beat, endImport } from "../db/imports";
import type { Ctx } from "./context";
import { commitPlan, ImportStopped, PlanOutdated, type RunningImport } from "./import-commit";
import { withLowMemory } from "./low-memory";

const BEAT_MS = 400;
const TRIES = 3;
/** How long the transaction of an import may take, including the wait for the newsletter's other imports. */
const TIMEOUT_MS = 15 * 60_000;

export interface ImportRunner {
  /** Carries out an import that `beginImport` has begun, detached from whoever asked. Never throws: the record has the end. */
  start(ctx: Ctx, running: RunningImport): void;
  /** Aborted as soon as `stop` is called. */
  readonly closing: AbortSignal;
  /** Waits until nothing is under way. */
  idle(): Promise<unknown>;
  /** Ends what is under way, nobody added, and waits for it. */
  stop(): Promise<void>;
}

type Log = { warn(details: object, message: string): void };

const STOPPED =
  "Rollcall was stopped while this import ran. Nobody was added and nobody was mailed: start the list again.";
const FAILED =
  "The import could not be carried out. Nobody was added and nobody was mailed; the server's log says why. Start the list again.";

/** Signs of life of one import, on connections of their own; they also learn that it is to stop. */
function openPulse({ db }: Ctx, id: string, log: Log) {
  const pulse = { written: 0, over: false };
  let closed = false;
  const beating = (async () => {
    while (!closed) {
      const seen = await beat(db, id, pulse.written).catch((err) => {
        log.warn({ err }, "imports: no sign of life could be written");
        return null;
      });
      if (seen && (!seen.running || seen.cancelAsked)) pulse.over = true;
      await sleep(BEAT_MS, undefined, { ref: false });
    }
  })();
  return Object.assign(pulse, {
    async close() {
      closed = true;
      await beating;
    },
  });
}
type Pulse = ReturnType<typeof openPulse>;

/** Carries out an import and writes how it ended. */
async function runToEnd(ctx: Ctx, running: RunningImport, pulse: Pulse, stopping: () => boolean, log: Log) {
  const { id } = running.record;
  const progress = Object.assign(pulse, { stopped: () => pulse.over || stopping() });
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

/** Carries out the imports that this process has begun, one after the other, so that requests have room beside them. */
export function openImportRunner(log: Log): ImportRunner {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  async function carry(ctx: Ctx, running: RunningImport, turn: Promise<unknown>): Promise<void> {
    const pulse = openPulse(ctx, running.record.id, log);
    try {
      await turn;
      await runToEnd(ctx, running, pulse, () => closing.signal.aborted, log);
    } catch (err) {
      // Nobody hears of it here; whoever looks next ends the import as silent.
      log.warn({ err, importId: running.record.id }, "imports: the end of an import could not be written");
    } finally {
      await pulse.close();
    }
  }

  return {
    start(ctx, running) {
      last = withLowMemory(() => carry(ctx, running, last));
    },
    closing: closing.signal,
    idle: () => last,
    async stop() {
      closing.abort();
      await last;
    },
  };
}
