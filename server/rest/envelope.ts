import { summarise } from "../api-keys/request-log";
import type { ErrorCode } from "../kernel/error-codes";
import type { AppError } from "../kernel/errors";

/** What the adapter answers before it becomes a Response: the body is final bytes, so that a replay can repeat it. */
export type Answer = {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** Of an error, for the request log: its code, and what was rejected. */
  code?: ErrorCode;
  rejected?: string | null;
  /** For how long of the time it took there was nothing to do but wait, as it was asked to. */
  waitedMs?: number;
};

export function success(status: number, data: unknown, more?: Record<string, unknown>): Answer {
  return { status, body: JSON.stringify({ success: true, data, ...more }) };
}

/**
 * The envelope of an error; its cause is for the log only.
 * @param appUrl where this instance is reached, for the link to what the code means; without it there is no link
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

/** An answer that was saved with its Idempotency-Key. The one error that is saved is told by its status. */
export function replayed({ status, body }: { status: number; body: string }): Answer {
  const code = status >= 400 ? ("email_already_subscribed" as const) : undefined;
  return { status, body, headers: { "Idempotency-Replayed": "true" }, code };
}
