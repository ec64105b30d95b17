import { openDelivery } from "../mail/delivery/delivery";
import { applyReports } from "../mail-log/reports";
import { openJobs } from "../platform/jobs/jobs";
import type { Tuning } from "./mail-fixture-values";

type Options = Omit<Parameters<typeof openDelivery>[0], "jobs" | "tuning" | "applyReports"> & {
  databaseUrl: string;
  tuning?: Partial<Tuning>;
};

/** Starts a process that only delivers emails. */
export async function startDelivery({ databaseUrl, tuning, ...options }: Options) {
  const jobs = openJobs({ databaseUrl, log: options.log, pollSeconds: tuning?.pollSeconds });
  const {
    handlers,
    recover: recovery,
    state,
  } = openDelivery({
    ...options,
    jobs,
    tuning,
    applyReports: (providerIds) => applyReports(options.db, providerIds),
  });
  await jobs.start({ ...handlers, recovery });
  return { state, stop: () => jobs.stop() };
}
export type RunningDelivery = Awaited<ReturnType<typeof startDelivery>>;
