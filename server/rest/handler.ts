import { type ApiKeyCache, hasNewsletter, type LiveKey, type Principal } from "../api-keys/api-key-cache";
import { summarise } from "../api-keys/request-log";
import { isGranted } from "../api-keys/schema/permissions";
import { type LoggedOperation, uncountedStatuses } from "../api-keys/schema/request-log";
import type { AppContext } from "../app";
import { openApiText } from "../docs/openapi";
import { AppError, malformed, toAppError } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { isWithin, parseNetworks } from "../kernel/ip-address";
import { lockoutSubject } from "../platform/limits/caller-address";
import type { Quota } from "../platform/limits/counters";
import type { Limiter } from "../platform/limits/limiter";
import type { Ctx } from "../subscribers/context";
import { getSubscriberId } from "../subscribers/subscribers";
import { endpoints, isAboutKey, keyEndpoints } from "./endpoints";
import { type Answer, apiHeaders, failure, quotaHeaders, statusOf } from "./envelope";
import { checkParameters } from "./read-request";
import { findRoute, type Route } from "./routes";
import { type Operation, policyOf } from "./schema/operation";
import { streamFormat } from "./stream";

const BEARER = /^bearer +(sk_[!-~]{1,200})$/i;

/**
 * Returns the live key of a request.
 * @param from caller: the caller's address, which counts failures; named: the newsletter in the path, or null
 * @throws AppError unauthorized, the same for a missing, malformed, unknown, revoked or expired key;
 * rate_limit_exceeded for a caller with too many failures
 */
export async function authenticate(
  { keys, limiter }: { keys: ApiKeyCache; limiter: Limiter },
  header: string | null,
  { caller, named }: { caller: string | null; named: string | null },
): Promise<LiveKey> {
  const secret = header === null ? undefined : BEARER.exec(header)?.[1];
  if (secret !== undefined) {
    const key = await keys.find(secret, named);
    if (key) return key;
  }
  const { lockedSeconds } = await limiter.failedAuthentication(lockoutSubject(caller));
  if (lockedSeconds > 0) {
    const message = "Too many requests with a wrong API key from your address. Fix the key, then try again.";
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: lockedSeconds });
  }
  const message = "The API key is missing or not valid. Send the header Authorization: Bearer sk_…";
  throw new AppError("unauthorized", message, { headers: { "WWW-Authenticate": "Bearer" } });
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Facts about a request that are collected while it is answered, for its headers and its log entry. */
export type RequestFacts = {
  requestId: string;
  operation?: LoggedOperation | "getDocument";
  key?: LiveKey;
  quota?: Quota;
  headers?: Record<string, string>;
};

export type Arrival = { app: AppContext; request: Request; caller: string | null };

export function limitError({ rejectedBy, retryAfterSeconds }: Quota): AppError {
  const message =
    rejectedBy === "lockout"
      ? "Too many requests of this key were rejected, so its writes are locked for a while. Fix the requests, then try again."
      : `The limit of requests per ${rejectedBy} is reached. Wait for Retry-After seconds.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
}

/** The part of an operation that decides whether a key may use it, and which limit counts it. */
type Admission = Pick<Operation, "method" | "permission" | "permissionWith" | "policy" | "streams">;

const isRead = ({ method }: Admission) => method === "GET";

/** The permission that a request needs. Read before the query is validated, since a missing one answers first. */
function permissionOf({ permission, permissionWith }: Admission, { searchParams }: URL) {
  if (!permissionWith) return permission;
  const { parameter, value } = permissionWith;
  return searchParams.getAll(parameter).includes(value) ? permissionWith.permission : permission;
}

/** Returns the reason why a key may not run the operation; null when it may. */
function accessError(
  key: LiveKey,
  caller: string | null,
  { operation, url }: { operation: Admission; url: URL },
): AppError | null {
  if (!key.apiAccess) {
    const message = "API access is off for this account. An owner can turn it on.";
    return new AppError("api_access_disabled", message);
  }
  if (key.isArchived) {
    const message =
      "The newsletter is archived, so API keys can't use it. An owner can restore the newsletter on the dashboard.";
    return new AppError("api_access_disabled", message);
  }
  const { networks } = key;
  if (networks.length > 0 && !(caller && isWithin(parseNetworks(networks.join()), caller))) {
    const message = `This API key can't be used from your address${caller ? ` ${caller}` : ""}. An owner chose its networks.`;
    return new AppError("api_access_disabled", message);
  }
  const permission = permissionOf(operation, url);
  if (permission === null || permission === "none") return null;
  if (!isGranted(key.permissions, permission, isRead(operation) ? "read" : "write"))
    return new AppError("api_module_access_disabled", `This API key lacks the permission ${permission}.`);
  return null;
}

