import type pino from "pino";
import type { Db } from "./db/client";
import { clearAway } from "./db/housekeeping";

const FIRST_AFTER_MS = 60_000;
const EVERY_MS = 60 * 60_000;

/** Clears away, a minute after the start and then every hour, what has had its time. */
export function startHousekeeping(db: Db, log: pino.Logger): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = clearAway(db).then(
      (removed) => log.debug({ removed }, "cleared away"),
      (err) => log.warn({ err }, "nothing cleared away this time; the next try is in an hour"),
    );
  };
  const first = setTimeout(run, FIRST_AFTER_MS);
  const every = setInterval(run, EVERY_MS);
  first.unref();
  every.unref();
  return {
    async stop() {
      clearTimeout(first);
      clearInterval(every);
      await running;
    },
  };
}
