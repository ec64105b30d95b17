import { AppError } from "./errors";

/** How many tasks run and how many may wait (default: any number). `busy` is the error message for the others. */
type Limit = { limit: number; maxQueued?: number; busy?: string };

/**
 * Limits how many tasks of one kind run at once. Others wait in order of arrival.
 * @returns a function that runs a task in its turn
 * @throws AppError service_unavailable when too many tasks are waiting
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
      // The next task takes over this task's slot.
      const next = queued.shift();
      if (next) next();
      else running--;
    }
  };
}