/** Checks key, API access, permission and rate limit, in this order. The first failure answers. */
export async function admit(
  { app, request, caller }: Arrival,
  facts: RequestFacts,
  { operation, url, named }: { operation: Admission; url: URL; named: string | null },
): Promise<LiveKey> {
  const key = await authenticate(app, request.headers.get("authorization"), { caller, named });
  facts.key = key;
  const rejected = accessError(key, caller, { operation, url });
  const policy = operation.streams && streamFormat(request) ? "stream" : policyOf(operation);
  const ask = rejected ? "peek" : isRead(operation) ? "take" : "takeWrite";
  if (policy) facts.quota = await app.limiter[ask](policy, key.id);
  if (rejected) throw rejected;
  if (facts.quota?.allowed === false) throw limitError(facts.quota);
  app.keys.used(key.id, caller);
  return key;
}

/**
 * Returns the key in the newsletter of the request.
 * @throws AppError api_access_disabled when the path names no newsletter and the key needs one, or when the key can't use it
 */
export function inNewsletter(key: LiveKey, named: string | null): Principal {
  if (hasNewsletter(key) && (named === null || named === key.newsletterId)) return key;
  const message =
    named === null
      ? "This key is for all newsletters, so the path must name one: /api/v1/newsletters/{id}/…"
      : "This key can't use a newsletter with this id.";
  throw new AppError(
    "api_access_disabled",
    `${message} GET /api/v1/newsletters lists the newsletters of a key.`,
  );
}

/** Finds the route. For an unknown route, a caller with a valid key still gets their rate limit headers. */
async function routeOf(
  { app, request, caller }: Arrival,
  facts: RequestFacts,
  { pathname }: URL,
): Promise<Route> {
  try {
    return findRoute(pathname, request.method);
  } catch (error) {
    const header = request.headers.get("authorization");
    // An invalid key counts as a failed authentication but doesn't change this answer.
    const key = header && (await authenticate(app, header, { caller, named: null }).catch(() => null));
    if (key) facts.quota = await app.limiter.peek(policyOf(request) ?? "read", key.id);
    throw error;
  }
}

/** The `ctx` of the verbs that a key calls. */
export function ctxOf({ db, queue, outbox, jobs }: AppContext, principal: Principal, requestId: string): Ctx {
  const { id, newsletterId } = principal;
  return { db, queue, outbox, jobs, actor: { kind: "key", id, newsletterId }, requestId };
}

async function answer(arrival: Arrival, facts: RequestFacts): Promise<Answer> {
  const { app, request } = arrival;
  const url = new URL(request.url);
  const { operationId, operation, id, number, address, named } = await routeOf(arrival, facts, url);
  facts.operation = operationId;
  if (operationId === "getDocument") {
    checkParameters(operation, url);
    return { status: 200, body: openApiText(app.appUrl) };
  }
  const key = await admit(arrival, facts, { operation, url, named });
  checkParameters(operation, url);
  if (isAboutKey(operationId)) return keyEndpoints[operationId]({ app, key });
  const principal = inNewsletter(key, named);
  const ctx = ctxOf(app, principal, facts.requestId);
  facts.headers = {};
  const { headers } = facts;
  const of = { newsletterId: principal.newsletterId, accountId: principal.accountId };
  const subscriber = address && (await getSubscriberId(ctx, { ...of, address }));
  const context = { app, request, operation, headers, url, id: subscriber ?? id, number, principal, of, ctx };
  return endpoints[operationId](context);
}

