import { setImmediate } from "node:timers/promises";
import { AppError } from "./errors";

/** How many may be at work, and how many may wait; `busy` is what others are told. */
type Room = { atOnce: number; mostWaiting: number; busy: string };

/**
 * Makes work of one kind wait its turn, first come, first served.
 * @returns what does a piece of work in its turn @throws AppError service_unavailable when too many wait already
 */
export function turns({ atOnce, mostWaiting, busy }: Room) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw new AppError("service_unavailable", busy, { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => waiting.push(resolve));
      // What has arrived for others meanwhile is read before this.
      await setImmediate();
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Resolves for one caller in each turn of the event loop, first come, first served: of many requests that arrive at once the
 * first parts would else run in one piece, before anything else is read.
 */
export function oneATick(): Promise<unknown> {
  last = last.then(() => setImmediate());
  return last;
}
