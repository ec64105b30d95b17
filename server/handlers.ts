// Every path that is no page of the dashboard's, and the fetch handler that answers it. main.ts mounts them in front of
// Next, which costs a fortieth of a Next route; the route files below app/ export them for a host that runs Next alone.
import { type AppContext, app } from "./app";
import { foreignHost, isOurHost } from "./auth/same-origin";
import { handleStaffAuth } from "./auth/staff-handler";
import { toAppError } from "./errors";
import { handleDocs, handleManual } from "./http/docs/docs";
import { handlePublic } from "./http/public/handler";
import { handleRest } from "./http/rest/handler";
import { handleHealth } from "./http/rest/health";
import { handleRunJobs } from "./http/run-jobs";
import { commonHeaders } from "./http/security-headers";
import { handleResendWebhook } from "./http/webhooks/handler";
import { handleTrpc } from "./trpc/handler";

/** @param caller the address the request comes from, or null when nobody can tell */
export type Handler = (
  app: AppContext,
  request: Request,
  caller: string | null,
) => Response | Promise<Response>;

// As it stands in the request line: doubled slashes, backslashes and absolute targets are the API's to reject, too.
const REST = /^(?:[A-Za-z]+:\/\/[^/?#\\]*)?\/{1,2}api\/v1(?:[/?#\\]|$)/;

/** For what browsers ask: a name that is none of ours is somebody else's page, or a setting that is missing. */
const atOurHost =
  (handler: Handler): Handler =>
  (app, request, caller) =>
    isOurHost(request.headers.get("host"), app.origins)
      ? handler(app, request, caller)
      : new Response(foreignHost, { status: 421, headers: { "Cache-Control": "no-store" } });

const handlers: [target: RegExp, handler: Handler][] = [
  [REST, handleRest],
  [/^\/api\/trpc\//, atOurHost(handleTrpc)],
  [/^\/api\/auth\//, atOurHost(handleStaffAuth)],
  [/^\/api\/webhooks\/resend(?:\?|$)/, handleResendWebhook],
  [/^\/api\/health(?:\?|$)/, handleHealth],
  [/^\/api\/jobs\/run(?:\?|$)/, handleRunJobs],
  [/^\/api(?:[/?]|$)/, () => Response.json({ message: "There is nothing here." }, { status: 404 })],
  [/^\/confirm\//, handlePublic],
  [/^\/setup(?:\?|$)/, atOurHost(handlePublic)],
  [/^\/docs\/?(?:\?|$)/, atOurHost(handleDocs)],
  [/^\/llms\.txt(?:\?|$)/, atOurHost(handleManual)],
];

/** Whether a request's target is the REST API's: then its envelope answers, and no page. */
export function isRest(target: string): boolean {
  return REST.test(target);
}

/** @param target as it stands in the request line */
export function findHandler(target: string): Handler | undefined {
  return handlers.find(([path]) => path.test(target))?.[1];
}

/** For the socket that such a host hides: no network that TRUST_PROXY names, but a proxy where it is a number of them. */
const HIDDEN_PEER = "0.0.0.0";

/** The same as a Next route, on a context that the first request opens. The caller is known from trusted headers only. */
async function nextRoute(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const handler = findHandler(pathname);
  if (!handler) return new Response(null, { status: 404 });
  try {
    const opened = await app();
    const forwardedFor = request.headers.get("x-forwarded-for") ?? undefined;
    const caller = opened.config.TRUST_PROXY(HIDDEN_PEER, forwardedFor);
    const response = await handler(opened, request, caller === HIDDEN_PEER ? null : caller);
    for (const [name, value] of commonHeaders(opened.appUrl)) response.headers.set(name, value);
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
