import type { AppContext } from "./app";
import { runWebhooks } from "./events/webhook-delivery";
import { type Delivery, openDelivery } from "./mail/delivery/delivery";
import { warmUp } from "./mail/templates/render-person-mail";
import { applyReports } from "./mail-log/reports";
import { removeNewsletters } from "./newsletters/close-newsletter";
import { runScheduledBackup } from "./operations/backup/scheduled";
import { deleteExpired } from "./operations/shared-queries";
import { sendWeeklyDigests } from "./operations/weekly-digest";
import { type Handlers, Stopping } from "./platform/jobs/jobs";
import { followUpPending } from "./subscribers/confirmation-reminders";
import { runSearchIndexer } from "./subscribers/shared-queries";
import { runWork } from "./work/run-work";

/** Returns the job handler of each queue. */
export function openHandlers(app: AppContext): { delivery: Delivery; handlers: Handlers } {
  const { config, databaseUrl, db } = app;
  const delivery = openDelivery({ ...app, applyReports: (providerIds) => applyReports(db, providerIds) });
  return {
    delivery,
    handlers: {
      ...delivery.handlers,
      work: (job, closing, retries) => runWork(app, { job, closing, retries }),
      recovery: () => delivery.recover(),
      "search-index": (_, closing) => runSearchIndexer({ url: databaseUrl, closing }),
      hourly: (_, closing) => runHourly(app, closing),
      async webhooks(_, closing) {
        await runWebhooks(app, { closing, stays: true });
        // Lets another process take the rest now instead of at the next full minute.
        if (closing.aborted) throw new Stopping();
      },
      ...(config.BACKUP_DIR && { backup: (_: null, closing: AbortSignal) => backUp(app, closing) }),
    },
  };
}

type Task = (app: AppContext, closing: AbortSignal) => Promise<unknown>;

/** The hourly tasks. Each task can be interrupted, because its next run does the rest. */
const hourly: Record<string, Task> = {
  async digests(app, closing) {
    if ((await app.mailService()).transport) await sendWeeklyDigests(app, closing);
  },
  "reminders and expired sign-ups": followUpPending,
  async "clean-up"({ db, log }) {
    log.debug({ removed: await deleteExpired(db) }, "cleaned up");
  },
  "deleted newsletters": removeNewsletters,
};
/** Limits each task, so that a long one does not delay the others. */
const TASK_MS = 15 * 60_000;

/** @throws the first failure, after all tasks have run */
async function runHourly(app: AppContext, closing: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const [task, run] of Object.entries(hourly)) {
    if (closing.aborted) throw new Stopping();
    await run(app, AbortSignal.any([closing, AbortSignal.timeout(TASK_MS)])).catch((err) => {
      app.log.warn({ err, task }, "an hourly task failed");
      failures.push(err);
    });
  }
  if (failures.length > 0) throw failures[0];
}

async function backUp(app: AppContext, signal: AbortSignal): Promise<void> {
  const file = await runScheduledBackup(app, signal).catch((error) => {
    throw signal.aborted ? new Stopping() : error;
  });
  app.log.info({ file }, "backup: made");
}

/** Startup needs the processor first. */
const WARM_UP_MS = 1_000;

/** Runs all background jobs in this process until `app.jobs.stop`. */
export async function startJobs(app: AppContext): Promise<void> {
  const { delivery, handlers } = openHandlers(app);
  await app.jobs.start(handlers);
  app.delivery = delivery;
  setTimeout(() => void warmUp().catch(() => {}), WARM_UP_MS).unref();
}
