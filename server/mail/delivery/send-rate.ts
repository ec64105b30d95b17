import { setTimeout as sleep } from "node:timers/promises";
import type { Rate } from "./provider";

/** go: now. later: not within the longest wait worth waiting for. stopped: never again. */
export type Turn = "go" | "later" | "stopped";

/** Limits the requests to Resend. */
export type SendRate = {
  /** Milliseconds until a request may start; 0 when it may start now. */
  waitMs(): number;
  /** Waits until a request may start, and leaves the turn to whoever takes it. */
  ready(): Promise<Turn>;
  /** Waits for a turn and takes it. */
  take(): Promise<Turn>;
  /** No turns for so long; never shortens a pause. */
  pause(ms: number): void;
  /** What an answer said of the limit. */
  observe(rate: Rate): void;
  /** Ends all waits. */
  stop(): void;
};

// A little over a second, since requests don't take equally long to get there.
const WINDOW_MS = 1_050;
/** Resend's window is a second; a longer reset speaks of something else. */
const MAX_RESET_MS = 10_000;
/** Longer waits are written down as a job instead, so that no mail depends on a process that may die. */
const MAX_WAIT_MS = 5_000;

/**
 * Lets at most `perSecond` requests start in any second, and none while the provider asks to wait.
 * @param reserve reserves a start among all processes: the milliseconds until it, when starts are so many apart
 */
export function openSendRate(perSecond: number, reserve: (gapMs: number) => Promise<number>): SendRate {
  const starts: number[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  let pausedUntil = 0;

  // Not the wall clock: it may be set.
  const now = () => performance.now();

  function waitMs(): number {
    const oldest = starts.length >= perSecond ? (starts[0] ?? 0) + WINDOW_MS : 0;
    return Math.max(0, oldest - now(), pausedUntil - now());
  }

  async function turn(taking: boolean): Promise<Turn> {
    while (!signal.aborted) {
      const ms = waitMs();
      if (ms > MAX_WAIT_MS) return "later";
      if (ms > 0) {
        await sleep(Math.ceil(ms), undefined, { signal }).catch(() => {});
        continue;
      }
      if (!taking) return "go";
      starts.push(now());
      if (starts.length > perSecond) starts.shift();
      await sleep(Math.ceil(await reserve(WINDOW_MS / perSecond)), undefined, { signal }).catch(() => {});
      return signal.aborted ? "stopped" : "go";
    }
    return "stopped";
  }

  return {
    waitMs,
    ready: () => turn(false),
    take: () => turn(true),
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, now() + ms);
    },
    observe({ remaining, resetMs }) {
      if (remaining === 0 && resetMs !== null) this.pause(Math.min(resetMs, MAX_RESET_MS));
    },
    stop: () => stopped.abort(),
  };
}
