import { AsyncLocalStorage } from "node:async_hooks";
import type pino from "pino";
import { type ApiKeyCache, createApiKeyCache } from "./api-keys/api-key-cache";
import { openRequestLog, type RequestLogWriter } from "./api-keys/request-log";
import {
  appUrl,
  type Config,
  type EnvironmentMail,
  environmentMail,
  loadConfig,
  oidcOf,
  ownOrigins,
} from "./config";
import { type ChangeWaits, openChangeWaits } from "./events/change-waits";
import type { Guard } from "./events/webhook-request";
import type { Secrets } from "./kernel/derived-keys";
import { logLostConnections, makeLog } from "./kernel/log";
import type { DeliveryState } from "./mail/delivery/delivery";
import type { ReadMailService } from "./mail/delivery/provider";
import { openMailService, openWebhookSecrets, type ReadWebhookSecrets } from "./mail/mail-service";
import { type NotifyStaff, openNotices } from "./mail/notices";
import { type Outbox, openOutbox } from "./mail/outbox";
import { openLinks, type SignedLinks } from "./mail/signed-links";
import type { GuardedPool } from "./platform/db/breaker";
import { type Db, isReachable, openDatabase } from "./platform/db/client";
import { type Jobs, openJobs } from "./platform/jobs/jobs";
import { type Limiter, openLimiter } from "./platform/limits/limiter";
import { signUpPolicies } from "./platform/limits/policies";
import { type Metrics, openMetrics } from "./platform/observe/metrics";
import type { SignUpRenderer } from "./sign-up/sign-up-page";
import type { Oidc } from "./staff/sign-in/oidc";
import { type InsertQueue, openInsertQueue } from "./subscribers/shared-queries";

/** @property isUnavailable the page could not be rendered because the database is unreachable */
export type PageFacts = { isUnavailable: boolean };

/** Everything an adapter needs, opened once for the process. */
export type AppContext = {
  config: Config;
  log: pino.Logger;
  /** The public address of this instance, without a trailing slash. */
  appUrl: string;
  /** The origins under which browsers may reach this instance: the origin of `appUrl`, and others. */
  origins: readonly string[];
  environmentMail: EnvironmentMail;
  mailService: ReadMailService;
  webhookSecrets: ReadWebhookSecrets;
  authSecrets: Secrets;
  oidc: Oidc | null;
  /** Connects directly to the database, without a pooler. */
  databaseUrl: string;
  db: Db;
  /** Knows whether the database is unreachable, and how many connections are in use. */
  pool: GuardedPool;
  queue: InsertQueue;
  keys: ApiKeyCache;
  limiter: Limiter;
  requestLog: RequestLogWriter;
  changeWaits: ChangeWaits;
  outbox: Outbox;
  notify: NotifyStaff;
  links: SignedLinks;
  /** Which addresses webhooks may call. */
  webhookGuard: Guard;
  /** The dashboard's procedures get the renderer from here, because they must not import the public pages. */
  signUpPages: SignUpRenderer;
  jobs: Jobs;
  metrics: Metrics;
  /** Set when this process runs jobs. The state of email delivery, for /api/health. */
  delivery?: { state(): DeliveryState };
  /** Facts that a page notes while it renders. Next alone would answer such failures with status 500. */
  pages: AsyncLocalStorage<PageFacts>;
  /** Set by main.ts when this process stops, so that load balancers send no more requests. */
  stopping?: boolean;
  isDatabaseUp(): Promise<boolean>;
  close(): Promise<void>;
};

/** Opens what the adapters share. Connects to nothing yet: an unreachable database shows with the first request. */
export async function createApp(
  config: Config,
  databaseUrl: string,
  authSecrets: Secrets,
  log: pino.Logger,
): Promise<AppContext> {
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
  const outbox = openOutbox(jobs);
  return {
    config,
    log,
    appUrl: appUrl(config),
    origins: ownOrigins(config),
    environmentMail: environmentMail(config),
    mailService: openMailService({ db, authSecrets, environmentMail: environmentMail(config) }),
    webhookSecrets: openWebhookSecrets({ db, authSecrets, environmentMail: environmentMail(config) }),
    authSecrets,
    oidc: oidcOf(config),
    databaseUrl,
    db,
    pool,
    queue: openInsertQueue(db),
    keys,
    limiter,
    requestLog,
    changeWaits: openChangeWaits(db, jobs.closing),
    outbox,
    notify: openNotices(outbox, appUrl(config)),
    webhookGuard: { allowed: config.WEBHOOK_ALLOWED_NETWORKS },
    links: openLinks({ secrets: authSecrets, appUrl: appUrl(config) }),
    // Imported on demand, because the command line renders no pages.
    signUpPages: {
      page: async (view) => (await import("./public/pages/sign-up-form")).previewPage(view),
      form: async (view, url) => (await import("./public/pages/sign-up-embed")).embeddedForm(view, url),
    },
    jobs,
    pages: new AsyncLocalStorage(),
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

const openLimiterOf = (config: Config, log: pino.Logger) =>
  openLimiter({
    ...(config.UPSTASH_REDIS_REST_URL && {
      upstash: { url: config.UPSTASH_REDIS_REST_URL, token: config.UPSTASH_REDIS_REST_TOKEN as string },
    }),
    ...(config.REDIS_URL && { redisUrl: config.REDIS_URL }),
    policies: {
      single: config.RATE_LIMIT,
      bulk: config.RATE_LIMIT_BULK,
      me: config.RATE_LIMIT_ME,
      ...signUpPolicies(config.RATE_LIMIT_SIGN_UP),
      session: config.RATE_LIMIT_SESSION,
      address: config.RATE_LIMIT_ADDRESS,
    },
    lockouts: { auth: config.LOCKOUT_AUTH, errors: config.LOCKOUT_ERRORS },
    log,
  });

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
