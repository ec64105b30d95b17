import type { RateWindow } from "./policies";

/** The state of one window of a policy. */
export type WindowState = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** Requests that are still allowed, ≥ 0. */
  remaining: number;
  /** Whole seconds until the window resets, ≥ 1. */
  resetSeconds: number;
  /** The time of the reset, in Unix seconds. */
  resetsAt: number;
};

/** The answer to one request for quota. */
export type Quota = {
  allowed: boolean;
  /** The name of the exhausted window, or `lockout`; null when allowed. */
  rejectedBy: string | null;
  /** Whole seconds, ≥ 1 when rejected, else 0. An earlier request is certain to be rejected. */
  retryAfterSeconds: number;
  /** All windows of the policy, shortest first; empty when the policy is off. */
  windows: WindowState[];
};

/** @param resetsAt Unix seconds @param now Unix milliseconds */
export function windowState(
  { name, quota, windowSeconds }: RateWindow,
  resetsAt: number,
  remaining: number,
  now: number,
): WindowState {
  const resetSeconds = Math.max(1, Math.ceil(resetsAt - now / 1000));
  return { name, quota, windowSeconds, remaining, resetSeconds, resetsAt };
}

export const wholeSeconds = (ms: number) => Math.ceil(ms / 1000);

/**
 * Decides whether these windows allow a request, and how long to wait if not.
 * @param lockedMs how long the subject is still locked out
 */
export function quotaOf(windows: WindowState[], lockedMs = 0): Quota {
  if (lockedMs > 0)
    return { allowed: false, rejectedBy: "lockout", retryAfterSeconds: wholeSeconds(lockedMs), windows };
  const isFull = ({ remaining }: WindowState) => remaining === 0;
  const full = windows.find(isFull);
  if (!full) return { allowed: true, rejectedBy: null, retryAfterSeconds: 0, windows };
  // Returns the longest wait. After only the first window's wait, the caller would get a second 429.
  const retryAfterSeconds = Math.max(...windows.filter(isFull).map(({ resetSeconds }) => resetSeconds));
  return { allowed: false, rejectedBy: full.name, retryAfterSeconds, windows };
}
