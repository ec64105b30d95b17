// server/mail: the outbox, its delivery through Resend, and what the mails say. Imports db, domain, and nothing of the adapters.
import { fromPrisma, type JobInsert, PgBoss } from "pg-boss";
import type { Tx } from "../db/client";

/** "There may be mails to pack." The job carries nothing: what is to be packed stands in `mails`. */
export const PACK = "mail-pack";
/** "This send may be due." What is due, and when, stands in `mail_batches`; a job too many does nothing. */
export const SEND = "mail-send";

export type SendJob = { batchId: string };

/**
 * Jobs only wake somebody up, and the tables know what is to be done. So a job is tried again for ever (10,000 times, soon
 * every 30 s), a worker that died is noticed within 10 s of silence plus one look (5 s), and done jobs go after a minute.
 */
const queueOptions = {
  retryLimit: 10_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 30,
  expireInSeconds: 120,
  heartbeatSeconds: 10,
  retentionSeconds: 30 * 86_400,
  deleteAfterSeconds: 60,
  notify: true,
};

/** Work of pg-boss that only the process that delivers has to do. */
const supervision = {
  supervise: true,
  superviseIntervalSeconds: 5,
  monitorIntervalSeconds: 5,
  maintenanceIntervalSeconds: 60,
  useListenNotify: true,
};

/**
 * pg-boss on a pool of its own, its tables and our queues in place. Any number of processes may do this at once: it takes
 * an advisory lock for what it changes.
 * @param role `worker` looks after the queues and listens; `poster` does neither, and one connection is enough for it
 */
export async function startQueues(
  databaseUrl: string,
  role: "worker" | "poster",
  onError: (error: Error) => void,
  log: { warn(details: object, message: string): void },
): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "rollcall mail",
    schema: "pgboss",
    // A connection that is not coming must not keep a stopping process waiting.
    connectionTimeoutMillis: 5_000,
    schedule: false,
    max: role === "worker" ? 4 : 1,
    ...(role === "worker" ? supervision : { supervise: false }),
  });
  // Without a listener a lost connection would end the process.
  boss.on("error", onError);
  boss.on("warning", (warning) => log.warn({ warning }, "mail: the queue warns"));
  try {
    await boss.start();
    for (const name of [PACK, SEND]) {
      await boss.createQueue(name, queueOptions);
      // An older version of this code may have made the queue with other settings.
      await boss.updateQueue(name, queueOptions);
      // Inserting nothing makes pg-boss remember the queue, which saves the first real insert a query.
      await boss.insert(name, []);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

/** When a job is to be seen: at a time, or in so many seconds by the database's clock; at once without. */
type When = Date | number | undefined;

// pg-boss reads text, and Postgres no exponents in it.
const startAfter = (when: When) => (typeof when === "number" ? when.toFixed(3) : when);

/** Wakes a packer when the transaction commits, or later. */
export async function wakePacker(boss: PgBoss, tx: Tx, at: When[] = [undefined]): Promise<void> {
  const jobs: JobInsert[] = at.map((when) => ({ startAfter: startAfter(when) }));
  if (jobs.length > 0) await boss.insert(PACK, jobs, { db: fromPrisma(tx) });
}

/** Wakes a sender for a send when the transaction commits, or later. */
export async function wakeSender(
  boss: PgBoss,
  tx: Tx,
  wakes: { batchId: string; at?: When }[],
): Promise<void> {
  const jobs: JobInsert<SendJob>[] = wakes.map(({ batchId, at }) => ({
    data: { batchId },
    startAfter: startAfter(at),
  }));
  if (jobs.length > 0) await boss.insert(SEND, jobs, { db: fromPrisma(tx) });
}
