// A process that only runs imports and bulk actions, for tests that kill it: node --import tsx work-process-fixture.ts
// URL

import { openOutbox } from "../mail/outbox";
import { openDatabase } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import { openInsertQueue } from "../subscribers/queries/insert-queue";
import { startWorker } from "./work-process";

const url = process.argv[2] as string;
const { db } = openDatabase({ url, poolSize: 3, onError: () => {} });
const log = { warn: () => {}, error: () => {} };
const jobs = openJobs({ databaseUrl: url, log });
await startWorker({ db, queue: openInsertQueue(db), jobs, outbox: openOutbox(jobs) }, url, log);
process.stdout.write("working\n");
