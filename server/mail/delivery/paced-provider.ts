import { setTimeout as sleep } from "node:timers/promises";
import { Stopping } from "../../platform/jobs/jobs";
import type { DeliveryOutcome, Provider } from "./provider";
import { backoff } from "./sending";

// Slightly over a second, since requests take different times to arrive.
const WINDOW_MS = 1_050;
/** Resend's window is one second. A longer reset means something else. */
const MAX_RESET_MS = 10_000;
/** Longer waits become a job, so that no mail depends on a process that may die. */
const MAX_WAIT_MS = 5_000;
/** While the mail service is unavailable, one batch per interval of at most this length checks whether it is back. */
const MAX_PROBE_MS = 30_000;

type Options = {
  provider: Provider;
  /** Reserves a start among all processes, with `gapMs` between starts. @returns milliseconds until the start */
  reserve(gapMs: number): Promise<number>;
  /** Ends all waits when aborted. */
  closing: AbortSignal;
  requestsPerSecond: number;
  backoffMs: number;
};

/** The pause until the next request. `closing` ends all waits. */
function openPause(closing: AbortSignal) {
  // By a monotonic clock, since the wall clock may be changed.
  let pausedUntil = 0;
  const waitMs = () => Math.max(0, pausedUntil - performance.now());
  const wait = (ms: number) => sleep(Math.ceil(ms), undefined, { signal: closing }).catch(() => {});
  return {
    waitMs,
    wait,
    /** Never shortens a pause. */
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms);
    },
    /** Waits briefly until a request may start. */
    async isReady(): Promise<boolean> {
      while (!closing.aborted && waitMs() > 0) {
        if (waitMs() > MAX_WAIT_MS) return false;
        await wait(waitMs());
      }
      return !closing.aborted;
    },
  };
}

export type PacedProvider = ReturnType<typeof paceProvider>;

/**
 * Calls the mail service no faster than it allows. Calls slow down while it has problems, so that new mails share a
 * request afterwards.
 */
export function paceProvider({ provider, reserve, closing, requestsPerSecond, backoffMs }: Options) {
  const gapMs = WINDOW_MS / requestsPerSecond;
  const { pause, wait, waitMs, isReady } = openPause(closing);
  let issue: { at: string; message: string } | null = null;
  let failures = 0;

  function learn(outcome: DeliveryOutcome, pauseMs = 0): void {
    pause(Math.min(pauseMs, MAX_RESET_MS));
    if (outcome.kind === "throttled") pause(outcome.waitMs);
    const fails = outcome.kind === "ambiguous" || outcome.kind === "blocked";
    failures = fails ? failures + 1 : 0;
    if (fails) pause(Math.min(MAX_PROBE_MS, backoff(backoffMs / 2, failures)));
    const delays = fails || outcome.kind === "throttled";
    issue = delays ? { at: new Date().toISOString(), message: outcome.message } : null;
  }

  return {
    /** The last problem that no success has followed. */
    issue: () => issue,
    /** Milliseconds until a request may start; 0 when it may start now. */
    waitMs,

    /**
     * Waits briefly until a request may start, without reserving it.
     * @returns milliseconds that the service stays unavailable; 0: send now
     * @throws Stopping
     */
    async waitForTurn(): Promise<number> {
      if (await isReady()) return 0;
      if (closing.aborted) throw new Stopping();
      return waitMs();
    },

    /** Waits until a request may start, and reserves the start. @returns false when it may start only later */
    async takeTurn(): Promise<boolean> {
      if (!(await isReady())) return false;
      const ms = await reserve(gapMs);
      pause(ms + gapMs);
      await wait(ms);
      return !closing.aborted;
    },

    async send({ id, payload }: { id: string; payload: string }): Promise<DeliveryOutcome> {
      const { outcome, pauseMs } = await provider.deliver(id, payload);
      learn(outcome, pauseMs);
      return outcome;
    },
  };
}
