/** What a job of each queue carries. Data that may change before the job is done stands in a table, and the job names it. */
export type JobData = {
  "mail-batch": null;
  "mail-send": { batchId: string };
  recovery: null;
  /** `id` is an import's or a bulk action's; `removeOptOuts` is of the undo of an import. */
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
  /** What a job of this queue does. */
  does: string;
  /** Jobs at once in one process. */
  concurrency: number;
  /** Jobs that one handler call takes together; it does the work of all. */
  batchSize?: number;
  /** At most one job is queued or under way, in all processes. */
  single?: true;
  /** Cron, in UTC; of a backup it is a setting. */
  schedule?: string;
  /** A scheduled job that is due at the start of each process, too. */
  atStart?: true;
  /** How often a failed job is tried again, after 1 s, 2 s and so on up to 30 s. */
  retries: number;
  /** The longest that one attempt may take. */
  minutes: number;
};

/** The tables know what is to be done, and a job only wakes a process up: so it is tried again until it has worked. */
const ALWAYS = 10_000;

/** Everything that runs in the background. */
export const queues: Record<QueueName, Queue> = {
  "mail-batch": {
    does: "sends the due emails to Resend in one batch",
    // Two, so that one request that hangs doesn't hold up everybody.
    concurrency: 2,
    batchSize: 100,
    retries: ALWAYS,
    minutes: 2,
  },
  "mail-send": {
    does: "retries a batch once its wait or the lease of an earlier attempt has ended",
    concurrency: 2,
    retries: ALWAYS,
    minutes: 2,
  },
  recovery: {
    does: "finds emails and batches whose job was lost, and applies early delivery reports",
    concurrency: 1,
    single: true,
    schedule: "17 * * * *",
    atStart: true,
    retries: 3,
    minutes: 10,
  },
  work: {
    does: "runs imports, bulk actions and their undo",
    // An import takes one until its end.
    concurrency: 3,
    retries: ALWAYS,
    minutes: 60,
  },
  "search-index": {
    does: "copies people into the search index until none is missing",
    concurrency: 1,
    single: true,
    schedule: "* * * * *",
    atStart: true,
    retries: ALWAYS,
    minutes: 60,
  },
  hourly: {
    does: "sends digests and reminders and deletes what has expired: the tasks in handlers.ts, one after another",
    concurrency: 1,
    single: true,
    schedule: "2 * * * *",
    retries: 3,
    minutes: 120,
  },
  webhooks: {
    does: "delivers webhook events to enabled endpoints",
    concurrency: 1,
    single: true,
    schedule: "* * * * *",
    atStart: true,
    retries: ALWAYS,
    minutes: 60,
  },
  backup: {
    does: "writes a backup to BACKUP_DIR at BACKUP_SCHEDULE and removes the oldest",
    concurrency: 1,
    single: true,
    retries: 3,
    minutes: 240,
  },
};