/** Writes the request to its newsletter's request log. Requests without a valid key or a newsletter aren't logged. */
function note(app: AppContext, facts: RequestFacts, result: Answer, durationMs: number): void {
  const { requestId, operation, key } = facts;
  if (!key || !hasNewsletter(key) || !operation) return;
  app.requestLog.note({
    newsletterId: key.newsletterId,
    apiKeyId: key.id,
    operation,
    status: statusOf(result),
    code: result.error?.code ?? null,
    requestId,
    durationMs: Math.round(durationMs),
    rejected: result.error ? summarise(result.error) : null,
    at: new Date(),
  });
}

function log({ app, request }: Arrival, requestId: string, error: AppError): void {
  const { code, status } = error;
  const { method } = request;
  if (status < 500) {
    app.log.debug({ requestId, method, code, status }, "rejected");
    return;
  }
  // Logs hold no email addresses.
  const path = new URL(request.url).pathname.replace(/[^/]*(?:@|%40)[^/]*/gi, "{email}");
  const level = code === "internal_error" ? "error" : "warn";
  app.log[level]({ requestId, method, path, err: error.cause ?? error }, code);
}

/**
 * Makes a fetch handler that never rejects: an error of `answer` becomes an envelope. Requests are logged and counted.
 * @param label counts requests without an operation in the metrics
 */
export const answering =
  (answer: (arrival: Arrival, facts: RequestFacts) => Promise<Answer>, label: string) =>
  async (app: AppContext, request: Request, caller: string | null): Promise<Response> => {
    const own = request.headers.get("x-request-id");
    const facts: RequestFacts = { requestId: own !== null && REQUEST_ID.test(own) ? own : newId() };
    const arrival = { app, request, caller };
    let startedAt = performance.now();
    let result: Answer;
    try {
      result = await answer(arrival, facts);
    } catch (thrown) {
      const reads = request.method === "GET" || request.method === "HEAD";
      result = failure(toAppError(thrown, reads ? "reader" : "program"), app.appUrl);
    }
    if (result.error) log(arrival, facts.requestId, result.error);
    const status = statusOf(result);
    if (facts.key && status >= 400 && status < 500 && !uncountedStatuses.includes(status)) {
      await app.limiter.countError(facts.key.id);
    }
    // A wait that the caller asked for doesn't count as response time.
    startedAt += result.waitedMs ?? 0;
    const noteAs = (answered: Answer) => note(app, facts, answered, performance.now() - startedAt);
    if (result.stream) {
      void result.stream.ended.then((error) => {
        if (error) log(arrival, facts.requestId, error);
        // The status was sent before the error, so the request log is the only place that tells the reason.
        noteAs(error ? failure(error, app.appUrl) : result);
      });
    } else noteAs(result);
    app.metrics.observe(facts.operation ?? label, status, startedAt);
    return toResponse(result, facts, request.method);
  };

/**
 * Answers the whole REST API as one fetch handler. Never rejects.
 * @param caller the caller's address, or null when unknown
 */
export const handleRest = answering(answer, "unknown");

function toResponse(result: Answer, { requestId, quota, headers }: RequestFacts, method?: string): Response {
  return new Response(method === "HEAD" ? null : (result.stream?.body ?? result.body), {
    status: result.status,
    headers: {
      ...apiHeaders(requestId),
      ...(quota && quotaHeaders(quota)),
      ...headers,
      ...result.headers,
    },
  });
}

/** Answers a request with an invalid Host or path, from which no Request can be made. */
export function rejectUnreadable(appUrl: string): Response {
  const error = malformed("The Host header and path are not a valid URL. Nothing was changed.");
  return toResponse(failure(error, appUrl), { requestId: newId() });
}
