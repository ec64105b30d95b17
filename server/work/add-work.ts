import { type ActorContext, actorOf } from "../accounts/context";
import type { Tx } from "../platform/db/client";
import type { Jobs } from "../platform/jobs/jobs";
import type { JobData } from "../platform/jobs/queues";

type NewWork = Omit<JobData["work"], "startedBy">;

/** The job for an import, a bulk action or an undo, with the actor who starts it. */
export const workJob = (ctx: Pick<ActorContext, "actor" | "requestId">, work: NewWork): JobData["work"] => ({
  ...work,
  startedBy: { ...actorOf(ctx), requestId: ctx.requestId },
});

/** Adds the job in the transaction that starts the work. */
export const addWork = (
  ctx: Pick<ActorContext, "actor" | "requestId"> & { jobs: Pick<Jobs, "add"> },
  tx: Tx,
  work: NewWork,
) => ctx.jobs.add(tx, "work", [{ data: workJob(ctx, work) }]);
