import type { AppContext } from "../../app";

const TIMEOUT_MS = 2_000;

/** 200 with the state of the parts, or 503 when the database is away, which everything needs. */
export async function handleHealth(app: AppContext): Promise<Response> {
  const startedAt = performance.now();
  const late = new Promise<false>((resolve) => setTimeout(resolve, TIMEOUT_MS, false).unref());
  const reached = await Promise.race([app.isDatabaseUp(), late]);
  const body = {
    status: reached ? "ok" : "unavailable",
    database: reached ? { state: "up", ms: Math.round(performance.now() - startedAt) } : { state: "away" },
    delivery: app.delivery?.state() ?? { running: false },
    limiter: app.limiter.state(),
  };
  return Response.json(body, {
    status: reached ? 200 : 503,
    headers: { "Cache-Control": "no-store", ...(reached ? {} : { "Retry-After": "2" }) },
  });
}
