import { type JobLog, openJobs } from "../platform/jobs/jobs";
import type { Ctx } from "../subscribers/context";
import { runWork } from "../work/run-work";

/** Starts jobs that only run imports and bulk actions. */
export async function startWorker(ctx: Omit<Ctx, "actor" | "requestId">, databaseUrl: string, log: JobLog) {
  const jobs = openJobs({ databaseUrl, log });
  await jobs.start({
    work: (job, closing, retries) => runWork({ ...ctx, jobs }, job, { closing, retries }),
  });
  return jobs;
}
