import type { AppError } from "../kernel/errors";
import { errorHeaders } from "./response-headers";

/** A body that is sent while it is made. `ended`: with the error that broke it off, or null. Never rejects. */
export type Sending = { body: ReadableStream<Uint8Array>; ended: Promise<AppError | null> };

/** An answer before it becomes a Response. The body has its final bytes, so that a replay can repeat it. */
export type Answer = {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** The error that the body tells, for the logs and limits. */
  error?: AppError;
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
    error,
  };
}

/** The status for the logs and limits. An answer of MCP has the status 200 and tells the error in its body. */
export const statusOf = ({ status, error }: Answer): number => error?.status ?? status;
