import { fromPrisma, PgBoss } from "pg-boss";
import { OperatorError, toAppError } from "../../kernel/errors";
import { within } from "../../kernel/time";
import type { Db, Tx } from "../db/client";
import "../db/pg"; // before pg-boss connects: see there
import { type JobData, type Queue, type QueueName, queues } from "./queues";

/** A new job. `at`: when it is due, as a time or in seconds from now by the database's clock; default: now. */
type NewJob<Q extends QueueName> = { data: JobData[Q]; at?: Date | number | undefined };
/** `retries`: the number of earlier attempts. */
export type Handlers = {
  [Q in QueueName]?: (data: JobData[Q], closing: AbortSignal, retries: number) => Promise<void>;
};
export type JobLog = {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

type JobOptions = {
  databaseUrl: string;
  log: JobLog;
  /** The longest delay until a future job is noticed. New jobs are announced and do not wait for it. */
  pollSeconds?: number | undefined;
  /** The schedule of backups, as cron in UTC. */
  backupSchedule?: string | undefined;
};

/** A handler throws this to return its job when the process stops. */
export class Stopping extends Error {}

const STOP_MS = 5_000;
const MAX_HINT_MS = 60_000;
/** pg-boss polls every two seconds. This long without a failure means that it works again. */
const ISSUE_MS = 10_000;

export const openJobs = (options: JobOptions): Jobs => new Jobs(options);

/**
 * Creates the tables and queues of jobs. Needs a role that may; afterwards a role without these rights can run jobs.
 */
export async function prepareJobs(databaseUrl: string): Promise<void> {
  const jobs = openJobs({ databaseUrl, log: { warn() {}, error() {} } });
  await jobs.start({}).finally(() => jobs.stop());
}

/**
 * The background jobs of one process, on one pg-boss at a time. Before `start` it only writes jobs; after `start` it
 * also runs them.
 */
export class Jobs {
  readonly #closing = new AbortController();
  readonly #watch: ReturnType<typeof watchConnection>;
  readonly #workers = new Map<QueueName, string[]>();
  readonly #hints = new Set<NodeJS.Timeout>();
  #boss: Promise<PgBoss> | undefined;

  constructor(private readonly options: JobOptions) {
    this.#watch = watchConnection(options.log);
  }

  /** Aborted when `stop` is called. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Returns the latest problem as a message for an operator; null without problems. */
  issue() {
    return this.#watch.issue();
  }

  /**
   * Writes jobs in the caller's transaction, so that they exist when it commits. Works without `start`, and connects on
   * first use.
   */
  async add<Q extends QueueName>(tx: Db | Tx, queue: Q, jobs: NewJob<Q>[]): Promise<void> {
    if (jobs.length === 0) return;
    this.#boss ??= this.#openWriter();
    const boss = await this.#boss;
    const rows = jobs.map(({ data, at }) => ({
      ...(data !== null && { data }),
      // pg-boss reads text, and PostgreSQL rejects exponents in it.
      ...(at !== undefined && { startAfter: typeof at === "number" ? at.toFixed(3) : at }),
    }));
    await boss.insert(queue, rows, { db: fromPrisma(tx) });
  }

  /**
   * Runs the jobs of the queues that have a handler, together with other processes. @throws when the database is
   * unreachable
   */
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

  /**
   * Checks a queue for due jobs in `ms` instead of at the next poll. Only a hint, because the database holds the jobs.
   */
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

  /** Lets handlers finish, for at most 5 s. Another process, or the next start, does the rest. */
  async stop(): Promise<void> {
    if (this.closing.aborted) return;
    this.#closing.abort();
    for (const hint of this.#hints) clearTimeout(hint);
    const boss = await this.#boss?.catch(() => undefined);
    if (!boss) return;
    const ending = Promise.all([...this.#workers.keys()].map((name) => boss.offWork(name)));
    await within(STOP_MS, ending).catch(() => {});
    await within(2_000, boss.stop({ graceful: false })).catch(() => {});
  }

  /**
   * Opens a pg-boss for writing only. Its start checks the tables on a separate connection, because callers that wait
   * for this may hold the whole pool. Afterwards it writes into callers' transactions without running.
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
    const { concurrency = 1, batchSize = 1, atStart, ...queue } = queues[name];
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
          // Starts the next due job at once. With one job per poll, workers fall behind when jobs arrive faster.
          boss.notifyWorker(workers[index] as string);
        }
      });
      workers.push(worker);
    }
    if (!schedule) return;
    // Runs a scheduled time once if no process was running then.
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
  // A dead worker is noticed after 10 s without a heartbeat and one poll (5 s).
  heartbeatSeconds: 10,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 60,
  notify: true,
});

/**
 * Starts pg-boss on its own pool, and creates its tables and our queues. Several processes may do this at once, because
 * it takes an advisory lock for changes.
 * @param working maintains the queues and schedules, and listens; otherwise one connection is enough
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
    // A connection attempt must not delay a stop for long.
    connectionTimeoutMillis: 5_000,
    max: working ? 4 : 1,
    supervise: working,
    schedule: working,
    useListenNotify: working,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    maintenanceIntervalSeconds: 60,
    // Schedules need the difference between the database's clock and this machine's clock.
    clockMonitorIntervalSeconds: 60,
  });
  // Without a listener, a lost connection would end the process.
  boss.on("error", onError);
  boss.on("warning", (warning) => log.warn({ warning }, "jobs: pg-boss warns"));
  try {
    await boss.start();
    for (const [name, queue] of Object.entries(queues)) {
      await boss.createQueue(name, { ...settings(queue), policy: queue.single ? "exclusive" : "standard" });
      // An older version may have created the queue with other settings.
      await boss.updateQueue(name, settings(queue));
      // An empty insert makes pg-boss cache the queue, which saves a query at the first real insert.
      await boss.insert(name, []);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

/**
 * Remembers when pg-boss last failed to reach its database, and logs it once a minute. pg-boss retries every few
 * seconds.
 */
function watchConnection(log: JobLog) {
  // A monotonic clock, because the wall clock may be set.
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
