import { AsyncLocalStorage } from "node:async_hooks";
import type pino from "pino";
import { createApiKeyCache } from "./api-keys/api-key-cache";
import { openRequestLog } from "./api-keys/request-log";
import { appUrl, type Config, environmentMail, limitsOf, loadConfig, oidcOf, ownOrigins } from "./config";
import { openChangeWaits } from "./events/change-waits";
import { concurrencyLimit } from "./kernel/concurrency-limit";
import { logLostConnections, makeLog } from "./kernel/log";
import type { Secrets } from "./kernel/secrets";
import type { DeliveryState } from "./mail/delivery/delivery";
import { openMailService, openWebhookSecrets } from "./mail/mail-service";
import { openNotices } from "./mail/notices";
import { openOutbox } from "./mail/outbox";
import { openLinks } from "./mail/signed-links";
import { isReachable, openDatabase } from "./platform/db/client";
import { openJobs } from "./platform/jobs/jobs";
import { openLimiter } from "./platform/limits/limiter";
import { signUpPolicies } from "./platform/limits/policies";
import { openMetrics } from "./platform/observe/metrics";
import type { SignUpRenderer } from "./sign-up/sign-up-page";
import { openInsertQueue } from "./subscribers/shared-queries";

/** @property isUnavailable the page could not be rendered because the database is unreachable */
export type PageFacts = { isUnavailable: boolean };

/** Everything an adapter needs, opened once for the process. */
export type AppContext = Awaited<ReturnType<typeof createApp>> & {
  /** Set when this process runs jobs. The state of email delivery, for /api/health. */
  delivery?: { state(): DeliveryState };
  /** Set by main.ts when this process stops, so that load balancers send no more requests. */
  stopping?: boolean;
};

/** Opens what the adapters share. Connects to nothing yet: an unreachable database shows with the first request. */
export async function createApp(config: Config, databaseUrl: string, authSecrets: Secrets, log: pino.Logger) {
  const database = openPool(config, databaseUrl, log);
  const { db, pool } = database;
  const keys = createApiKeyCache({
    db,
    url: databaseUrl,
    onError: (err) => log.warn({ err }, "last use of keys not noted"),
  });
  const limiter = openLimiterOf(config, log);
  const requestLog = openRequestLog(db, log);
  const jobs = openJobs({ databaseUrl, log, backupSchedule: config.BACKUP_SCHEDULE });
  const outbox = openOutbox(jobs, environmentMail(config).transport !== null);
  return {
    config,
    log,
    /** The public address of this instance, without a trailing slash. */
    appUrl: appUrl(config),
    /** The origins under which browsers may reach this instance: the origin of `appUrl`, and others. */
    origins: ownOrigins(config),
    environmentMail: environmentMail(config),
    mailService: openMailService({ db, authSecrets, environmentMail: environmentMail(config) }),
    webhookSecrets: openWebhookSecrets({ db, authSecrets, environmentMail: environmentMail(config) }),
    authSecrets,
    oidc: oidcOf(config),
    /** Connects directly to the database, without a pooler. */
    databaseUrl,
    db,
    /** Knows whether the database is unreachable, and how many connections are in use. */
    pool,
    queue: openInsertQueue(db),
    keys,
    limiter,
    requestLog,
    changeWaits: openChangeWaits(db, jobs.closing),
    ...openTurns(config),
    outbox,
    notify: openNotices(outbox, appUrl(config)),
    /** Which addresses webhooks may call. */
    webhookGuard: { allowed: config.WEBHOOK_ALLOWED_NETWORKS },
    links: openLinks({ secrets: authSecrets, appUrl: appUrl(config) }),
    signUpPages,
    jobs,
    /** Facts that a page notes while it renders. Next alone would answer such failures with status 500. */
    pages: new AsyncLocalStorage<PageFacts>(),
    metrics: openMetrics(),
    isDatabaseUp: () => isReachable(db),
    async close() {
      await jobs.stop();
      await requestLog.close();
      await keys.close();
      await limiter.close();
      await database.close();
    },
  };
}

/**
 * The dashboard's procedures get the renderer from here, because they must not import the public pages. Imported on
 * demand, because the command line renders no pages.
 */
const signUpPages: SignUpRenderer = {
  page: async (view) => (await import("./public/pages/sign-up-form")).previewPage(view),
  form: async (view, url) => (await import("./public/pages/sign-up-embed")).embeddedForm(view, url),
};

/** Opens what limits how many large requests run at once. */
const openTurns = ({ DATABASE_POOL }: Config) => ({
  /**
   * Runs streams and uploads of whole lists in turn. A stream holds a connection for as long as its client reads, and an
   * upload holds the list in memory.
   */
  streams: concurrencyLimit({
    limit: Math.max(1, Math.floor(DATABASE_POOL / 4)),
    maxQueued: 4,
    busy: "Too many lists are being sent or received at the moment. Try again shortly.",
  }),
  /**
   * Runs bulk requests that add subscribers in turn. Many at once would fill the heap with their parsed bodies, and
   * leave no connection for other requests.
   */
  bulkCreates: concurrencyLimit({
    limit: Math.max(1, DATABASE_POOL - 2),
    maxQueued: 256,
    busy: "Too many bulk requests are waiting. Nothing was changed. Try again shortly.",
  }),
});

/** Opens the connection pool for requests. It may lead through a pooler. */
function openPool(config: Config, databaseUrl: string, log: pino.Logger) {
  const isPooled = config.DATABASE_DIRECT_URL !== undefined;
  return openDatabase({
    url: isPooled ? (config.DATABASE_URL as string) : databaseUrl,
    isPooled,
    poolSize: config.DATABASE_POOL,
    onError: logLostConnections(log),
    onAway: (isAway) =>
      isAway ? log.error("the database does not answer") : log.info("the database answers again"),
  });
}

function openLimiterOf(config: Config, log: pino.Logger) {
  const { policies, lockouts } = limitsOf(config);
  return openLimiter({
    ...(config.UPSTASH_REDIS_REST_URL && {
      upstash: { url: config.UPSTASH_REDIS_REST_URL, token: config.UPSTASH_REDIS_REST_TOKEN as string },
    }),
    ...(config.REDIS_URL && { redisUrl: config.REDIS_URL }),
    policies: {
      ...policies,
      ...signUpPolicies(config.RATE_LIMIT_SIGN_UP),
      session: config.RATE_LIMIT_SESSION,
      address: config.RATE_LIMIT_ADDRESS,
    },
    lockouts,
    log,
  });
}

const APP_CONTEXT = Symbol.for("rollcall.app");
const shared = globalThis as { [APP_CONTEXT]?: Promise<AppContext> };

/** Shares this app with Next, which loads its own copy of this module. */
export function share(app: Promise<AppContext>): void {
  shared[APP_CONTEXT] = app;
}

/**
 * Returns the app of this process. main.ts opens it before Next gets a request. A plain `next start` opens it here and
 * needs a database that is already migrated.
 * @throws Error when a plain Next has no DATABASE_URL or AUTH_SECRET
 */
export function app(): Promise<AppContext> {
  shared[APP_CONTEXT] ??= openAlone();
  return shared[APP_CONTEXT];
}

async function openAlone(): Promise<AppContext> {
  const config = loadConfig();
  if (!config.DATABASE_URL || !config.AUTH_SECRET) {
    throw new Error("Without `npm start` in front, Next needs DATABASE_URL and AUTH_SECRET.");
  }
  return createApp(
    config,
    config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    config.AUTH_SECRET,
    makeLog(config),
  );
}
