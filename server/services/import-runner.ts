import { setTimeout as sleep } from "node:timers/promises";
import type { ImportRun, PlanChange } from "../contract/imports";
import { isDeadlock, type Tx } from "../db/client";
import { cutNamed, fillNames } from "../db/import-names";
import { countNewlySuppressed, cutNewRows, findChanges, insertNewRows, noteLeft } from "../db/import-rows";
import { beat, endRun, finishRun } from "../db/imports";
import { openLongTransaction, tryLockImports } from "../db/long-transactions";
import { noteMany } from "../db/people-acts";
import { record } from "./audit";
import type { Ctx } from "./context";
import { withLowMemory } from "./low-memory";

/** People written by one statement. */
const CHUNK = 2_000;
const BEAT_MS = 400;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";
const TRIES = 3;
/** How long the transaction of a run may take, waiting for the newsletter's other imports included. */
const TIMEOUT_MS = 15 * 60_000;

/** A run and the newsletter that it is for. */
export type Running = { run: ImportRun; newsletter: { id: string; accountId: string } };

export interface ImportRunner {
  /** Carries out a run that `begin` has begun, detached from whoever asked. Never throws: the run says how it ended. */
  start(ctx: Ctx, running: Running): void;
  /** Aborted as soon as `stop` is called. */
  readonly closing: AbortSignal;
  /** Waits until nothing is under way. */
  idle(): Promise<unknown>;
  /** Ends what is under way, nobody added, and waits for it. */
  stop(): Promise<void>;
}

type Log = { warn(details: object, message: string): void };

class Outdated extends Error {}
class Stopped extends Error {}

const STOPPED =
  "Rollcall was stopped while this import ran. Nobody was added and nobody was mailed: start the list again.";
const FAILED =
  "The import could not be carried out. Nobody was added and nobody was mailed; the server's log says why. Start the list again.";

/** Signs of life of one run, on connections of their own, and what they learn: that it is to stop. */
function openPulse({ db }: Ctx, id: string, log: Log) {
  const pulse = { written: 0, over: false };
  let closed = false;
  const beating = (async () => {
    while (!closed) {
      const seen = await beat(db, id, pulse.written).catch((err) => {
        log.warn({ err }, "imports: no sign of life could be given");
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

/** Everything that a run does, in one transaction. @throws Outdated, Stopped */
async function carryOut(
  ctx: Ctx,
  tx: Tx,
  { run, newsletter }: Running,
  pulse: Pulse,
  stopping: () => boolean,
) {
  const check = () => {
    if (pulse.over || stopping()) throw new Stopped();
  };
  const fill = run.options.existing === "fill_blank_names";
  check();
  pulse.written = 0;
  await openLongTransaction(tx);
  while (!(await tryLockImports(tx, newsletter.id))) {
    check();
    await sleep(100);
  }
  const now = await findChanges(tx, newsletter.id, run.id, fill);
  if (now.rows !== run.rows || now.changed > 0) throw new Outdated();
  await noteLeft(tx, newsletter.id, run.id);
  if (run.counts.namesFilled > 0) await giveNames(tx, { run, newsletter }, pulse, check);
  const fresh = run.counts.new_active + run.counts.new_pending;
  pulse.written = run.rows - fresh;
  let after = "";
  let mailed = 0;
  for (const to of await cutNewRows(tx, run.id, CHUNK)) {
    check();
    const chunk = await insertNewRows(tx, newsletter.id, run.id, after, to);
    if (chunk.added < chunk.rows) throw new Outdated();
    after = to;
    mailed += chunk.mailed;
    pulse.written += chunk.added;
  }
  if (mailed > 0) await ctx.outbox.wake(tx);
  if ((await countNewlySuppressed(tx, newsletter.id, run.id)) > 0) throw new Outdated();
  check();
  await record(ctx, tx, {
    accountId: newsletter.accountId,
    newsletterId: newsletter.id,
    action: "import.done",
    subjectId: run.id,
    detail: { number: run.number, people: fresh },
  });
  if (!(await finishRun(tx, run.id, run.counts))) throw new Stopped();
}

/** @throws Outdated when somebody has been given a name by now, or has left */
async function giveNames(
  tx: Tx,
  { run, newsletter }: Running,
  pulse: Pulse,
  check: () => void,
): Promise<void> {
  const by = { kind: "import", id: run.id, address: null };
  let after = LOWEST_ID;
  for (const to of await cutNamed(tx, run.id, "to_fill", CHUNK)) {
    check();
    const named = await fillNames(tx, newsletter.id, run.id, after, to);
    await noteMany(tx, newsletter.id, named, "named", by);
    after = to;
    pulse.written += named.length;
  }
  if (pulse.written !== run.counts.namesFilled) throw new Outdated();
}

/** What has changed since the plan; null when, by now, nothing has. */
async function changesOf(
  { db }: Ctx,
  { run, newsletter }: Running,
): Promise<{ changed: number; changes: PlanChange[] } | null> {
  const { changed, changes } = await findChanges(
    db,
    newsletter.id,
    run.id,
    run.options.existing === "fill_blank_names",
  );
  return changed > 0 ? { changed, changes } : null;
}

/** Carries out a run and writes how it ended. */
async function runToEnd(ctx: Ctx, running: Running, pulse: Pulse, stopping: () => boolean, log: Log) {
  const { id } = running.run;
  const work = (tx: Tx) => carryOut(ctx, tx, running, pulse, stopping);
  for (let attempt = 1; ; attempt++) {
    try {
      await ctx.db.$transaction(work, { timeout: TIMEOUT_MS, maxWait: 20_000 });
      return;
    } catch (error) {
      if (error instanceof Stopped) {
        // Whoever asked for a cancel, or ended the run, has written so by now; else it is the server that stops.
        const { cancelAsked } = await beat(ctx.db, id, 0);
        return endRun(ctx.db, id, cancelAsked ? { state: "cancelled" } : { state: "failed", error: STOPPED });
      }
      if (error instanceof Outdated) {
        const changes = await changesOf(ctx, running);
        if (changes) return endRun(ctx.db, id, { state: "outdated", ...changes });
      } else if (!isDeadlock(error) || attempt === TRIES) {
        log.warn({ err: error, importId: id }, "imports: a run failed");
        return endRun(ctx.db, id, { state: "failed", error: FAILED });
      }
      // Whoever was in the way is gone again.
      if (attempt === TRIES) return endRun(ctx.db, id, { state: "failed", error: FAILED });
    }
  }
}

/** Carries out the runs that this process has begun, one after the other: what is left of the machine is for requests. */
export function openImportRunner(log: Log): ImportRunner {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  async function carry(ctx: Ctx, running: Running, turn: Promise<unknown>): Promise<void> {
    const pulse = openPulse(ctx, running.run.id, log);
    try {
      await turn;
      await runToEnd(ctx, running, pulse, () => closing.signal.aborted, log);
    } catch (err) {
      // Nobody hears of it here; the run is ended, as silent, by whoever looks.
      log.warn({ err, importId: running.run.id }, "imports: how a run ended could not be written");
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
