/** The state of one window of a policy. */
export type WindowState = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** Requests that are still allowed, ≥ 0. */
  remaining: number;
  /** Whole seconds until the window starts anew, ≥ 1. */
  resetSeconds: number;
  /** The same moment as Unix time in seconds. */
  resetsAt: number;
};

/** The answer to one request for quota. */
export type Quota = {
  allowed: boolean;
  /** Why not: the name of the window that is used up, or `lockout`; null when allowed. */
  rejectedBy: string | null;
  /** Whole seconds, ≥ 1 when rejected, else 0. Trying again sooner is certain to be rejected. */
  retryAfterSeconds: number;
  /** Every window of the policy, shortest first; empty when the policy is off. */
  windows: WindowState[];
};

export const wholeSeconds = (ms: number) => Math.ceil(ms / 1000);

/** @param rejectedBy the name of the window that rejects, or null */
export function quotaResult(windows: WindowState[], rejectedBy: string | null): Quota {
  if (rejectedBy === null) return { allowed: true, rejectedBy, retryAfterSeconds: 0, windows };
  // A longer window may be used up as well: naming only the rejecting one would send the caller into a second 429.
  const closed = windows.filter((window) => window.remaining === 0 || window.name === rejectedBy);
  const retryAfterSeconds = Math.max(1, ...closed.map((window) => window.resetSeconds));
  return { allowed: false, rejectedBy, retryAfterSeconds, windows };
}

/** The answer to a key that is locked out for another `lockedMs`. */
export function lockedOut(windows: WindowState[], lockedMs: number): Quota {
  return { allowed: false, rejectedBy: "lockout", retryAfterSeconds: wholeSeconds(lockedMs), windows };
}

/** Whether a request would be allowed now. */
export function peekResult(windows: WindowState[]): Quota {
  return quotaResult(windows, windows.find((window) => window.remaining === 0)?.name ?? null);
}

/**
 * Response headers with the state of the limits; none when the policy is off.
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers-11: structured-field lists with one
 * quoted item a window, `q` requests per `w` seconds, `r` remaining, `t` seconds to the reset.
 * `X-RateLimit-*` describe the tightest window (fewest remaining; on a tie the one that resets later). Their `Reset` is
 * Unix time in seconds, as at GitHub: clients written for that convention would take seconds-to-go for 1970.
 */
export function quotaHeaders(quota: Quota): Record<string, string> {
  let tightest = quota.windows[0];
  if (!tightest) return {};
  let policy = "";
  let state = "";
  for (const window of quota.windows) {
    const comma = policy === "" ? "" : ", ";
    policy += `${comma}"${window.name}";q=${window.quota};w=${window.windowSeconds}`;
    state += `${comma}"${window.name}";r=${window.remaining};t=${window.resetSeconds}`;
    const closer = window.remaining - tightest.remaining;
    if (closer < 0 || (closer === 0 && window.resetsAt > tightest.resetsAt)) tightest = window;
  }
  return {
    "RateLimit-Policy": policy,
    RateLimit: state,
    "X-RateLimit-Limit": String(tightest.quota),
    "X-RateLimit-Remaining": String(tightest.remaining),
    "X-RateLimit-Reset": String(tightest.resetsAt),
  };
}
