// The paths outside of the dashboard's pages, with their fetch handlers. main.ts mounts them in front of Next, because
// a handler costs a fortieth of a Next route. The route files below app/ export them for a host that runs Next alone.
import { setImmediate } from "node:timers/promises";
import { type AppContext, app } from "./app";
import {
  handleClientPackage,
  handleDocs,
  handleGuides,
  handleManual,
  handleOperatorsGuide,
} from "./docs/docs";
import { rejectForeignHost, rejectOverLimit, signedOutCost } from "./entrance";
import { concurrencyLimit } from "./kernel/concurrency-limit";
import { toAppError } from "./kernel/errors";
import { handleMcp } from "./mcp/handler";
import { commonHeaders } from "./platform/http/security-headers";
import { handlePublic } from "./public/handler";
import { handleRest } from "./rest/handler";
import { handleHealth, handleMetrics } from "./rest/health";
import { handleResendWebhook } from "./rest/resend-webhook";
import { handleStaffAuth } from "./staff/sign-in/staff-handler";
import { handleTrpc } from "./trpc/handler";

/** @param caller the address that the request comes from; null when unknown */
export type Handler = (
  app: AppContext,
  request: Request,
  caller: string | null,
) => Response | Promise<Response>;

// Matches the raw request line. Doubled slashes, backslashes and absolute targets also belong to the API, which rejects
// them.
const REST = /^(?:[A-Za-z]+:\/\/[^/?#\\]*)?\/{1,2}api\/v1(?:[/?#\\]|$)/;

/** Checks for browser requests. The Host must be ours, and the cost in pages counts against the address. */
type Entrance = { ownNameOnly?: boolean; cost?: number };

const oneATime = concurrencyLimit({ limit: 1 });
/**
 * Starts one browser request per turn of the event loop, since each needs milliseconds. REST and health run in between.
 */
const nextTick = () => oneATime(() => setImmediate());

const entrance =
  (handler: Handler, { ownNameOnly = true, cost = 1 }: Entrance = {}): Handler =>
  async (app, request, caller) => {
    const { headers, url } = request;
    const isForeign = ownNameOnly && rejectForeignHost(app, headers.get("host"));
    const rejected = isForeign || rejectOverLimit(app, caller, cost);
    if (!rejected) {
      await nextTick();
      return handler(app, request, caller);
    }
    const { body, ...rest } = rejected;
    return /\/api\//.test(url) ? Response.json({ message: body }, rest) : new Response(body, rest);
  };

/** Counts a handler's responses in the metrics. The API's handlers count their own, because only they know the operation. */
const observed =
  (operation: string, handler: Handler): Handler =>
  async (app, request, caller) => {
    const startedAt = performance.now();
    let status = 500;
    try {
      const response = await handler(app, request, caller);
      status = response.status;
      return response;
    } finally {
      app.metrics.observe(operation, status, startedAt);
    }
  };

const nothing = () => Response.json({ message: "Not found." }, { status: 404 });

const handlers: [target: RegExp, handler: Handler][] = [
  [REST, handleRest],
  [/^\/mcp\/?(?:\?|$)/, handleMcp],
  // tRPC counts its own calls, by session.
  [/^\/api\/trpc\//, observed("dashboard", entrance(handleTrpc, { cost: 0 }))],
  [/^\/api\/auth\//, observed("sign-in", entrance(handleStaffAuth, { cost: signedOutCost }))],
  [/^\/api\/webhooks\/resend(?:\?|$)/, handleResendWebhook],
  [/^\/api\/health(?:\?|$)/, observed("health", handleHealth)],
  [/^\/metrics(?:\?|$)/, observed("metrics", handleMetrics)],
  [/^\/api(?:[/?]|$)/, observed("nothing", nothing)],
  [/^\/confirm\//, observed("confirm", entrance(handlePublic, { ownNameOnly: false }))],
  [/^\/unsubscribe\//, observed("unsubscribe", entrance(handlePublic, { ownNameOnly: false }))],
  [/^\/preferences\//, observed("preferences", entrance(handlePublic, { ownNameOnly: false }))],
  [/^\/s\//, observed("sign-up", entrance(handlePublic, { ownNameOnly: false }))],
  [/^\/setup(?:\?|$)/, observed("setup", entrance(handlePublic, { cost: signedOutCost }))],
  [/^\/(?:sign-in|forgot)\/?(?:\?|$)/, observed("sign-in", entrance(handlePublic, { cost: signedOutCost }))],
  [/^\/(?:join|reset|confirm-email)\//, observed("sign-in", entrance(handlePublic, { cost: signedOutCost }))],
  [/^\/docs\/?(?:\?|$)/, observed("docs", entrance(handleDocs))],
  [/^\/docs\/operators\/?(?:\?|$)/, observed("docs", entrance(handleOperatorsGuide))],
  [/^\/docs\/guides\/?(?:\?|$)/, observed("docs", entrance(handleGuides))],
  [/^\/llms\.txt(?:\?|$)/, observed("docs", entrance(handleManual))],
  [/^\/sdk\/js\.tgz(?:\?|$)/, observed("docs", entrance(handleClientPackage, { ownNameOnly: false }))],
];

/** @param target the raw target of the request line */
export function findHandler(target: string): Handler | undefined {
  return handlers.find(([path]) => path.test(target))?.[1];
}

/**
 * Stands for the peer's address, which Next hides. It is in no network of TRUST_PROXY; a number of proxies still
 * applies.
 */
const HIDDEN_PEER = "0.0.0.0";

/**
 * Serves a request as a Next route, and opens the app on the first request. The caller's address comes only from
 * trusted headers.
 */
async function nextRoute(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const handler = findHandler(pathname);
  if (!handler) return new Response(null, { status: 404 });
  try {
    const opened = await app();
    const forwardedFor = request.headers.get("x-forwarded-for") ?? undefined;
    const caller = opened.config.TRUST_PROXY(HIDDEN_PEER, forwardedFor);
    const response = await handler(opened, request, caller === HIDDEN_PEER ? null : caller);
    for (const [name, value] of commonHeaders(opened.appUrl))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  } catch (thrown) {
    console.error(thrown);
    return Response.json({ message: "Rollcall could not be opened." }, { status: toAppError(thrown).status });
  }
}

export {
  nextRoute as DELETE,
  nextRoute as GET,
  nextRoute as HEAD,
  nextRoute as OPTIONS,
  nextRoute as PATCH,
  nextRoute as POST,
  nextRoute as PUT,
};
