import type { Db } from "../db/client";
import { forgetSettled, listOverdue } from "../db/mail-batches";
import { forgetOldGrants } from "../db/mail-throttle";
import { openPacer } from "./pacer";
import { type BegunSend, type Links, type Packing, pack } from "./packing";
import { PACK, SEND, type SendJob, startQueues, wakePacker, wakeSender } from "./queues";
import { applyReports } from "./reports";
import { type Outcome, openResend, type Provider } from "./resend";
import { backoff, conclude, giveBack, type Log, resume, type Sending } from "./sending";
import { warmUp } from "./templates/render-confirmation";

export type DeliveryState = {
  running: boolean;
  /** keep: there is no Resend key, so mails are written and kept. */
  mode: "resend" | "keep";
  /** How long nothing will be sent because Resend asked to wait or is away; 0 when mails flow. */
  pausedMs: number;
  /** What went wrong last and has not been followed by a success, in words for an operator. */
  trouble: { at: string; message: string } | null;
};

export interface Delivery {
  state(): DeliveryState;
  /** Finishes the attempt in flight, for at most 5 s; what is left is found by the next process. */
  stop(): Promise<void>;
}

export type Tuning = {
  /** How long Resend may take to answer. */
  timeoutMs: number;
  /** Requests that this process starts in a second. */
  requestsPerSecond: number;
  /** How long an attempt has its send to itself; longer than it can take. After that anybody repeats it. */
  leaseSeconds: number;
  backoffMs: number;
  uncertainAfterSeconds: number;
  /** How late a job may be seen whose time has come; new mails are announced and don't wait for this. */
  pollSeconds: number;
};

const defaults: Tuning = {
  timeoutMs: 10_000,
  requestsPerSecond: 2,
  leaseSeconds: 20,
  backoffMs: 1_000,
  uncertainAfterSeconds: 20 * 3600,
  pollSeconds: 2,
};

/** The process has 10 s in all. An attempt given up is repeated with the same key by whoever comes next. */
const STOP_MS = 5_000;
/** It looks every two seconds, so that so long without a failure means that it is well again. */
const QUEUE_TROUBLE_MS = 10_000;
const TIDY_MS = 3_600_000;
const MAX_NUDGE_MS = 60_000;
const OVERDUE_SECONDS = 300;
/** While Resend is away new mails are gathered, and one send in so long finds out whether it is back. */
const MAX_PROBE_MS = 30_000;

type Options = {
  db: Db;
  databaseUrl: string;
  /** Null: mails are written and kept; nobody is called. */
  resend: { apiKey: string; baseUrl?: string | undefined } | null;
  /** Sender of newsletters without one of their own, such as `Weekly <hello@x.org>`. */
  mailFrom: string;
  /** Where this instance is reached; the links carry it already. */
  appUrl?: string;
  links: Links;
  log: Log;
  tuning?: Partial<Tuning>;
};

/** Stands in when there is no key, for sends that were packed when there was one. */
const keyless: Provider = {
  async deliver() {
    const message = "RESEND_API_KEY is not set.";
    return {
      outcome: { kind: "blocked", code: "missing_api_key", message },
      rate: { remaining: null, resetMs: null },
    };
  },
};

/**
 * Starts delivering what the outbox holds. Any number of processes may; they share the work, and none is missed when it dies.
 * @throws when the database can't be reached
 */
