import type { z } from "zod";
import { type ErrorCode, errorStatuses, malformedStatus } from "./error-codes";

/**
 * A problem that the operator has to fix: a folder, a port, a database. Its message says what happened, what is still
 * safe and what to do, so it is printed without a stack.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** One invalid item of a bulk request, for programs. `index` counts from 0. */
export type ItemFault = { index: number; field: string; code: string; message: string };

type Details = {
  /** A status other than the code's default. */
  status?: number;
  /** Messages by field name. */
  errors?: Record<string, string[]>;
  items?: ItemFault[];
  /** The subscriber who has the address already. */
  subscriber?: { id: string; status: string } | undefined;
  retryAfterSeconds?: number;
  /** Whether the change may have been saved, although no result arrived. */
  isUnknown?: boolean;
  /** Further response headers, such as `Allow`. */
  headers?: Record<string, string>;
  /** For the log, never for the caller. */
  cause?: unknown;
};

const BRAND = Symbol.for("rollcall.error");

/**
 * The only error class. `message` is for the caller; `cause` is for the log. A brand identifies it instead of
 * `instanceof`, because Next's bundle and the server's each contain a copy of this file.
 */
export class AppError extends Error {
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: Record<string, string[]> | undefined;
  readonly items: ItemFault[] | undefined;
  readonly subscriber: Details["subscriber"];
  readonly retryAfterSeconds: number | undefined;
  readonly isUnknown: boolean;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.status = details.status ?? errorStatuses[code];
    this.errors = details.errors;
    this.items = details.items;
    this.subscriber = details.subscriber;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.isUnknown = details.isUnknown ?? false;
    this.headers = details.headers;
  }
}

/** Makes an error for a request that can't be read. */
export function malformed(message: string, details: Details = {}): AppError {
  return new AppError("validation_error", message, { ...details, status: malformedStatus });
}

export function invalidField(field: string, message: string): AppError {
  return new AppError("validation_error", message, { errors: { [field]: [message] } });
}

/**
 * Makes an error for something that was deleted, erased or ended meanwhile. @param noun as in "This webhook no longer
 * exists."
 */
export function noLongerExists(noun: string): AppError {
  return new AppError("not_found", `This ${noun} no longer exists.`);
}

/**
 * Returns the field of an issue: a custom field as `fields.KEY`, a filter's by position as `conditions.1.value`,
 * otherwise `body`.
 */
export function fieldOf({ path }: z.core.$ZodIssue): string {
  const list = path.findIndex((part) => part === "conditions" || part === "not");
  if (list >= 0) return path.slice(list).join(".");
  const at = path.findLastIndex((part) => typeof part === "string");
  const field = path[at];
  if (typeof field !== "string") return "body";
  return path[at - 1] === "fields" ? customField(field) : field;
}

/** Returns a custom field's name in errors. It is only `fields` when the caller's key can't be a field's key. */
export const customField = (key: string) => (/^[a-z][a-z0-9_]{0,63}$/.test(key) ? `fields.${key}` : "fields");

/** Makes an error from a schema's issues, with messages by field. */
export function invalid(issues: readonly z.core.$ZodIssue[]): AppError {
  const errors: Record<string, string[]> = Object.create(null);
  for (const issue of issues) {
    const field = fieldOf(issue);
    errors[field] ??= [];
    // zod checks the length of a value of the wrong type, too.
    if (!errors[field].includes(issue.message)) errors[field].push(issue.message);
  }
  return new AppError("validation_error", [...new Set(Object.values(errors).flat())].join(" "), { errors });
}

/** No statement was sent: the database is unreachable, or no connection was available. */
export class NotSent extends Error {
  readonly code = "NOT_SENT";
  constructor(cause?: Error) {
    super(`no connection to the database${cause ? `: ${cause.message}` : ""}`, { cause });
  }
}

/** Failures that changed nothing: no connection, or PostgreSQL aborted the transaction and reported it. */
const UNDONE = new Set([
  "NOT_SENT",
  "53300", // too_many_connections
  "53400", // configuration_limit_exceeded
  "53200", // out_of_memory
  "57P03", // cannot_connect_now
  "57014", // query_canceled (statement_timeout)
  "55P03", // lock_not_available
  "25P03", // idle_in_transaction_session_timeout
]);

