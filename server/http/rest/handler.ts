import type { AppContext } from "../../app";
import type { Principal } from "../../auth/api-key-cache";
import type { Operation } from "../../contract/operations";
import { newId } from "../../domain/ids";
import { AppError, toAppError } from "../../errors";
import { type Quota, quotaHeaders } from "../../limits/quota";
import { authenticate } from "./authenticate";
import { answers } from "./endpoints";
import { type Answer, failure } from "./envelope";
import { openApiDocument } from "./openapi";
import { findRoute } from "./routes";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Answers that the lockout for bad requests does not count: they are not the request's own fault, or counted elsewhere. */
const UNCOUNTED = new Set([401, 403, 429]);

function rejectedByLimit({ rejectedBy, retryAfterSeconds }: Quota): AppError {
  const message =
    rejectedBy === "lockout"
      ? "Too many of this key's requests were rejected lately, so its writes rest for a while. Fix the requests, then try again."
      : `The limit of requests per ${rejectedBy} is reached. Wait for Retry-After seconds.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
}

/** What is known of a request while it is answered; filled on the way, so that a rejection can still say it. */
type Visit = { requestId: string; operation?: string; principal?: Principal; quota?: Quota };

/** Who is calling, may they, how often: in this order the first rejection answers. */
async function admit(
  app: AppContext,
  visit: Visit,
  { permission, policy }: Operation,
  request: Request,
  caller: string | null,
) {
  const principal = await authenticate(app, request.headers.get("authorization"), caller);
  visit.principal = principal;
  const reject = async (error: AppError) => {
    visit.quota = await app.limiter.peek(policy ?? "single", principal.id);
    throw error;
  };
  if (!principal.apiAccess) {
    await reject(
      new AppError(
        "api_access_disabled",
        "API access is switched off for this account. Its owner can switch it on.",
      ),
    );
  }
  if (permission !== null && !principal.permissions.includes(permission)) {
    await reject(
      new AppError("api_module_access_disabled", `This API key lacks the permission ${permission}.`),
    );
  }
  const ask = policy === null ? "peek" : permission === "subscribers:write" ? "takeWrite" : "take";
  visit.quota = await app.limiter[ask](policy ?? "single", principal.id);
  if (policy !== null && !visit.quota.allowed) throw rejectedByLimit(visit.quota);
  app.keys.used(principal.id, caller);
  return principal;
}

async function answer(
  app: AppContext,
  visit: Visit,
  request: Request,
  caller: string | null,
): Promise<Answer> {
  const url = new URL(request.url);
  const { operationId, operation, id } = findRoute(url.pathname, request.method);
  if (operationId === "getDocument") return { status: 200, body: documentText(app.appUrl) };
  visit.operation = operationId;
  const principal = await admit(app, visit, operation, request, caller);
  const { db, queue, outbox, jobs } = app;
  const actor = { kind: "key", id: principal.id, newsletterId: principal.newsletterId } as const;
  return answers[operationId]({
    app,
    request,
    url,
    id,
    principal,
    ctx: { db, queue, outbox, jobs, actor, requestId: visit.requestId },
  });
}

const documents = new Map<string, string>();

/** The OpenAPI document, made once: it changes with the code and the address alone. */
function documentText(appUrl: string): string {
  let text = documents.get(appUrl);
  if (text === undefined) {
    text = JSON.stringify(openApiDocument(appUrl));
    documents.set(appUrl, text);
  }
  return text;
}

/** Notes the request in its key's log; of a caller without a valid key there is none. */
function note(
  app: AppContext,
  { requestId, operation, principal }: Visit,
  result: Answer,
  startedAt: number,
): void {
  if (!principal || !operation) return;
  app.requestLog.note({
    newsletterId: principal.newsletterId,
    apiKeyId: principal.id,
    operation,
    status: result.status,
    code: result.code ?? null,
    requestId,
    durationMs: Math.round(performance.now() - startedAt),
    rejected: result.rejected ?? null,
    at: new Date(),
  });
}

function log(app: AppContext, visit: Visit, request: Request, error: AppError): void {
  const { requestId } = visit;
  if (error.status >= 500) {
    app.log[error.fault === "internal_error" ? "error" : "warn"](
      { requestId, method: request.method, path: new URL(request.url).pathname, err: error.cause ?? error },
      error.fault,
    );
  } else {
    app.log.debug({ requestId, method: request.method, code: error.code, status: error.status }, "rejected");
  }
}

/**
 * The whole REST API as one fetch handler; never rejects. The same one stands behind Next's routes and in front of them.
 * @param caller the caller's address, or null when nobody can tell
 */
export async function handleRest(
  app: AppContext,
  request: Request,
  caller: string | null,
): Promise<Response> {
  const own = request.headers.get("x-request-id");
  const visit: Visit = { requestId: own !== null && REQUEST_ID.test(own) ? own : newId() };
  const startedAt = performance.now();
  let result: Answer;
  try {
    result = await answer(app, visit, request, caller);
  } catch (thrown) {
    const error = toAppError(thrown);
    result = failure(error);
    log(app, visit, request, error);
  }
  if (visit.principal && result.status >= 400 && result.status < 500 && !UNCOUNTED.has(result.status)) {
    await app.limiter.countError(visit.principal.id);
  }
  note(app, visit, result, startedAt);
  return toResponse(result, visit, request.method);
}

function toResponse(result: Answer, { requestId, quota }: Visit, method?: string): Response {
  return new Response(method === "HEAD" ? null : result.body, {
    status: result.status,
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Request-Id": requestId,
      ...(quota && quotaHeaders(quota)),
      ...result.headers,
    },
  });
}

/** The answer to a request whose Host or path makes no URL, so that no Request could be made of it. */
export function rejectUnreadable(): Response {
  const error = new AppError(
    "malformed_request",
    "The request's Host header and path make no URL. Nothing was changed.",
  );
  return toResponse(failure(error), { requestId: newId() });
}