export async function startDelivery(options: Options): Promise<Delivery> {
  const { db, log, links, mailFrom } = options;
  const tuning = { ...defaults, ...options.tuning };
  const provider = options.resend ? openResend({ ...options.resend, timeoutMs: tuning.timeoutMs }) : keyless;
  const pacer = openPacer(tuning.requestsPerSecond);
  let running = true;
  let trouble: DeliveryState["trouble"] = null;
  let failures = 0;
  /** When the wake-up that ends the present pause is due, by this process's clock. */
  let nextPackAt = 0;
  const queue = watchQueue(log);
  const boss = await startQueues(options.databaseUrl, "worker", queue.onError, log);
  const packing: Packing = {
    boss,
    links,
    mailFrom,
    sends: options.resend !== null,
    leaseSeconds: tuning.leaseSeconds,
  };
  const sending: Sending = { db, boss, log, ...tuning };

  /** Slows everything down while Resend is in trouble, so that new mails share a request when it is back. */
  function learn(outcome: Outcome): void {
    if (outcome.kind === "throttled") pacer.pause(outcome.waitMs);
    const isTrouble = outcome.kind === "ambiguous" || outcome.kind === "blocked";
    if (isTrouble) pacer.pause(Math.min(MAX_PROBE_MS, backoff(tuning.backoffMs / 2, ++failures)));
    else failures = 0;
    trouble =
      isTrouble || outcome.kind === "throttled"
        ? { at: new Date().toISOString(), message: outcome.message }
        : null;
  }

  async function attempt(send: BegunSend): Promise<void> {
    if ((await pacer.take()) !== "go") return giveBack(sending, send, pacer.waitMs());
    const { outcome, rate } = await provider.deliver(send.id, send.payload);
    pacer.observe(rate);
    learn(outcome);
    const waitMs = await conclude(sending, send, outcome);
    if (waitMs !== null) nudge(sender, waitMs);
    if (outcome.kind === "accepted") await catchUp(outcome.ids.filter((id) => id !== null));
  }

  /** A report that came before the ids were written was put aside; whoever of the two commits last sees the other. */
  async function catchUp(providerIds: string[]): Promise<void> {
    await applyReports(db, providerIds).catch((err) =>
      log.warn({ err }, "mail: reports that came early are not applied yet; they are within the hour"),
    );
  }

  /** Looks when a wait of ours ends, rather than up to a poll later. Only a hint: the job stands in the database. */
  function nudge(worker: string, ms: number): void {
    if (ms < MAX_NUDGE_MS) setTimeout(() => running && boss.notifyWorker(worker), ms + 5).unref();
  }

  async function onPack(): Promise<void> {
    if (packing.sends) {
      // Asked before packing: what can't leave yet stays in the outbox, and leaves in fewer requests.
      const turn = await pacer.ready();
      if (turn === "stopped") throw new Stopping();
      if (turn === "later") return packLater(pacer.waitMs());
    }
    const send = await db.$transaction((tx) => pack(packing, tx));
    if (send) await attempt(send);
  }

  async function packLater(ms: number): Promise<void> {
    const at = performance.now() + ms;
    // One wake-up for all that is posted meanwhile.
    if (nextPackAt > performance.now() && nextPackAt >= at - 1_000) return;
    nextPackAt = at;
    await wakePacker(boss, db, [ms / 1000]);
    nudge(packer, ms);
  }

  async function onSend({ batchId }: SendJob): Promise<void> {
    const turn = await pacer.ready();
    if (turn === "stopped") throw new Stopping();
    if (turn === "later") return wakeSender(boss, db, [{ batchId, at: pacer.waitMs() / 1000 }]);
    const send = await db.$transaction((tx) => resume(sending, tx, batchId));
    if (send) await attempt(send);
  }

  /** Says what went wrong, and lets the queue try again. */
  async function told(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (err) {
      if (!(err instanceof Stopping)) log.error({ err }, "mail: a step failed; it is tried again");
      throw err;
    }
  }

  /** What no wake-up will do: forgets what is old, and finds what was lost. */
  async function tidy(): Promise<void> {
    try {
      await forgetOldGrants(db);
      await forgetSettled(db);
      await wakeSender(
        boss,
        db,
        (await listOverdue(db, OVERDUE_SECONDS)).map((batchId) => ({ batchId })),
      );
      await wakePacker(boss, db);
      await applyReports(db, null);
    } catch (err) {
      log.warn({ err }, "mail: tidying failed; it is done again within the hour");
    }
  }

  const polling = {
    pollingIntervalSeconds: tuning.pollSeconds,
    notifyPollingIntervalSeconds: tuning.pollSeconds,
    // Two, so that one request that hangs doesn't hold up everybody.
    localConcurrency: 2,
  };
  // One run packs for all jobs that are waiting.
  const packer = await boss.work(PACK, { ...polling, batchSize: 100, burstWhenBatchFull: true }, () =>
    told(onPack()),
  );
  const sender = await boss.work<SendJob>(SEND, polling, async ([job]) => job && told(onSend(job.data)));
  void tidy();
  const tidying = setInterval(tidy, TIDY_MS);
  const warming = setTimeout(() => void warmUp().catch(() => {}), 1_000);
  tidying.unref();
  warming.unref();

  return {
    state: () => ({
      running,
      mode: options.resend ? "resend" : "keep",
      pausedMs: Math.round(pacer.waitMs()),
      trouble: queue.trouble() ?? trouble,
    }),
    async stop() {
      if (!running) return;
      running = false;
      clearInterval(tidying);
      clearTimeout(warming);
      pacer.stop();
      await within(STOP_MS, Promise.all([boss.offWork(PACK), boss.offWork(SEND)]));
      await within(2_000, boss.stop({ graceful: false }));
    },
  };
}

/** Thrown to hand a job back to the queue when this process ends. */
class Stopping extends Error {}

/** Remembers when the queue last failed to reach its database, which it tries every few seconds, and logs it once a minute. */
function watchQueue(log: Log) {
  let failedAt = 0;
  let loggedAt = 0;
  return {
    onError(err: Error): void {
      failedAt = Date.now();
      if (failedAt - loggedAt < 60_000) return;
      loggedAt = failedAt;
      log.warn({ err }, "mail: the queue cannot reach its database; it goes on trying");
    },
    trouble(): DeliveryState["trouble"] {
      if (Date.now() - failedAt > QUEUE_TROUBLE_MS) return null;
      return { at: new Date(failedAt).toISOString(), message: "The mail queue cannot reach its database." };
    },
  };
}

/** Waits for something, but no longer than so many ms. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
}