/** Failures without a response. A sent statement may have run. */
const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOENT", // the socket of our own PostgreSQL, while it is stopped
  "ENOTFOUND",
  "EHOSTUNREACH",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "08000",
  "08001",
  "08003",
  "08006",
  // Prisma's codes: cannot reach, timed out, connection closed, no free connection, transaction expired
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
  "P2028",
  "P2037",
]);

/** PostgreSQL's codes for values that it can't store: a zero byte in a text, a number or date out of range. */
const UNSTORABLE = new Set(["22003", "22008", "22021", "22P05"]);

const DISK_FULL = "53100";

/** When PostgreSQL last reported a full disk to this process, in Unix milliseconds; for /api/health. */
export const diskFull: { at: number | null } = { at: null };

/** Names of the same failures in Prisma's driver adapters, for errors without a code. */
const AWAY_KINDS = new Set(["DatabaseNotReachable", "ConnectionClosed", "SocketTimeout"]);

const AWAY_WORDS = /Connection terminated|Query read timeout|is not queryable/;

type DatabaseError = {
  code?: unknown;
  kind?: unknown;
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: unknown };
};

/** Lists an error and its causes, as PostgreSQL, pg and Prisma nest them. */
function causesOf(thrown: unknown, depth = 0): DatabaseError[] {
  if (depth > 4 || typeof thrown !== "object" || thrown === null) return [];
  const error = thrown as DatabaseError;
  return [error, ...causesOf(error.cause, depth + 1), ...causesOf(error.meta?.driverAdapterError, depth + 1)];
}

/** Lists the codes of an error and its causes: PostgreSQL's, the network's and Prisma's. */
export const codesOf = (thrown: unknown): string[] =>
  causesOf(thrown).flatMap(({ code, originalCode, meta }) =>
    [code, originalCode, meta?.code].filter((one) => typeof one === "string"),
  );

/** Whether an error without a code means that the database is away. */
const isAway = (error: DatabaseError) =>
  (typeof error.kind === "string" && AWAY_KINDS.has(error.kind)) ||
  // pg's pool throws plain Errors without a code for these, so only the message identifies them.
  (typeof error.message === "string" && error.code === undefined && AWAY_WORDS.test(error.message));

/** The recipient of an error message. `reader`: a person whose request changes nothing. */
type Audience = "program" | "person" | "reader";

const UNKNOWN: Record<Exclude<Audience, "reader">, string> = {
  program: "repeat the request with the same Idempotency-Key.",
  person: "check before you try again.",
};

/**
 * Converts any thrown value to an AppError: itself, `validation_error` (400), `service_unavailable` or
 * `internal_error`.
 * @param sentBefore the request has several transactions, and an earlier one may have run
 */
export function toAppError(thrown: unknown, audience: Audience = "person", sentBefore = false): AppError {
  if (typeof thrown === "object" && thrown !== null && BRAND in thrown) return thrown as AppError;
  const codes = codesOf(thrown);
  const isAmong = (known: Set<string>) => codes.some((code) => known.has(code));
  if (isAmong(UNSTORABLE)) {
    const message = "A value contains a zero byte, or is a number or date outside the supported range.";
    return malformed(`${message} Nothing was changed.`, { cause: thrown });
  }
  if (codes.includes(DISK_FULL)) {
    diskFull.at = Date.now();
    return new AppError(
      "service_unavailable",
      "The disk of the database is full. Nothing was changed. The operator must free some space.",
      { retryAfterSeconds: 60, cause: thrown },
    );
  }
  const isUndone = isAmong(UNDONE);
  if (isUndone || isAmong(AWAY) || causesOf(thrown).some(isAway)) {
    const isUnknown = audience !== "reader" && (!isUndone || sentBefore);
    const message = isUnknown
      ? `The database did not answer, so it is not known whether the change was saved; ${UNKNOWN[audience]}`
      : "The service cannot reach its database. Nothing was changed. Try again shortly.";
    return new AppError("service_unavailable", message, { retryAfterSeconds: 2, isUnknown, cause: thrown });
  }
  return new AppError(
    "internal_error",
    "An unexpected error. Something may or may not have been changed. Report the X-Request-Id.",
    {
      cause: thrown,
    },
  );
}

/** Validates an adapter's input. @throws AppError validation_error with messages by field */
export function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(result.error.issues);
  return result.data;
}
