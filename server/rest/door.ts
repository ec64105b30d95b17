import type { Principal } from "../auth/key-ring";
import { newId } from "../domain/ids";
import { AppError, toAppError } from "../errors";
import type { House } from "../house";
import { type Quota, quotaHeaders } from "../limits/limiter";
import { authenticate } from "./authenticate";
import { type Endpoint, endpoints } from "./endpoints";
import { type Answer, failure } from "./envelope";

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Answers that the lockout for bad requests does not count: they are not the request's own fault, or counted elsewhere. */
const UNCOUNTED = new Set([401, 403, 429]);

function refusedByLimit({ refusedBy, retryAfterSeconds }: Quota): AppError {
  const message =
    refusedBy === "lockout"
      ? "Too many of this key's requests were refused lately, so its writes rest for a while. Mend the requests, then try again."
      : `The limit of requests per ${refusedBy} is reached. Wait for Retry-After seconds.`;
  return new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
}

/** What is known of a request while it is answered; filled on the way, so that a refusal can still say it. */
type Visit = { requestId: string; principal?: Principal; quota?: Quota };

function find(url: URL, method: string): Endpoint {
  const verbs = endpoints[url.pathname];
  if (!verbs)
    throw new AppError(
      "not_found",
      "There is nothing at this path. The API's paths begin with /api/v1/subscribers.",
    );
  const endpoint = verbs[method];
  if (endpoint) return endpoint;
  const allow = Object.keys(verbs).join(", ");
  throw new AppError("method_not_allowed", `This path answers ${allow} only.`, { headers: { Allow: allow } });
}

/** Who is calling, may they, how often: in this order the first refusal answers. */
async function admit(
  house: House,
  visit: Visit,
  endpoint: Endpoint,
  request: Request,
  caller: string | null,
) {
  const principal = await authenticate(house, request.headers.get("authorization"), caller);
  visit.principal = principal;
  const refuse = async (error: AppError) => {
    visit.quota = await house.limiter.peek(endpoint.policy, principal.id);
    throw error;
  };
  if (!principal.apiAccess) {
    await refuse(
      new AppError(
        "api_access_disabled",
        "API access is switched off for this account. Its owner can switch it on.",
      ),
    );
  }
  if (!principal.permissions.includes(endpoint.permission)) {
    await refuse(
      new AppError("api_module_access_disabled", `This API key lacks the permission ${endpoint.permission}.`),
    );
  }
  const take = endpoint.permission === "subscribers:write" ? "takeWrite" : "take";
  const taken = house.limiter[take](endpoint.policy, principal.id);
  visit.quota = taken instanceof Promise ? await taken : taken;
  if (!visit.quota.allowed) throw refusedByLimit(visit.quota);
  house.keys.used(principal.id, caller);
  return principal;
}

async function answer(house: House, visit: Visit, request: Request, caller: string | null): Promise<Answer> {
  const url = new URL(request.url);
  const endpoint = find(url, request.method);
  const principal = await admit(house, visit, endpoint, request, caller);
  const { db, queue, outbox } = house;
  const actor = { kind: "key", id: principal.id, newsletterId: principal.newsletterId } as const;
  return endpoint.answer({
    request,
    url,
    principal,
    ctx: { db, queue, outbox, actor, requestId: visit.requestId },
  });
}

function log(house: House, visit: Visit, request: Request, error: AppError): void {
  const { requestId } = visit;
  if (error.status >= 500) {
    house.log[error.fault === "internal_error" ? "error" : "warn"](
      { requestId, method: request.method, path: new URL(request.url).pathname, err: error.cause ?? error },
      error.fault,
    );
  } else {
    house.log.debug({ requestId, method: request.method, code: error.code, status: error.status }, "refused");
  }
}

/**
 * The whole REST API as one fetch handler; never rejects. The same one stands behind Next's routes and in front of them.
 * @param caller the caller's address, or null when nobody can tell
 */
export async function handleRest(house: House, request: Request, caller: string | null): Promise<Response> {
  const own = request.headers.get("x-request-id");
  const visit: Visit = { requestId: own !== null && REQUEST_ID.test(own) ? own : newId() };
  let result: Answer;
  try {
    result = await answer(house, visit, request, caller);
  } catch (thrown) {
    const error = toAppError(thrown);
    result = failure(error);
    log(house, visit, request, error);
  }
  if (visit.principal && result.status >= 400 && result.status < 500 && !UNCOUNTED.has(result.status)) {
    await house.limiter.refusedAnswer(visit.principal.id);
  }
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
export function refuseUnreadable(): Response {
  const error = new AppError(
    "malformed_request",
    "The request's Host header and path make no URL. Nothing was changed.",
  );
  return toResponse(failure(error), { requestId: newId() });
}
