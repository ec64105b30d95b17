import { randomUUID } from "node:crypto";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { isOurOrigin } from "../auth/same-origin";
import { findSignedIn, type SignedIn } from "../auth/staff-session";
import type { House } from "../house";
import { withLeanHeap } from "../services/lean-heap";
import { appErrorOf, type Call } from "./base";
import { appRouter } from "./router";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A plan of 100,000 people, and its rejected lines. */
const MAX_PLAN_BYTES = 40 * 1024 * 1024;

/** What a request is to the procedures. */
export function callOf(house: House, headers: Headers, address: string | null): Call {
  let asked: Promise<SignedIn | null> | undefined;
  return {
    house,
    requestId: randomUUID(),
    address,
    signedIn() {
      asked ??= findSignedIn(house, headers);
      return asked;
    },
  };
}

function refusal(status: number, message: string): Response {
  return Response.json(
    { error: { json: { message, code: -32600, data: { httpStatus: status, fault: "malformed_request" } } } },
    { status },
  );
}

/**
 * The dashboard's procedures as one fetch handler.
 * @param address where the request comes from, as far as anybody can tell
 */
export async function handleTrpc(house: House, request: Request, address: string | null): Promise<Response> {
  // What changes something must come from a page of ours. Cookies are SameSite=Lax besides.
  if (request.method !== "GET" && !isOurOrigin(request, house.appUrl)) {
    return refusal(403, "This request did not come from a page of Rollcall, so nothing was changed.");
  }
  const isPlan = new URL(request.url).pathname.endsWith("/imports.plan");
  const announced = request.headers.get("content-length");
  // Browsers say how long a body is; who doesn't could go on for ever.
  if (request.method === "POST" && announced === null && request.body !== null) {
    return refusal(411, "This request does not say how long it is, so nothing was changed.");
  }
  if (Number(announced ?? 0) > (isPlan ? MAX_PLAN_BYTES : MAX_BODY_BYTES)) {
    return refusal(413, "This is too much for one request. Nothing was changed.");
  }
  const answer = () => answerTrpc(house, request, address);
  return isPlan ? withLeanHeap(answer) : answer();
}

function answerTrpc(house: House, request: Request, address: string | null): Promise<Response> {
  const call = callOf(house, request.headers, address);
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
      house.log[known.fault === "internal_error" ? "error" : "warn"](facts, `dashboard: ${known.fault}`);
    },
  });
}
