// A process that only runs imports and bulk actions, for tests that kill it: node --import tsx work-process-fixture.ts
// <options as JSON>

import { openOutbox } from "../mail/outbox";
import { openDatabase } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import { openInsertQueue } from "../subscribers/queries/insert-queue";
import { runWork } from "../work/run-work";

const { databaseUrl: url } = JSON.parse(process.argv[2] ?? "{}");
const { db } = openDatabase({ url, poolSize: 3, onError: () => {} });
const log = { warn: () => {}, error: () => {} };
const jobs = openJobs({ databaseUrl: url, log });
const ctx = { db, queue: openInsertQueue(db), jobs, outbox: openOutbox(jobs) };
await jobs.start({ work: (job, closing, retries) => runWork(ctx, { job, closing, retries }) });
process.stdout.write("working\n");
