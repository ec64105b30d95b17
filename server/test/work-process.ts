import { type JobLog, openJobs } from "../platform/jobs/jobs";
import type { Ctx } from "../subscribers/context";
import { runWork } from "../work/run-work";

/** What a process does that works on imports and bulk actions, and nothing else. */
export async function startWorker(ctx: Omit<Ctx, "actor" | "requestId">, databaseUrl: string, log: JobLog) {
  const jobs = openJobs({ databaseUrl, log });
  await jobs.start({
    work: (job, closing, retries) => runWork({ ...ctx, jobs }, job, { closing, retries }),
  });
  return jobs;
}
