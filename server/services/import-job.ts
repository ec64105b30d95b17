import { setTimeout as sleep } from "node:timers/promises";
import { isConsentRefusal, isDeadlock, type Tx } from "../db/client";
import { beat, endImport, endUndo, takeImport } from "../db/imports";
import type { JobData } from "../jobs/queues";
import type { Ctx } from "./context";
import {
  commitPlan,
  type ImportProgress,
  ImportStopped,
  PlanOutdated,
  type RunningImport,
} from "./import-commit";
import { removeImported, type UndoingImport } from "./import-undo";
import { getImport } from "./imports";
import { getNewsletter } from "./newsletters";

const BEAT_MS = 400;
const TRIES = 3;
/** How long the transaction of an import may take, including the wait for the newsletter's other imports. */
const TIMEOUT_MS = 15 * 60_000;

const UNDO_STOPPED =
  "Rollcall stopped while it undid this import. No people were removed. Undo the import again.";
const UNDO_FAILED =
  "The undo of this import failed. No people were removed. The server's log has the reason.";

type Log = { warn(details: object, message: string): void };
/** What a job has of the process that it runs in. `closing`: it is about to stop. */
type Process = { closing: AbortSignal; log: Log };

const STOPPED =
  "Rollcall stopped while this import ran. No people were added and no emails were sent. Start the import again.";
const FAILED =
  "The import failed. No people were added and no emails were sent. The server's log has the reason. Start the import again.";

/** Writes the progress of an import, on connections of its own: its sign of life. Also learns that the import is to stop. */
function startHeartbeat({ db }: Ctx, id: string, closing: AbortSignal, log: Log) {
  let over = false;
  let closed = false;
  const progress = { written: 0, stopped: () => over || closing.aborted };
  const beating = (async () => {
    while (!closed) {
      const seen = await beat(db, id, progress.written).catch((err) => {
        log.warn({ err }, "imports: could not store the heartbeat");
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

type Ending = {
  work(tx: Tx, progress: ImportProgress): Promise<void>;
  /** Writes what came of an error that another try does not answer. */
  end(error: unknown): Promise<void>;
};

/** Does the work in one transaction, or writes why not. */
async function runToEnd({ db }: Ctx, progress: ImportProgress, { work, end }: Ending): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction((tx) => work(tx, progress), { timeout: TIMEOUT_MS, maxWait: 20_000 });
    } catch (error) {
      const again =
        (error instanceof PlanOutdated && !error.comparison) || isDeadlock(error) || isConsentRefusal(error);
      // Whoever was in the way is gone at the next try.
      if (attempt === TRIES || !again) return end(error);
    }
  }
}

/** Writes how an import ended that added nobody. */
async function endWith({ db }: Ctx, id: string, error: unknown, log: Log): Promise<void> {
  if (error instanceof ImportStopped) {
    // A cancel, or another end, is written by now; without one it is the server that stops.
    const { cancelAsked } = await beat(db, id, 0);
    return endImport(db, id, cancelAsked ? { state: "cancelled" } : { state: "failed", error: STOPPED });
  }
  if (error instanceof PlanOutdated && error.comparison)
    return endImport(db, id, { state: "outdated", ...error.comparison });
  log.warn({ err: error, importId: id }, "imports: an import failed");
  return endImport(db, id, { state: "failed", error: FAILED });
}

/** Writes that an undo removed nobody. */
async function endUndoWith({ db }: Ctx, id: string, error: unknown, log: Log): Promise<void> {
  if (error instanceof ImportStopped) return endUndo(db, id, UNDO_STOPPED);
  log.warn({ err: error, importId: id }, "imports: an undo failed");
  return endUndo(db, id, UNDO_FAILED);
}

/** Works with signs of life. */
async function carryOut(ctx: Ctx, id: string, { closing, log }: Process, ending: Ending): Promise<void> {
  const heartbeat = startHeartbeat(ctx, id, closing, log);
  try {
    await runToEnd(ctx, heartbeat.progress, ending);
  } catch (err) {
    // Nobody hears of it here; whoever looks next ends the import as silent.
    log.warn({ err, importId: id }, "imports: could not store the end of an import");
  } finally {
    await heartbeat.close();
  }
}

/** Carries out an import, with signs of life. */
export function carryToEnd(ctx: Ctx, running: RunningImport, process: Process): Promise<void> {
  const { id } = running.record;
  return carryOut(ctx, id, process, {
    work: (tx, progress) => commitPlan(ctx, tx, running, progress),
    end: (error) => endWith(ctx, id, error, process.log),
  });
}

/** Undoes an import, with signs of life. */
export function carryUndo(ctx: Ctx, undoing: UndoingImport, process: Process): Promise<void> {
  const { id } = undoing.record;
  return carryOut(ctx, id, process, {
    work: (tx, progress) => removeImported(ctx, tx, undoing, progress),
    end: (error) => endUndoWith(ctx, id, error, process.log),
  });
}

type JobCtx = Omit<Ctx, "actor" | "requestId">;

/** What a job is about, taken by this call alone; null when it is over, or another process has it. */
async function take(
  { db, ...ctx }: JobCtx,
  { newsletterId, importId, startedBy }: JobData["import"],
  state: "running" | "undoing",
): Promise<{ ctx: Ctx; running: RunningImport } | null> {
  const newsletter = await getNewsletter(db, newsletterId);
  const record = await getImport({ db }, newsletterId, importId);
  // A job that comes again was lost before anybody took the import; one that was taken ends where it was.
  if (record.state !== state || !(await takeImport(db, importId, state))) return null;
  const { staffId, address, requestId } = startedBy;
  const { accountId } = newsletter;
  // Whether they may was checked when they started it.
  const actor = { kind: "staff", id: staffId, accountId, role: "editor", address } as const;
  return { ctx: { ...ctx, db, actor, requestId }, running: { record, newsletter } };
}

/** Carries out an import that somebody has started. Never throws: the record has the end. */
export async function runImport(ctx: JobCtx, job: JobData["import"], process: Process): Promise<void> {
  const taken = await take(ctx, job, "running");
  if (taken) await carryToEnd(taken.ctx, taken.running, process);
}

/** Undoes an import of which somebody has asked that. Never throws: the record has the end. */
export async function runImportUndo(
  ctx: JobCtx,
  job: JobData["import-undo"],
  process: Process,
): Promise<void> {
  const taken = await take(ctx, job, "undoing");
  const { removeOptOuts = false } = job;
  if (taken) await carryUndo(taken.ctx, { ...taken.running, removeOptOuts }, process);
}
