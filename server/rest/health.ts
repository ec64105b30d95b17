import { timingSafeEqual } from "node:crypto";
import ipaddr from "ipaddr.js";
import type { AppContext } from "../app";
import { LOOPBACK } from "../kernel/ip-address";
import { digestOf } from "../kernel/secrets";
import { within } from "../kernel/time";
import { fullVersion } from "../kernel/version";
import { findIssues } from "../operations/issues";

const TIMEOUT_MS = 2_000;

/**
 * Answers 200, or 503 when the database is unreachable or this process is stopping. Details require HEALTH_TOKEN.
 * Without a configured token, only this machine gets details.
 */
export async function handleHealth(
  app: AppContext,
  request: Request,
  caller: string | null,
): Promise<Response> {
  const startedAt = performance.now();
  const reached = await within(TIMEOUT_MS, app.isDatabaseUp()).catch(() => false);
  const ms = Math.round(performance.now() - startedAt);
  const isOk = reached && !app.stopping;
  const status = isOk ? "ok" : reached ? "stopping" : "unavailable";
  const body = maySeeDetails(app, request, caller)
    ? await details(app, status, reached ? ms : null)
    : { status };
  return Response.json(body, {
    status: isOk ? 200 : 503,
    headers: { "Cache-Control": "no-store", ...(isOk ? {} : { "Retry-After": "2" }) },
  });
}

/** Returns the state of each part. @param ms the database's response time; null when it didn't answer */
async function details(app: AppContext, status: string, ms: number | null) {
  const { issues, disk, backlog, pause, backup, mode } = await findIssues(app);
  return {
    status: status === "ok" && issues.length > 0 ? "degraded" : status,
    version: fullVersion,
    issues,
    database: ms === null ? { state: "away" } : { state: "up", ms },
    disk,
    delivery: { ...(app.delivery?.state() ?? { running: false }), mode, ...backlog, paused: pause },
    limiter: app.limiter.state(),
    ...(backup && { backup }),
  };
}

/** Answers the process's metrics in Prometheus' format, to callers who may see the details of health. */
export async function handleMetrics(
  app: AppContext,
  request: Request,
  caller: string | null,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  if (maySeeDetails(app, request, caller)) {
    headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8";
    return new Response(await app.metrics.text(app), { headers });
  }
  if (app.config.HEALTH_TOKEN)
    return new Response("Send Authorization: Bearer HEALTH_TOKEN.\n", {
      status: 401,
      headers: { ...headers, "WWW-Authenticate": "Bearer" },
    });
  const message = "Without a HEALTH_TOKEN, metrics are available on this machine only.\n";
  return new Response(message, { status: 403, headers });
}

/** Whether the caller may see the details. */
export function maySeeDetails(
  { appUrl, config: { HEALTH_TOKEN: token } }: Pick<AppContext, "appUrl" | "config">,
  { headers }: Request,
  caller: string | null,
): boolean {
  // Digests have equal lengths, and are compared in constant time.
  if (token)
    return timingSafeEqual(digestOf(headers.get("authorization") ?? ""), digestOf(`Bearer ${token}`));
  // A proxy on this machine that TRUST_PROXY doesn't name also connects from a loopback address.
  const forwarded = ["x-forwarded-for", "forwarded", "via"].some((name) => headers.has(name));
  if (caller === null || forwarded || ipaddr.parse(caller).range() !== "loopback") return false;
  return isOwnName(headers.get("host"), appUrl);
}

/**
 * Whether the Host is ours. With DNS rebinding, an attacker's host name resolves to this machine. A web page in a local
 * browser could then read the details.
 */
function isOwnName(host: string | null, appUrl: string): boolean {
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  return LOOPBACK.test(hostname) || hostname === new URL(appUrl).hostname;
}
