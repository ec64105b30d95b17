/** The data of each queue's jobs. Data that may change before the job runs is in a table, and the job has its id. */
export type JobData = {
  "mail-batch": null;
  "mail-send": { batchId: string };
  recovery: null;
  /** `id` of an import or a bulk action. `removeOptOuts` is for the undo of an import. */
  work: {
    id: string;
    startedBy: { kind: string; id: string | null; address: string | null; requestId: string };
    removeOptOuts?: boolean;
  };
  "search-index": null;
  hourly: null;
  webhooks: null;
  backup: null;
};
export type QueueName = keyof JobData;

export type Queue = {
  /** How many jobs run at once in one process; 1 without it. */
  concurrency?: number;
  /** How many jobs one handler call takes together. The call does the work of all of them. */
  batchSize?: number;
  /** At most one job is queued or running, across all processes. */
  single?: true;
  /** Cron, in UTC. For backups it is a setting. */
  schedule?: string;
  /** A scheduled job that is also due when a process starts. */
  atStart?: true;
  /** How often a failed job is retried, after 1 s, 2 s and so on up to 30 s. */
  retries: number;
  /** The longest duration of one attempt. */
  minutes: number;
};

/** Tables hold the pending work, and a job only wakes a process. It is therefore retried until it succeeds. */
const ALWAYS = 10_000;

export const queues: Record<QueueName, Queue> = {
  // Sends the due emails to Resend in one batch.
  "mail-batch": {
    // Two, so that one hanging request does not delay all others.
    concurrency: 2,
    batchSize: 100,
    retries: ALWAYS,
    minutes: 2,
  },
  // Retries a batch once its wait or the lease of an earlier attempt has ended.
  "mail-send": { concurrency: 2, retries: ALWAYS, minutes: 2 },
  // Finds emails and batches whose job was lost, and applies early delivery reports.
  recovery: { single: true, schedule: "17 * * * *", atStart: true, retries: 3, minutes: 10 },
  // Runs imports, bulk actions and their undo.
  work: {
    // An import occupies one until it ends.
    concurrency: 3,
    retries: ALWAYS,
    minutes: 60,
  },
  // Copies people into the search index until none is missing.
  "search-index": { single: true, schedule: "* * * * *", atStart: true, retries: ALWAYS, minutes: 60 },
  // Sends digests and reminders and deletes what has expired: the hourly tasks in background-jobs.ts, one after another.
  hourly: { single: true, schedule: "2 * * * *", retries: 3, minutes: 120 },
  // Delivers webhook events to enabled endpoints.
  webhooks: { single: true, schedule: "* * * * *", atStart: true, retries: ALWAYS, minutes: 60 },
  // Writes a backup to BACKUP_DIR at BACKUP_SCHEDULE and removes the oldest.
  backup: { single: true, retries: 3, minutes: 240 },
};
