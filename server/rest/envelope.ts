import type { AppError } from "../kernel/errors";
import type { Hold } from "../mail/schema/confirmation-states";
import type { Quota } from "../platform/limits/counters";
import { formatUntil } from "../subscribers/subscribers";

// All headers that answers of the REST API add to those of `http-server.ts`.

/** The headers of every answer. */
export const apiHeaders = (requestId: string) => ({
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Request-Id": requestId,
});

/** Marks an answer that was saved with an Idempotency-Key. */
export const replayHeader = { "Idempotency-Replayed": "true" };

/** The number of added people whose mailbox has opted out under another spelling. */
export const relatedOptOutHeader = (people: number): Record<string, string> =>
  people === 0 ? {} : { "Related-Opt-Out": String(people) };

const holdText = ({ reason, until }: Hold) =>
  until ? `held; reason=${reason}; until=${formatUntil(until)}` : `held; reason=${reason}`;

/**
 * The state of the confirmation emails that a request queued; no header without any.
 * @param holds by email; null: it leaves within seconds
 * @param isBulk the request is about several people
 */
export function confirmationMailHeader(holds: (Hold | null)[], isBulk: boolean): Record<string, string> {
  const [first] = holds;
  if (first === undefined) return {};
  const held = holds.filter((hold) => hold !== null).length;
  const one = first === null ? "queued" : holdText(first);
  return { "Confirmation-Mail": isBulk ? `queued=${holds.length - held}, held=${held}` : one };
}

/** @param fields members of the body that the operation does not know, as a list; null: none */
export const ignoredFieldsHeader = (fields: string | null): Record<string, string> =>
  fields === null ? {} : { "Ignored-Fields": fields };

/**
 * Returns response headers with the state of the limits; none when the policy is off.
 * `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers-11: structured-field lists with one
 * quoted item per window, `q` requests per `w` seconds, `r` remaining, `t` seconds to the reset.
 * `X-RateLimit-*` describe the tightest window: fewest remaining, and on a tie the later reset. Their `Reset` is Unix
 * time in seconds, as at GitHub. Clients for that convention would read remaining seconds as a time in 1970.
 */
export function quotaHeaders({ windows }: Pick<Quota, "windows">): Record<string, string> {
  let tightest = windows[0];
  if (!tightest) return {};
  let policy = "";
  let state = "";
  for (const window of windows) {
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

/** A body that is sent while it is made. `ended`: with the error that broke it off, or null. Never rejects. */
export type StreamedBody = { body: ReadableStream<Uint8Array>; ended: Promise<AppError | null> };

/** An answer before it becomes a Response. The body has its final bytes, so that a replay can repeat it. */
export type Answer = {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** The error that the body tells, for the logs and limits. */
  error?: AppError;
  /** Sent instead of the body. */
  stream?: StreamedBody;
  /** The milliseconds that the answer waited because the caller asked it to. */
  waitedMs?: number;
};

export function success(status: number, data: unknown, more?: Record<string, unknown>): Answer {
  return { status, body: JSON.stringify({ success: true, data, ...more }) };
}

/**
 * Returns the envelope of an error. The error's cause is only logged.
 * @param appUrl this instance's URL, for a link to the code's documentation; without it the link is left out
 */
export function failure(error: AppError, appUrl?: string): Answer {
  const { status, code, message, items, subscriber, headers, retryAfterSeconds } = error;
  const isLimit = code === "rate_limit_exceeded" && retryAfterSeconds !== undefined;
  const errors = isLimit ? { retry_after: retryAfterSeconds } : error.errors;
  const docs = appUrl && `${appUrl}/docs#${code}`;
  const body = { success: false, code, message, errors, items, subscriber, docs };
  const retryAfter = retryAfterSeconds !== undefined && { "Retry-After": String(retryAfterSeconds) };
  return { status, body: JSON.stringify(body), headers: { ...headers, ...retryAfter }, error };
}

/** The status for the logs and limits. An answer of MCP has the status 200 and tells the error in its body. */
export const statusOf = ({ status, error }: Answer): number => error?.status ?? status;
