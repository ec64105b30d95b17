import { Client } from "pg";
import type { AppContext } from "../app";
import { openHandlers } from "../background-jobs";
import { runWebhooks } from "../events/webhook-delivery";
import { prepareJobs } from "../platform/jobs/jobs";
import { type JobData, type QueueName, queues } from "../platform/jobs/queues";

/** The indexer leaves rows that are younger than 10 s, and otherwise waits for them. */
const INDEXER_MS = 100;

type JobRunner = {
  /** Runs the due jobs of these queues, and the jobs that they add to these queues. */
  runDue(...names: QueueName[]): Promise<void>;
  /** Runs all due jobs, and one more job of each scheduled queue. */
  runAll(): Promise<void>;
};

/** Runs jobs in the caller's process on request. pg-boss would run them by its clock. */
export async function openJobRunner(app: AppContext): Promise<JobRunner> {
  await prepareJobs(app.databaseUrl);
  const closing = new AbortController().signal;
  const { handlers } = openHandlers(app);
  // The product's own handler waits for further events.
  handlers.webhooks = () => runWebhooks(app, { closing, stays: false });
  const every = Object.keys(handlers) as QueueName[];

  async function run<Q extends QueueName>(name: Q, data: JobData[Q]): Promise<void> {
    await handlers[name]?.(data, name === "search-index" ? AbortSignal.timeout(INDEXER_MS) : closing, 0);
  }
  async function runDue(...names: QueueName[]): Promise<void> {
    for (;;) {
      const due = await app.db.$queryRawUnsafe<{ name: QueueName; data: never }[]>(
        `DELETE FROM pgboss.job WHERE state < 'active' AND start_after <= now() AND name = ANY ($1) RETURNING name, data`,
        names,
      );
      if (due.length === 0) return;
      for (const { name, data } of due) await run(name, data);
    }
  }
  return {
    runDue,
    async runAll() {
      await runDue(...every);
      for (const name of every.filter((one) => queues[one].single)) await run(name, null as never);
      await runDue(...every);
    },
  };
}

/**
 * Simulates the passing of time by ageing all stored data except sessions. Nothing else may run meanwhile. @param
 * interval such as 31 days
 */
export async function passTime(url: string, interval: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; columns: string[] }>(
      `SELECT c.relname AS name, array_agg(a.attname::text) AS columns FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('_prisma_migrations', 'staff_sessions')
         AND a.atttypid = 'timestamptz'::regtype AND NOT a.attisdropped AND a.attgenerated = ''
         AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey))
       GROUP BY c.relname`,
    );
    const older = rows.map(({ name, columns }) => {
      const set = columns.map((column) => `"${column}" = "${column}" - interval '${interval}'`).join(", ");
      return `ALTER TABLE "${name}" DISABLE TRIGGER USER; UPDATE "${name}" SET ${set}; ALTER TABLE "${name}" ENABLE TRIGGER USER`;
    });
    await client.query(`BEGIN; ${older.join("; ")}; COMMIT`);
  } finally {
    await client.end();
  }
}
