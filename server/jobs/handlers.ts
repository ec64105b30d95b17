import type { AppContext } from "../app";
import { runScheduledBackup } from "../backup/scheduled";
import { clearAway } from "../db/housekeeping";
import { runSearchIndexer } from "../db/search-indexer";
import { type Delivery, openDelivery } from "../mail/delivery";
import { warmUp } from "../mail/templates/render-confirmation";
import { removeNewsletters } from "../services/close-newsletter";
import { writeDigests } from "../services/digest";
import { runWork } from "../services/long-work";
import { applyReports } from "../services/mail-reports";
import { followUpPending } from "../services/unanswered";
import { runWebhooks } from "../services/webhook-delivery";
import { type Handlers, Stopping } from "./jobs";

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

/** What the jobs of each queue do. */
export function openHandlers(app: App): { delivery: Delivery; handlers: Handlers } {
  const { config, databaseUrl, db, jobs, links, log, mailService, notify, outbox, queue } = app;
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
      async "clean-up"() {
        log.debug({ removed: await clearAway(db) }, "cleaned up");
      },
      async webhooks(_, closing) {
        await runWebhooks(app, closing, true);
        // For another process, at once rather than at the next full minute.
        if (closing.aborted) throw new Stopping();
      },
      "newsletter-removal": (_, closing) => removeNewsletters(ctx, closing),
      unanswered: (_, closing) => followUpPending(ctx, closing),
      async digest(_, closing) {
        if ((await mailService()).transport) await writeDigests({ db, notify }, closing);
      },
      ...(config.BACKUP_DIR && { backup: (_: null, closing: AbortSignal) => backUp(app, closing) }),
    },
  };
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

/** After the start, which needs the processor for itself. */
const WARM_UP_MS = 1_000;

/** Makes this process work on everything that runs in the background, until `app.jobs.stop`. */
export async function startJobs(app: AppContext): Promise<void> {
  const { delivery, handlers } = openHandlers(app);
  await app.jobs.start(handlers);
  app.delivery = delivery;
  setTimeout(() => void warmUp().catch(() => {}), WARM_UP_MS).unref();
}
