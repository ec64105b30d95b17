type ImportJob = {
  newsletterId: string;
  importId: string;
  startedBy: { staffId: string; address: string | null; requestId: string };
};

/** What a job of each queue carries. Data that may change before the job is done stands in a table, and the job names it. */
export type JobData = {
  "mail-batch": null;
  "mail-send": { batchId: string };
  recovery: null;
  import: ImportJob;
  /** `removeOptOuts` is absent of jobs that an earlier version added. */
  "import-undo": ImportJob & { removeOptOuts?: boolean };
  "bulk-action": { newsletterId: string; id: string };
  "search-index": null;
  "clean-up": null;
  unanswered: null;
  "newsletter-removal": null;
  digest: null;
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
    does: "puts the mails that are due into one batch and hands it to Resend",
    // Two, so that one request that hangs doesn't hold up everybody.
    concurrency: 2,
    batchSize: 100,
    retries: ALWAYS,
    minutes: 2,
  },
  "mail-send": {
    does: "hands a batch to Resend again, once its wait or the lease of an earlier attempt is over",
    concurrency: 2,
    retries: ALWAYS,
    minutes: 2,
  },
  recovery: {
    does: "finds mails, batches and bulk actions whose job was lost, and reports that came before their mail was known",
    concurrency: 1,
    single: true,
    schedule: "17 * * * *",
    atStart: true,
    retries: 3,
    minutes: 10,
  },
  import: {
    does: "carries out an import, in one transaction; whoever started it decides about another try once it was taken",
    concurrency: 1,
    retries: ALWAYS,
    minutes: 60,
  },
  "import-undo": {
    does: "undoes an import, in one transaction; whoever started it decides about another try once it was taken",
    concurrency: 1,
    retries: ALWAYS,
    minutes: 60,
  },
  "bulk-action": {
    does: "does the next chunks of a bulk action or of its undo",
    concurrency: 1,
    retries: ALWAYS,
    minutes: 10,
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
  "clean-up": {
    does: "deletes what has had its time",
    concurrency: 1,
    single: true,
    schedule: "0 * * * *",
    retries: 3,
    minutes: 60,
  },
  unanswered: {
    does: "reminds pending people who have not answered, and removes those who never did, as their newsletter says",
    concurrency: 1,
    single: true,
    schedule: "40 * * * *",
    retries: 3,
    minutes: 60,
  },
  webhooks: {
    does: "tells the endpoints of newsletters what happened, for as long as any is on",
    concurrency: 1,
    single: true,
    schedule: "* * * * *",
    atStart: true,
    retries: ALWAYS,
    minutes: 60,
  },
  "newsletter-removal": {
    does: "removes deleted newsletters whose 30 days are over, with their people",
    concurrency: 1,
    single: true,
    schedule: "50 * * * *",
    retries: 3,
    minutes: 60,
  },
  digest: {
    does: "writes the weekly digest to the staff who want one, on Monday at seven where their newsletter is",
    concurrency: 1,
    single: true,
    schedule: "2 * * * *",
    retries: 3,
    minutes: 60,
  },
  backup: {
    does: "writes a backup into BACKUP_DIR, and removes the oldest; at BACKUP_SCHEDULE, where that is set",
    concurrency: 1,
    single: true,
    retries: 3,
    minutes: 240,
  },
};
