/** Where one window of a policy stands. */
export type WindowState = {
  name: string;
  quota: number;
  windowSeconds: number;
  /** Requests left, ≥ 0. */
  remaining: number;
  /** Whole seconds until the window starts anew, ≥ 1. */
  resetSeconds: number;
  /** The same moment as Unix time in seconds. */
  resetsAt: number;
};

/** The quotaResult on one request. */
export type Quota = {
  allowed: boolean;
  /** Why not: the name of the window that rejected, or `lockout`; null when allowed. */
  rejectedBy: string | null;
  /** Whole seconds, ≥ 1 when rejected, else 0. Trying again sooner is certain to be rejected. */
  retryAfterSeconds: number;
  /** Every window of the policy, shortest first; empty when the policy is off. */
  windows: WindowState[];
};

/** No policy, no limit. */
export const UNLIMITED: Quota = Object.freeze({
  allowed: true,
  rejectedBy: null,
  retryAfterSeconds: 0,
  windows: Object.freeze([]) as unknown as WindowState[],
});

/** The quotaResult when `rejecting` (a window's name, or null for none) has spoken. */
export function quotaResult(windows: WindowState[], rejecting: string | null): Quota {
  if (rejecting === null) return { allowed: true, rejectedBy: null, retryAfterSeconds: 0, windows };
  // A longer window may be used up as well: naming only the rejecting one would send the caller into a second 429.
  let retryAfterSeconds = 1;
  for (const window of windows) {
    const closed = window.remaining === 0 || window.name === rejecting;
    if (closed && window.resetSeconds > retryAfterSeconds) retryAfterSeconds = window.resetSeconds;
  }
  return { allowed: false, rejectedBy: rejecting, retryAfterSeconds, windows };
}

/** The quotaResult on a subject that is locked out for another `lockedSeconds` (whole, ≥ 1). */
export function lockedOut(windows: WindowState[], lockedSeconds: number): Quota {
  return { allowed: false, rejectedBy: "lockout", retryAfterSeconds: lockedSeconds, windows };
}

/**
 * Response headers that tell a caller where it stands; none when the policy is off.
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers-11: structured-field lists with one
 * quoted item a window, `q` requests per `w` seconds, `r` left, `t` seconds to the reset.
 * `X-RateLimit-*` speak of the tightest window (fewest remaining; on a tie the one that resets later). Their `Reset` is
 * Unix time in seconds, as GitHub made customary: clients written for that convention would take seconds-to-go for 1970.
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
