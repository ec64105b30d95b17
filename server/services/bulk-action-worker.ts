import { type BulkActionRow, listDue, noteFailure } from "../db/bulk-actions";
import { step } from "./bulk-actions";
import type { Ctx } from "./context";

export interface BulkActionWorker {
  /** There may be something to do: looks at once. */
  wake(): void;
  /** Ends after the chunk under way; other processes, or the next start, go on from there. */
  stop(): Promise<void>;
}

type Log = { warn(details: object, message: string): void };

/** How often what another process left, or began, is looked for. */
const LOOK_MS = 1_500;
/** Runs looked at together: one that another process is at does not hold up the next. */
const LOOKED_AT = 4;
/** Failures in a row, some two minutes of them, after which a run ends. */
const MAX_TRIES = 8;
const FAILED =
  "This could not be gone on with. What was done until then stays done, nobody else was touched; the server's log says why. Do it again for the rest.";

/**
 * Works through what is asked to be done to many people, a chunk at a time. Every process does; a run is whose transaction
 * holds its row, so that one that is killed loses the chunk it was at, and another goes on from the last that was committed.
 */
export function startBulkActions(ctx: Omit<Ctx, "actor" | "requestId">, log: Log): BulkActionWorker {
  let stopping = false;
  let wakeUp = () => {};
  let woken = false;
  let warned = false;

  const rest = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      timer.unref();
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function tryStep(run: BulkActionRow): Promise<boolean> {
    try {
      return await step(ctx, run);
    } catch (err) {
      log.warn({ err, runId: run.id }, "people: a chunk failed and is tried again");
      await noteFailure(ctx.db, run.id, FAILED, MAX_TRIES);
      return false;
    }
  }

  /** @returns whether anything was done */
  async function look(): Promise<boolean> {
    let worked = false;
    for (const run of await listDue(ctx.db, LOOKED_AT)) {
      if (stopping) return false;
      if (await tryStep(run)) worked = true;
    }
    return worked;
  }

  async function work(): Promise<void> {
    while (!stopping) {
      woken = false;
      const worked = await look().then(
        (did) => {
          warned = false;
          return did;
        },
        (err) => {
          if (!warned) log.warn({ err }, "people: what is to be done cannot be read just now");
          warned = true;
          return false;
        },
      );
      if (!worked && !woken && !stopping) await rest();
    }
  }

  const working = work();
  return {
    wake() {
      woken = true;
      wakeUp();
    },
    async stop() {
      stopping = true;
      wakeUp();
      await working;
    },
  };
}
