import type { Db } from "../../db/client";

type JobFigures = { queue: string; state: string; jobs: number; oldestSeconds: number };
type MailFigures = { state: string; mails: number; oldestSeconds: number };
type PeopleFigures = { status: string; people: number };

export type DatabaseFigures = {
  jobs: JobFigures[];
  mails: MailFigures[];
  subscribers: PeopleFigures[];
  /** The size of the whole database on disk. */
  bytes: number;
  /** Whether an operator or a restore paused email. */
  mailsPaused: boolean;
  /** The age of the last complete scheduled backup; null: there is none. */
  backupAgeSeconds: number | null;
};

/** Takes some milliseconds even with a million people, because finished work is not counted. */
export async function readFigures(db: Db): Promise<DatabaseFigures> {
  const [jobs, mails, subscribers, [rest]] = await Promise.all([
    db.$queryRaw<JobFigures[]>`
      SELECT name AS queue, jobs.state, count(*)::int AS jobs,
        extract(epoch FROM max(now() - start_after))::float8 AS "oldestSeconds"
      FROM pgboss.job,
        LATERAL (SELECT CASE WHEN job.state = 'active' THEN 'active' WHEN start_after > now() THEN 'scheduled'
          ELSE 'due' END AS state) jobs
      WHERE job.state <= 'active' AND name NOT LIKE '\_\_pgboss%' GROUP BY 1, 2`
      // The first process that runs jobs creates the tables.
      .catch(() => []),
    // Has the condition of the index mails_attention_idx.
    db.$queryRaw<MailFigures[]>`
      SELECT state, count(*)::int AS mails, extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
      FROM mails WHERE state NOT IN ('sent', 'cancelled', 'logged') AND retry_id IS NULL GROUP BY 1`,
    db.$queryRaw<PeopleFigures[]>`
      SELECT status, sum(people)::float8 AS people FROM subscriber_counts GROUP BY 1`,
    db.$queryRaw<[Pick<DatabaseFigures, "bytes" | "mailsPaused" | "backupAgeSeconds">]>`
      SELECT pg_database_size(current_database())::float8 AS bytes,
        EXISTS (SELECT FROM send_pace WHERE paused_at IS NOT NULL) AS "mailsPaused",
        (SELECT extract(epoch FROM now() - max(made_at))::float8 FROM last_backup) AS "backupAgeSeconds"`,
  ]);
  return { jobs, mails, subscribers, ...rest };
}
