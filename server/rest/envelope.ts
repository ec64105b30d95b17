import { summarise } from "../api-keys/request-log";
import type { ErrorCode } from "../kernel/error-codes";
import type { AppError } from "../kernel/errors";

/** An answer before it becomes a Response. The body has its final bytes, so that a replay can repeat it. */
export type Answer = {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** For the request log: an error's code, and the rejected fields. */
  code?: ErrorCode;
  rejected?: string | null;
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
  const headers: Record<string, string> = { ...error.headers };
  let errors: Record<string, unknown> | undefined = error.errors;
  if (error.retryAfterSeconds !== undefined) {
    headers["Retry-After"] = String(error.retryAfterSeconds);
    if (error.code === "rate_limit_exceeded") errors = { retry_after: error.retryAfterSeconds };
  }
  if (error.code === "unauthorized") headers["WWW-Authenticate"] = "Bearer";
  const docs = appUrl && `${appUrl}/docs#${error.code}`;
  const { code, message, items } = error;
  const body = { success: false, code, message, errors, items, docs };
  return {
    status: error.status,
    body: JSON.stringify(body),
    headers,
    code: error.code,
    rejected: summarise(error),
  };
}

/**
 * Returns the answer that was saved with an Idempotency-Key. Only one error is ever saved, so the status identifies it.
 */
export function replayed({ status, body }: { status: number; body: string }): Answer {
  const code = status >= 400 ? ("email_already_subscribed" as const) : undefined;
  return { status, body, headers: { "Idempotency-Replayed": "true" }, code };
}
