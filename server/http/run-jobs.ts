import type { AppContext } from "../app";
import { isBearer } from "../auth/bearer";
import { runDueJobs } from "../jobs/handlers";

/** Below what serverless hosts allow a function; what is not done by then is done by the next call. */
const BUDGET_MS = 20_000;

/**
 * POST /api/jobs/run, for hosts where no process stays: a cron calls it with `Authorization: Bearer CRON_SECRET`, every
 * minute or so, and what is due is done before it answers. A process that works on jobs anyway answers at once.
 */
export async function handleRunJobs(app: AppContext, request: Request): Promise<Response> {
  const secret = app.config.CRON_SECRET;
  const answer = (status: number, message: string, headers = {}) =>
    Response.json({ message }, { status, headers: { "Cache-Control": "no-store", ...headers } });
  if (!secret) return answer(404, "CRON_SECRET is not set, so jobs are not run from here.");
  if (request.method !== "POST") return answer(405, "Jobs are run by POST.", { Allow: "POST" });
  if (!isBearer(request.headers, secret)) {
    return answer(401, "The secret is not right. Send Authorization: Bearer CRON_SECRET.");
  }
  try {
    await runDueJobs(app, { budgetMs: BUDGET_MS });
    return answer(200, "Done.");
  } catch (err) {
    app.log.error({ err }, "jobs were not run");
    return answer(503, "The jobs could not be run. They stay due; call again.", { "Retry-After": "5" });
  }
}
