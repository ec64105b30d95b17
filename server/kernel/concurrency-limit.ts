import { AppError } from "./errors";

/** How many tasks run and how many wait; `busy` is the message for the others. By default any number may wait. */
type Limit = { limit: number; maxQueued?: number; busy?: string };

/**
 * Limits how many tasks of one kind run at once. The others wait, first come, first served.
 * @returns runs a task when its turn comes @throws AppError service_unavailable when too many wait already
 */
export function concurrencyLimit({ limit, maxQueued = Number.POSITIVE_INFINITY, busy = "" }: Limit) {
  let running = 0;
  const queued: (() => void)[] = [];
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running < limit) running++;
    else if (queued.length < maxQueued) await new Promise<void>((resolve) => queued.push(resolve));
    else throw new AppError("service_unavailable", busy, { retryAfterSeconds: 5 });
    try {
      return await task();
    } finally {
      // The next task takes over this one's place.
      const next = queued.shift();
      if (next) next();
      else running--;
    }
  };
}
