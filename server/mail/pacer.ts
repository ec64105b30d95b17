import type { Rate } from "./resend";

/** go: now. later: not within the longest wait worth standing in line for. stopped: never again. */
export type Turn = "go" | "later" | "stopped";

export type Pacer = {
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
/** Longer waits are written down as a job instead, so that nothing is held by a process that may die. */
const MAX_WAIT_MS = 5_000;

/** Lets at most `perSecond` requests start in any second of this process, and none while the provider asks to wait. */
export function openPacer(perSecond: number): Pacer {
  const starts: number[] = [];
  const stopped = new AbortController();
  let pausedUntil = 0;

  // Not the wall clock: it may be set.
  const now = () => performance.now();

  function waitMs(): number {
    const oldest = starts.length >= perSecond ? (starts[0] ?? 0) + WINDOW_MS : 0;
    return Math.max(0, oldest - now(), pausedUntil - now());
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done() {
        clearTimeout(timer);
        stopped.signal.removeEventListener("abort", done);
        resolve();
      }
      stopped.signal.addEventListener("abort", done);
    });
  }

  async function turn(taking: boolean): Promise<Turn> {
    while (!stopped.signal.aborted) {
      const ms = waitMs();
      if (ms > MAX_WAIT_MS) return "later";
      if (ms > 0) {
        await sleep(Math.ceil(ms));
        continue;
      }
      if (taking) starts.push(now());
      if (starts.length > perSecond) starts.shift();
      return "go";
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
    stop() {
      stopped.abort();
    },
  };
}
