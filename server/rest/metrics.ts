import type { AppContext } from "../app";
import { maySeeDetails } from "./health";

/** Answers the process's metrics in Prometheus' format, to callers who may see health details. */
export async function handleMetrics(
  app: AppContext,
  request: Request,
  caller: string | null,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  if (!maySeeDetails(app, request, caller)) {
    if (app.config.HEALTH_TOKEN)
      return new Response("Send Authorization: Bearer HEALTH_TOKEN.\n", {
        status: 401,
        headers: { ...headers, "WWW-Authenticate": "Bearer" },
      });
    return new Response("Without a HEALTH_TOKEN, metrics are available on this machine only.\n", {
      status: 403,
      headers,
    });
  }
  headers["Content-Type"] = "text/plain; version=0.0.4; charset=utf-8";
  return new Response(await app.metrics.text(app), { headers });
}
