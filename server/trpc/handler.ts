import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { AppContext } from "../app";
import { foreignOrigin, isOurOrigin } from "../auth/same-origin";
import { findSignedIn, type SignedIn } from "../auth/staff-session";
import { maxCallsInRequest } from "../contract/wire";
import { isDecodable } from "../domain/own-path";
import { announcedLength } from "../request-body";
import { appErrorOf } from "./base";
import { answerWithProgress, readInThread } from "./plan-request";
import { appRouter } from "./router";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A plan of 100,000 people, and its rejected lines. */
const MAX_PLAN_BYTES = 40 * 1024 * 1024;

function rejection(status: number, message: string): Response {
  return Response.json(
    { error: { json: { message, code: -32600, data: { httpStatus: status, code: "validation_error" } } } },
    { status },
  );
}

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
  if (request.method !== "GET" && !isOurOrigin(request, app.origins)) return rejection(403, foreignOrigin);
  const { pathname, searchParams } = new URL(request.url);
  if (!isDecodable(pathname))
    return rejection(400, "The address is not one: a % in it begins no character of UTF-8.");
  // Of several calls at once only tRPC knows the inputs.
  const isPlan = pathname.endsWith("/imports.plan") && !searchParams.has("batch");
  const length = announcedLength(request);
  // Browsers always send the length; a body without one could be endless.
  if (request.method === "POST" && length === null && request.body !== null) {
    return rejection(411, "This request has no Content-Length, so nothing was changed.");
  }
  if ((length ?? 0) > (isPlan ? MAX_PLAN_BYTES : MAX_BODY_BYTES)) {
    return rejection(413, "This request is too large. Nothing was changed.");
  }
  if (!isPlan) return answerTrpc(app, request, address);
  if (app.listThread) readInThread(app.listThread, request);
  return answerWithProgress(request, (onShare) => answerTrpc(app, request, address, onShare));
}

function answerTrpc(
  app: AppContext,
  request: Request,
  address: string | null,
  onShare?: (share: number) => void,
): Promise<Response> {
  const requestId = randomUUID();
  let staff: Promise<SignedIn | null> | undefined;
  const signedIn = () => {
    staff ??= findSignedIn(app, request.headers);
    return staff;
  };
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    maxBatchSize: maxCallsInRequest,
    createContext: () => ({ app, requestId, address, signedIn, onShare }),
    responseMeta: () => ({ headers: { "Cache-Control": "no-store", "X-Request-Id": requestId } }),
    onError({ error, path }) {
      const known = appErrorOf(error);
      if (known.status < 500) return;
      const facts = { requestId, path, err: known.cause ?? error };
      app.log[known.code === "internal_error" ? "error" : "warn"](facts, `dashboard: ${known.code}`);
    },
  });
}
