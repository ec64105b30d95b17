import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { AppContext } from "../app";
import { rateLimitMessage, signedOutCost, waitOf } from "../entrance";
import { AppError, toAppError } from "../kernel/errors";
import { isDecodable } from "../kernel/own-path";
import { maxCallsInRequest } from "../kernel/trpc-transformer";
import { announcedLength, checkJsonType, readJsonBody } from "../platform/http/request-body";
import { foreignOrigin, isOurOrigin } from "../platform/http/same-origin";
import { findSignedIn, type SignedIn } from "../staff/sign-in/staff-session";
import { appErrorOf } from "./base";
import { appRouter } from "./router";

/** The body size that costs as much as one call. A list of 100,000 people is 10 MB. */
const BYTES_OF_A_CALL = 256 * 1024;

function costOf(request: Request): number {
  const calls = decodeURIComponent(new URL(request.url).pathname).split(",").length;
  return calls + Math.floor((announcedLength(request) ?? 0) / BYTES_OF_A_CALL);
}

/**
 * Counts a request's calls for its session, or for the caller's address without a session.
 * @throws AppError rate_limit_exceeded
 */
function countCalls(
  app: AppContext,
  request: Request,
  { staff, caller }: { staff: SignedIn | null; caller: string | null },
): void {
  const cost = costOf(request);
  const wait = staff
    ? app.limiter.takeLocal("session", staff.sessionId, cost)
    : waitOf(app, caller, cost * signedOutCost);
  if (wait === 0) return;
  const message = rateLimitMessage(staff ? "this browser" : "your address", wait);
  throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: wait });
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** The limit for callers who are not signed in. Password and invitation forms are smaller. */
const MAX_STRANGERS_BYTES = 16 * 1024;

const headersOf = (requestId: string) => ({ "Cache-Control": "no-store", "X-Request-Id": requestId });

/** Returns an error in the dashboard's format, for a request that no procedure gets. */
function rejection({ status, code, message, retryAfterSeconds }: AppError, requestId: string): Response {
  const data = { httpStatus: status, code, retryAfterSeconds };
  const headers = new Headers(headersOf(requestId));
  if (retryAfterSeconds) headers.set("Retry-After", String(retryAfterSeconds));
  return Response.json({ error: { json: { message, code: -32600, data } } }, { status, headers });
}

/** Logs errors that the caller didn't cause. */
function logFault({ log }: AppContext, { code, status, cause }: AppError, facts: object): void {
  if (status >= 500)
    log[code === "internal_error" ? "error" : "warn"]({ ...facts, err: cause }, `dashboard: ${code}`);
}

const unread = (status: number, message: string) => new AppError("validation_error", message, { status });

const signInFirst = "This request is too large without a session. Sign in and send it again.";
const tooLarge = "This request is too large. Nothing was changed.";

function checkLength(request: Request, mostBytes: number, message = tooLarge): void {
  if ((announcedLength(request) ?? 0) > mostBytes) throw unread(413, message);
}

/** @throws AppError for a request that must not get to a procedure */
function checkHead({ origins }: AppContext, request: Request): void {
  // A change must come from one of our pages. Cookies are also SameSite=Lax.
  if (request.method !== "GET" && !isOurOrigin(request, origins)) throw unread(403, foreignOrigin);
  if (!isDecodable(new URL(request.url).pathname))
    throw unread(400, "The URL is not valid: a % in it is not valid UTF-8.");
  const length = announcedLength(request);
  // Browsers always send the length. A body without a length could be endless.
  if (request.method === "POST" && length === null && request.body !== null)
    throw unread(411, "This request has no Content-Length, so nothing was changed.");
  checkLength(request, MAX_BODY_BYTES);
  if (request.method === "POST") checkJsonType(request);
}

/** Makes tRPC answer 400 for a body that is no JSON. On its own, tRPC reports an internal error. */
function readStrictly(request: Request): void {
  const json = () => readJsonBody(request, MAX_BODY_BYTES);
  Object.defineProperty(request, "json", { value: json, configurable: true });
}

/**
 * Answers the dashboard's procedures as one fetch handler.
 * @param address the caller's address, when known
 */
export async function handleTrpc(
  app: AppContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  const requestId = randomUUID();
  let staff: SignedIn | null;
  try {
    checkHead(app, request);
    staff = await findSignedIn(app, request.headers);
    if (!staff) checkLength(request, MAX_STRANGERS_BYTES, signInFirst);
    countCalls(app, request, { staff, caller: address });
  } catch (thrown) {
    const error = toAppError(thrown, "reader");
    logFault(app, error, { requestId });
    return rejection(error, requestId);
  }
  readStrictly(request);
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: maxCallsInRequest,
    createContext: () => ({ app, requestId, address, signedIn: async () => staff }),
    responseMeta: () => ({ headers: headersOf(requestId) }),
    onError({ error, path, type }) {
      logFault(app, appErrorOf(error, type), { requestId, path });
    },
  });
}
