import { setTimeout as sleep } from "node:timers/promises";
import type { Rate } from "./provider";

/** go: now. later: the wait is longer than `MAX_WAIT_MS`. stopped: never again. */
export type Turn = "go" | "later" | "stopped";

/** Limits the requests to Resend. */
export type SendRate = {
  /** Milliseconds until a request may start; 0 when it may start now. */
  waitMs(): number;
  /** Waits until a request may start, without reserving the start. */
  ready(): Promise<Turn>;
  /** Waits until a request may start, and reserves the start. */
  take(): Promise<Turn>;
  /** Pauses all requests for `ms`; never shortens a pause. */
  pause(ms: number): void;
  observe(rate: Rate): void;
  /** Ends all waits. */
  stop(): void;
};

// Slightly over a second, since requests take different times to arrive.
const WINDOW_MS = 1_050;
/** Resend's window is one second. A longer reset means something else. */
const MAX_RESET_MS = 10_000;
/** Longer waits become a job, so that no mail depends on a process that may die. */
const MAX_WAIT_MS = 5_000;

/**
 * Lets at most `perSecond` requests start in any second, and none while the provider asks to wait.
 * @param reserve reserves a start among all processes, with `gapMs` between starts; returns the milliseconds until the
 * start
 */
export function openSendRate(perSecond: number, reserve: (gapMs: number) => Promise<number>): SendRate {
  const starts: number[] = [];
  const stopped = new AbortController();
  const { signal } = stopped;
  let pausedUntil = 0;

  // The wall clock may be changed; this clock is monotonic.
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
