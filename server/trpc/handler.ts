import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { AppContext } from "../app";
import { foreignOrigin, isOurOrigin } from "../auth/same-origin";
import { findSignedIn } from "../auth/staff-session";
import { maxCallsInRequest } from "../contract/wire";
import { isDecodable } from "../domain/own-path";
import { AppError } from "../errors";
import { announcedLength } from "../request-body";
import { appErrorOf, type ProcedureContext } from "./base";
import { callLimitError } from "./call-limits";
import { answerWithProgress, readInThread } from "./plan-request";
import { appRouter } from "./router";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A plan of 100,000 people, and its rejected lines. */
const MAX_PLAN_BYTES = 40 * 1024 * 1024;

/** An error in the shape that the dashboard reads, for a request that no procedure sees. */
function rejection({ status, code, message, retryAfterSeconds }: AppError): Response {
  const data = { httpStatus: status, code, retryAfterSeconds };
  const headers = retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined;
  return Response.json({ error: { json: { message, code: -32600, data } } }, { status, headers });
}

const unread = (status: number, message: string) =>
  rejection(new AppError("validation_error", message, { status }));

/**
 * The dashboard's procedures as one fetch handler.
 * @param address the caller's, when it is known
 */
export async function handleTrpc(
  app: AppContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  // A change must come from a page of ours. Cookies are SameSite=Lax besides.
  if (request.method !== "GET" && !isOurOrigin(request, app.origins)) return unread(403, foreignOrigin);
  const { pathname, searchParams } = new URL(request.url);
  if (!isDecodable(pathname))
    return unread(400, "The address is not one: a % in it begins no character of UTF-8.");
  // Of several calls at once only tRPC knows the inputs.
  const isPlan = pathname.endsWith("/imports.plan") && !searchParams.has("batch");
  const length = announcedLength(request);
  // Browsers always send the length; a body without one could be endless.
  if (request.method === "POST" && length === null && request.body !== null) {
    return unread(411, "This request has no Content-Length, so nothing was changed.");
  }
  if ((length ?? 0) > (isPlan ? MAX_PLAN_BYTES : MAX_BODY_BYTES)) {
    return unread(413, "This request is too large. Nothing was changed.");
  }
  const signedIn = findSignedIn(app, request.headers);
  // Where it cannot be known who asks, the procedure answers why.
  const tooMany = await signedIn.then(
    (staff) => callLimitError(app, request, { staff, caller: address }),
    () => null,
  );
  if (tooMany) return rejection(tooMany);
  const caller = { address, signedIn: () => signedIn };
  if (!isPlan) return answerTrpc(app, request, caller);
  if (app.listThread) readInThread(app.listThread, request);
  return answerWithProgress(request, (onShare) => answerTrpc(app, request, { ...caller, onShare }));
}

function answerTrpc(
  app: AppContext,
  request: Request,
  caller: Pick<ProcedureContext, "address" | "signedIn" | "onShare">,
): Promise<Response> {
  const requestId = randomUUID();
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: maxCallsInRequest,
    createContext: () => ({ app, requestId, ...caller }),
    responseMeta: () => ({ headers: { "Cache-Control": "no-store", "X-Request-Id": requestId } }),
    onError({ error, path }) {
      const known = appErrorOf(error);
      if (known.status < 500) return;
      const facts = { requestId, path, err: known.cause ?? error };
      app.log[known.code === "internal_error" ? "error" : "warn"](facts, `dashboard: ${known.code}`);
    },
  });
}
