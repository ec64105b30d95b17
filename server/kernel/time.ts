export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** Rejects with `late` when `work` has not settled after `ms`. Later results and rejections are ignored. */
export function within<T>(
  ms: number,
  work: Promise<T>,
  late = () => new Error(`no answer within ${ms} ms`),
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Timers run before sockets are read. After a pause of this process an answer may be unread, so read once more.
    timer = setTimeout(() => setImmediate(() => reject(late())), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
