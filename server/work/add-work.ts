import { type ActorContext, actorOf } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import type { JobData } from "../platform/jobs/queues";

type NewWork = Omit<JobData["work"], "startedBy">;

/** The job that does an import or a bulk action, or its undo, for whoever starts it. */
export const workJob = (ctx: Pick<ActorContext, "actor" | "requestId">, work: NewWork): JobData["work"] => ({
  ...work,
  startedBy: { ...actorOf(ctx), requestId: ctx.requestId },
});

/** Writes that job, in the transaction that begins the work. */
export const addWork = (
  ctx: Pick<ActorContext, "actor" | "requestId"> & { jobs: Pick<Jobs, "add"> },
  tx: Tx,
  work: NewWork,
) => ctx.jobs.add(tx, "work", [{ data: workJob(ctx, work) }]);
