import { type JobLog, openJobs } from "../jobs/jobs";
import { recoverBulkActions, workOnBulkAction } from "../services/bulk-action-job";
import type { Ctx } from "../services/context";

/** What a process does that works on bulk actions, and nothing else. */
export async function startBulkActions(
  ctx: Omit<Ctx, "actor" | "requestId">,
  databaseUrl: string,
  log: JobLog,
) {
  const jobs = openJobs({ databaseUrl, log });
  await jobs.start({
    "bulk-action": (action, closing) => workOnBulkAction({ ...ctx, jobs }, action, closing),
    recovery: () => recoverBulkActions({ ...ctx, jobs }),
  });
  return jobs;
}
