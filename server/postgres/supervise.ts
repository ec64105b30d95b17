import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster } from "./postmaster";

const LOOK_MS = 500;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
const GIVE_UP_MS = 60_000;

type Supervised = {
  pgdata: string;
  /** Starts PostgreSQL and waits until it answers. */
  restart(): Promise<unknown>;
  log(line: string): void;
  /** Hears why PostgreSQL could not be started again for a minute. */
  onGone(error: Error): void;
  /** For tests. */
  giveUpMs?: number;
};

/**
 * Starts PostgreSQL again when it ends by itself, most often by the system for want of memory; again and again with growing
 * waits, for a minute. What was committed is on disk. @returns what ends this, after an attempt under way
 */
export function supervise({ pgdata, restart, log, onGone, giveUpMs = GIVE_UP_MS }: Supervised) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wait = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  async function bringBack(): Promise<void> {
    const giveUpAt = Date.now() + giveUpMs;
    log("PostgreSQL stopped. Restarting it; stored data is safe");
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        await restart();
        return log("PostgreSQL answers again");
      } catch (error) {
        if (Date.now() + waitMs > giveUpAt) {
          stopping.abort();
          return onGone(error as Error);
        }
        await wait(waitMs);
      }
    }
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      if (findPostmaster(pgdata) === undefined) await bringBack();
      await wait(LOOK_MS);
    }
  }

  const watching = watch();
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await watching;
    },
  };
}
