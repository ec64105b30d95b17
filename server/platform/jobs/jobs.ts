import { fromPrisma, PgBoss } from "pg-boss";
import { toAppError } from "../../kernel/errors";
import { OperatorError } from "../../kernel/operator-error";
import type { Db, Tx } from "../db/client";
import "../db/pg"; // before pg-boss connects: see there
import { type JobData, type Queue, type QueueName, queues } from "./queues";

/** A job that is to be written. `at`: when it is due, as a time or in so many seconds by the database's clock; at once without. */
export type NewJob<Q extends QueueName> = { data: JobData[Q]; at?: Date | number | undefined };
/** `retries`: earlier attempts at the job. */
export type Handlers = {
  [Q in QueueName]?: (data: JobData[Q], closing: AbortSignal, retries: number) => Promise<void>;
};
export type JobLog = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

/** The background jobs of one process. */
export interface Jobs {
  /** Writes jobs in the caller's transaction: they are there when it commits. Needs no `start`; connects with the first. */
  add<Q extends QueueName>(tx: Db | Tx, queue: Q, jobs: NewJob<Q>[]): Promise<void>;
  /** Works on the queues that have a handler, together with every other process that does. @throws when the database can't be reached */
  start(handlers: Handlers): Promise<void>;
  /** Looks for due jobs of a queue in `ms`, rather than up to a poll later. Only a hint: the job stands in the database. */
  wakeIn(queue: QueueName, ms: number): void;
  /** Aborted as soon as `stop` is called. */
  readonly closing: AbortSignal;
  /** What went wrong lately, in words for an operator; null when all is well. */
  issue(): { at: string; message: string } | null;
  /** Lets handlers finish, for at most 5 s. What they leave is done by another process, or after the next start. */
  stop(): Promise<void>;
}

export type JobOptions = {
  databaseUrl: string;
  log: JobLog;
  /** How late a job may be seen whose time has come; new jobs are announced and don't wait for this. */
  pollSeconds?: number | undefined;
  /** When backups are made, as cron in UTC. */
  backupSchedule?: string | undefined;
};

/** A handler throws it to hand its job back when the process stops. */
export class Stopping extends Error {}

const STOP_MS = 5_000;
const MAX_HINT_MS = 60_000;
/** pg-boss looks every two seconds, so that so long without a failure means that it is well again. */
const ISSUE_MS = 10_000;

/** The jobs of a process, on one pg-boss at a time: one that works once `start` is called, until then one that only writes. */
export const openJobs = (options: JobOptions): Jobs => new ProcessJobs(options);

/** Makes the jobs' tables and queues, for a role that may; afterwards one that may not can work. */
export async function prepareJobs(databaseUrl: string): Promise<void> {
  const jobs = openJobs({ databaseUrl, log: { warn() {}, error() {} } });
  await jobs.start({}).finally(() => jobs.stop());
}

class ProcessJobs implements Jobs {
  readonly #closing = new AbortController();
  readonly #watch: ReturnType<typeof watchConnection>;
  readonly #workers = new Map<QueueName, string[]>();
  readonly #hints = new Set<NodeJS.Timeout>();
  #boss: Promise<PgBoss> | undefined;

