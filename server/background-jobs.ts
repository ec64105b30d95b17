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

type App = Pick<
  AppContext,
  | "authSecrets"
  | "config"
  | "databaseUrl"
  | "db"
  | "jobs"
  | "links"
  | "log"
  | "mailService"
  | "notify"
  | "outbox"
  | "queue"
  | "webhookGuard"
>;

/** Returns the job handler of each queue. */
export function openHandlers(app: App): { delivery: Delivery; handlers: Handlers } {
  const { config, databaseUrl, db, jobs, links, log, mailService, outbox, queue } = app;
  const ctx = { db, jobs, outbox, queue };
  const delivery = openDelivery({
    db,
    jobs,
    mailService,
    links,
    log,
    applyReports: (providerIds) => applyReports(db, providerIds),
  });
  return {
    delivery,
    handlers: {
      ...delivery.handlers,
      work: (job, closing, retries) => runWork(ctx, job, { closing, retries }),
      recovery: () => delivery.recover(),
      "search-index": (_, closing) => runSearchIndexer({ url: databaseUrl, closing }),
      hourly: (_, closing) => runHourly(app, closing),
      async webhooks(_, closing) {
        await runWebhooks(app, closing, true);
        // Lets another process take the rest now instead of at the next full minute.
        if (closing.aborted) throw new Stopping();
      },
      ...(config.BACKUP_DIR && { backup: (_: null, closing: AbortSignal) => backUp(app, closing) }),
    },
  };
}

type Task = (app: App, closing: AbortSignal) => Promise<unknown>;

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
async function runHourly(app: App, closing: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const [task, run] of Object.entries(hourly)) {
    if (closing.aborted) throw new Stopping();
    const turn = new AbortController();
    const end = () => turn.abort();
    const timer = setTimeout(end, TASK_MS);
    closing.addEventListener("abort", end);
    await run(app, turn.signal).catch((err) => {
      app.log.warn({ err, task }, "an hourly task failed");
      failures.push(err);
    });
    closing.removeEventListener("abort", end);
    clearTimeout(timer);
  }
  if (failures.length > 0) throw failures[0];
}

async function backUp(
  { config, databaseUrl: url, db, authSecrets, log }: App,
  signal: AbortSignal,
): Promise<void> {
  const authSecret = authSecrets.join("\n");
  const folder = config.BACKUP_DIR as string;
  const file = await runScheduledBackup({
    db,
    url,
    folder,
    keep: config.BACKUP_KEEP,
    authSecret,
    signal,
  }).catch((error) => {
    throw signal.aborted ? new Stopping() : error;
  });
  log.info({ file }, "backup: made");
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
