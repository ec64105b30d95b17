import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import type { AppContext } from "../app";
import { isOurOrigin } from "../auth/same-origin";
import { findSignedIn, type SignedIn } from "../auth/staff-session";
import { announcedLength } from "../http/body";
import { withLowMemory } from "../services/low-memory";
import { appErrorOf, type ProcedureContext } from "./base";
import { appRouter } from "./router";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A plan of 100,000 people, and its rejected lines. */
const MAX_PLAN_BYTES = 40 * 1024 * 1024;

/** What a request is to the procedures. */
export function callOf(app: AppContext, headers: Headers, address: string | null): ProcedureContext {
  let asked: Promise<SignedIn | null> | undefined;
  return {
    app,
    requestId: randomUUID(),
    address,
    signedIn() {
      asked ??= findSignedIn(app, headers);
      return asked;
    },
  };
}

function rejection(status: number, message: string): Response {
  return Response.json(
    { error: { json: { message, code: -32600, data: { httpStatus: status, code: "validation_error" } } } },
    { status },
  );
}

/**
 * The dashboard's procedures as one fetch handler.
 * @param address where the request comes from, as far as anybody can tell
 */
export async function handleTrpc(
  app: AppContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  // What changes something must come from a page of ours. Cookies are SameSite=Lax besides.
  if (request.method !== "GET" && !isOurOrigin(request, app.appUrl)) {
    return rejection(403, "This request did not come from a page of Rollcall, so nothing was changed.");
  }
  const isPlan = new URL(request.url).pathname.endsWith("/imports.plan");
  const announced = announcedLength(request);
  // Browsers say how long a body is; who doesn't could go on for ever.
  if (request.method === "POST" && announced === null && request.body !== null) {
    return rejection(411, "This request does not say how long it is, so nothing was changed.");
  }
  if ((announced ?? 0) > (isPlan ? MAX_PLAN_BYTES : MAX_BODY_BYTES)) {
    return rejection(413, "This is too much for one request. Nothing was changed.");
  }
  const answer = () => answerTrpc(app, request, address);
  return isPlan ? withLowMemory(answer) : answer();
}

function answerTrpc(app: AppContext, request: Request, address: string | null): Promise<Response> {
  const call = callOf(app, request.headers, address);
  return fetchRequestHandler({
    endpoint: "/api/trpc",
    req: request,
    router: appRouter,
    createContext: () => call,
    responseMeta: () => ({ headers: { "Cache-Control": "no-store", "X-Request-Id": call.requestId } }),
    onError({ error, path }) {
      const known = appErrorOf(error);
      if (known.status < 500) return;
      const facts = { requestId: call.requestId, path, err: known.cause ?? error };
      app.log[known.code === "internal_error" ? "error" : "warn"](facts, `dashboard: ${known.code}`);
    },
  });
}