  constructor(private readonly options: JobOptions) {
    this.#watch = watchConnection(options.log);
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  issue() {
    return this.#watch.issue();
  }

  async add<Q extends QueueName>(tx: Db | Tx, queue: Q, jobs: NewJob<Q>[]): Promise<void> {
    if (jobs.length === 0) return;
    this.#boss ??= this.#openWriter();
    const boss = await this.#boss;
    const rows = jobs.map(({ data, at }) => ({
      ...(data !== null && { data }),
      // pg-boss reads text, and Postgres no exponents in it.
      ...(at !== undefined && { startAfter: typeof at === "number" ? at.toFixed(3) : at }),
    }));
    await boss.insert(queue, rows, { db: fromPrisma(tx) });
  }

  async start(handlers: Handlers): Promise<void> {
    const starting = startBoss(this.options, true, this.#watch.onError);
    this.#boss = starting;
    try {
      for (const [name, handler] of Object.entries(handlers))
        await this.#work(await starting, name as QueueName, handler as Handlers[QueueName]);
    } catch (error) {
      this.#boss = undefined;
      await starting.then((boss) => boss.stop({ graceful: false })).catch(() => {});
      throw error;
    }
  }

  wakeIn(queue: QueueName, ms: number): void {
    const [worker] = this.#workers.get(queue) ?? [];
    if (worker === undefined || ms >= MAX_HINT_MS) return;
    const hint = setTimeout(async () => {
      this.#hints.delete(hint);
      (await this.#boss)?.notifyWorker(worker);
    }, ms + 5);
    hint.unref();
    this.#hints.add(hint);
  }

  async stop(): Promise<void> {
    if (this.closing.aborted) return;
    this.#closing.abort();
    for (const hint of this.#hints) clearTimeout(hint);
    const boss = await this.#boss?.catch(() => undefined);
    if (!boss) return;
    await within(STOP_MS, Promise.all([...this.#workers.keys()].map((name) => boss.offWork(name))));
    await within(2_000, boss.stop({ graceful: false }));
  }

  /**
   * A pg-boss to write with. Its start sees that the tables exist, on a connection of its own: the caller's pool may be used up
   * by callers that wait for this. Afterwards it need not run to write into callers' transactions.
   */
  async #openWriter(): Promise<PgBoss> {
    try {
      const boss = await startBoss(this.options, false, this.#watch.onError);
      await boss.stop({ graceful: false });
      return boss;
    } catch (error) {
      this.#boss = undefined;
      throw error;
    }
  }

  async #work<Q extends QueueName>(boss: PgBoss, name: Q, handler: Handlers[Q]): Promise<void> {
    const { log, pollSeconds = 2, backupSchedule } = this.options;
    const { concurrency, batchSize = 1, atStart, ...queue } = queues[name];
    const schedule = name === "backup" ? backupSchedule : queue.schedule;
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds };
    const options = { ...polling, batchSize };
    const workers: string[] = [];
    this.#workers.set(name, workers);
    for (let index = 0; index < concurrency; index++) {
      const worker = await boss.work<JobData[Q] & object>(name, options, async ([job]) => {
        try {
          if (job) await handler?.(job.data, this.closing, job.retryCount);
        } catch (err) {
          if (toAppError(err).code === "service_unavailable")
            log.warn({ err, queue: name }, "a job lost the database connection; it is retried");
          else if (!(err instanceof Stopping)) log.error({ err, queue: name }, "a job failed; it is retried");
          throw err;
        } finally {
          // The next due job follows at once: with one in each look, workers fall behind jobs that come faster.
          boss.notifyWorker(workers[index] as string);
        }
      });
      workers.push(worker);
    }
    if (!schedule) return;
    // A time that no process was there for is made up for.
    await boss.schedule(name, schedule, null, { missed: "once" }).catch((error: Error) => {
      if (name !== "backup") throw error;
      throw new OperatorError(
        `BACKUP_SCHEDULE: ${schedule} is not a cron line (${error.message}). Nothing was started. Example: 30 2 * * * is half past two.`,
      );
    });
    if (atStart) await boss.send(name, null);
  }
}

const settings = ({ retries, minutes }: Queue) => ({
  retryLimit: retries,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  expireInSeconds: minutes * 60,
  // A worker that died is noticed within 10 s of silence plus one look (5 s).
  heartbeatSeconds: 10,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 60,
  notify: true,
});

/**
 * pg-boss on a pool of its own, its tables and our queues in place. Any number of processes may do this at once: it takes
 * an advisory lock for what it changes.
 * @param working looks after the queues, their schedules and listens; one connection is enough for one that does not
 */
async function startBoss(
  { databaseUrl, log }: JobOptions,
  working: boolean,
  onError: (error: Error) => void,
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "rollcall jobs",
    schema: "pgboss",
    // A connection that is not coming must not keep a stopping process waiting.
    connectionTimeoutMillis: 5_000,
    max: working ? 4 : 1,
    supervise: working,
    schedule: working,
    useListenNotify: working,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
    // How far the database's clock is from this one, which schedules need.
    clockMonitorIntervalSeconds: 60,
  });
  // Without a listener a lost connection would end the process.
  boss.on("error", onError);
  boss.on("warning", (warning) => log.warn({ warning }, "jobs: pg-boss warns"));
  try {
    await boss.start();
    for (const [name, queue] of Object.entries(queues)) {
      await boss.createQueue(name, { ...settings(queue), policy: queue.single ? "exclusive" : "standard" });
      // An older version of this code may have made the queue with other settings.
      await boss.updateQueue(name, settings(queue));
      // Inserting nothing makes pg-boss remember the queue, which saves the first real insert a query.
      await boss.insert(name, []);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

/** Remembers when pg-boss last failed to reach its database, which it tries every few seconds, and logs it once a minute. */
function watchConnection(log: JobLog) {
  // Not the wall clock: it may be set.
  let failedAt = Number.NEGATIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let at = "";
  return {
    onError(err: Error): void {
      failedAt = performance.now();
      at = new Date().toISOString();
      if (failedAt - loggedAt < 60_000) return;
      loggedAt = failedAt;
      log.warn({ err }, "jobs: the database can't be reached; retrying");
    },
    issue: () =>
      performance.now() - failedAt > ISSUE_MS
        ? null
        : { at, message: "The job queue cannot reach its database." },
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
