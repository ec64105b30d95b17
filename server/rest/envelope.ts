import { summarise } from "../api-keys/request-log";
import type { ErrorCode } from "../kernel/error-codes";
import type { AppError } from "../kernel/errors";
import { errorHeaders } from "./response-headers";

/** A body that is sent while it is made. `ended`: with the error that broke it off, or null. Never rejects. */
export type Sending = { body: ReadableStream<Uint8Array>; ended: Promise<AppError | null> };

/** An answer before it becomes a Response. The body has its final bytes, so that a replay can repeat it. */
export type Answer = {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** For the request log: an error's code, and the rejected fields. */
  code?: ErrorCode;
  rejected?: string | null;
  /** Sent instead of the body. */
  stream?: Sending;
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
  const isLimit = error.code === "rate_limit_exceeded" && error.retryAfterSeconds !== undefined;
  const errors = isLimit ? { retry_after: error.retryAfterSeconds } : error.errors;
  const docs = appUrl && `${appUrl}/docs#${error.code}`;
  const { code, message, items, subscriber } = error;
  const body = { success: false, code, message, errors, items, subscriber, docs };
  return {
    status: error.status,
    body: JSON.stringify(body),
    headers: errorHeaders(error),
    code: error.code,
    rejected: summarise(error),
  };
}
