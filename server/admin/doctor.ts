import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../app";
import { findAuthSecrets } from "../auth/secret";
import { captchaOf } from "../captcha";
import { appUrl, type Config, environmentMail, misspelledSettings } from "../config";
import { type DatabaseFacts, listSenders, readDatabaseFacts } from "../db/database-facts";
import { listPending } from "../db/migrate";
import { makeLog } from "../log";
import type { MailTransport } from "../mail/provider";
import { readResendDomains, senderDomains } from "../mail/resend-domains";
import { checkSmtp } from "../mail/smtp";
import { findDatabase } from "../open-database";
import { findMailPause } from "../services/mail-pause";
import type { Tool } from "./command";
import { askRunningServer } from "./running-server";

export type Finding = { check: string; state: "ok" | "warn" | "bad"; message: string };

const finding = (check: string, state: Finding["state"], message: string): Finding => ({
  check,
  state,
  message,
});

/** Free megabytes below which an operator should know, and below which writes are about to fail. */
const LOW_MB = 2_000;
const FULL_MB = 200;
const OLDEST_POSTGRES = 14;
const CLOCK_MS = 5_000;

export function checkSettings(config: Config, misspelled = misspelledSettings()): Finding[] {
  const { APP_URL, DATABASE_URL } = config;
  const findings = [finding("settings", "ok", "every setting can be used")];
  for (const { name, setting } of misspelled)
    findings.push(finding("settings", "warn", `${name} is no setting and has no effect; ${setting} is one`));
  if (!APP_URL)
    findings.push(
      finding(
        "APP_URL",
        "warn",
        `it is not set: links in mails lead to ${appUrl(config)}; set it to the address that readers know`,
      ),
    );
  if (!findAuthSecrets(config))
    findings.push(
      finding(
        "AUTH_SECRET",
        "warn",
        "there is none yet: the first start makes one in DATA_DIR; on several machines set the same on each",
      ),
    );
  if (DATABASE_URL && !config.AUTH_SECRET)
    findings.push(
      finding(
        "AUTH_SECRET",
        "warn",
        "it is not set: on several machines links of one do not open at another",
      ),
    );
  return findings;
}

export function checkDisk({ DATA_DIR, DATABASE_URL }: Config): Finding[] {
  if (!existsSync(DATA_DIR)) {
    if (DATABASE_URL) return [];
    return [finding("disk", "warn", `${DATA_DIR} does not exist yet: the first start makes it`)];
  }
  try {
    accessSync(DATA_DIR, constants.W_OK | constants.X_OK);
  } catch {
    return [
      finding("disk", "bad", `${DATA_DIR} can't be written: give it to the user that Rollcall runs as`),
    ];
  }
  const { bavail, bsize } = statfsSync(DATA_DIR);
  const free = Math.round((bavail * bsize) / 1e6);
  const said = `${free} MB are free where DATA_DIR is`;
  if (free < FULL_MB) return [finding("disk", "bad", `${said}: free some space, or writes fail soon`)];
  return [finding("disk", free < LOW_MB ? "warn" : "ok", said)];
}

export function checkDatabase(facts: DatabaseFacts, asked: { before: number; after: number }): Finding[] {
  const { version, versionNumber, readOnly, now, megabytes, hasTrigrams, encoding } = facts;
  const isOld = versionNumber < OLDEST_POSTGRES * 10_000;
  const away = Math.max(0, asked.before - now.getTime(), now.getTime() - asked.after);
  return [
    isOld
      ? finding("database", "bad", `PostgreSQL ${version} is too old: ${OLDEST_POSTGRES} or newer is needed`)
      : readOnly
        ? finding("database", "bad", "it is a standby and takes no writes: set DATABASE_URL to the primary")
        : encoding !== "UTF8"
          ? finding(
              "database",
              "bad",
              `its encoding is ${encoding}: make one with ENCODING 'UTF8', and restore a backup into it`,
            )
          : finding("database", "ok", `PostgreSQL ${version}, ${megabytes} MB`),
    hasTrigrams
      ? finding("extensions", "ok", "pg_trgm makes searches fast")
      : finding(
          "extensions",
          "warn",
          "pg_trgm's index is missing: searches read the whole list; the operators' guide says how to make it",
        ),
    away > CLOCK_MS
      ? finding(
          "clock",
          "warn",
          `this machine's clock and the database's are ${Math.round(away / 1000)} s apart: set both by NTP`,
        )
      : finding("clock", "ok", "this machine's clock and the database's agree"),
  ];
}

/** Whether the captcha service knows our keys: it says so of a token that is none. */
export async function checkCaptcha(config: Config): Promise<Finding[]> {
  const verdict = await captchaOf(config)?.check("no token");
  if (!verdict) return [];
  return [
    verdict.is === "unknown"
      ? finding(
          "captcha",
          "bad",
          `sign-ups are taken without the check of ${config.CAPTCHA_PROVIDER}: ${verdict.why}`,
        )
      : finding("captcha", "ok", `${config.CAPTCHA_PROVIDER} knows the keys`),
  ];
}

const SMTP_TIMEOUT_MS = 10_000;

/** @param senders as mails have them, such as `Weekly <hello@x.org>` */
export async function checkMailService(
  transport: MailTransport | null,
  senders: string[],
): Promise<Finding[]> {
  if (!transport)
    return [
      finding(
        "mail service",
        "warn",
        "there is none: no mail leaves, mails are only logged; set RESEND_API_KEY or SMTP_URL, or a key under Settings, Sending",
      ),
    ];
  if (transport.kind === "smtp") {
    const problem = await checkSmtp({ ...transport, timeoutMs: SMTP_TIMEOUT_MS });
    return [
      problem === null
        ? finding("smtp", "ok", "the mail server can be reached and lets us in")
        : finding("smtp", "bad", `the mail server can't be reached, or does not let us in: ${problem}`),
    ];
  }
  const domains = await readResendDomains(transport);
  if ("problem" in domains)
    return [
      domains.reason === "restricted"
        ? finding("resend", "warn", "the key may only send, so that its domains can't be checked here")
        : finding("resend", "bad", `Resend does not accept the key, or does not answer: ${domains.problem}`),
    ];
  const used = senderDomains(domains, senders);
  const wrong = used.filter(({ state }) => state !== "verified");
  return [
    finding("resend", "ok", "Resend accepts the key"),
    ...(wrong.length === 0
      ? [finding("sender", "ok", `verified: ${used.map(({ domain }) => domain).join(", ")}`)]
      : wrong.map(({ domain, state }) =>
          finding(
            "sender",
            "bad",
            `${domain} is not verified at Resend (${state === "waiting" ? "it waits for its DNS records" : "it is not there"}): no mail from it leaves`,
          ),
        )),
  ];
}

async function checkInstallation(config: Config): Promise<Finding[]> {
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, "postgres")))
    return [
      finding("database", "warn", "there is none yet: the first start makes it in DATA_DIR"),
      ...(await checkMailService(environmentMail(config).transport, [environmentMail(config).from])),
    ];
  const found = await findDatabase(config, "command", () => {});
  const app = await createApp(
    config,
    found.url,
    findAuthSecrets(config) ?? ["-".repeat(32)],
    makeLog({ ...config, LOG_LEVEL: "silent" }),
  );
  try {
    const before = Date.now();
    const facts = await readDatabaseFacts(app.db);
    const findings = checkDatabase(facts, { before, after: Date.now() });
    const pending = await listPending(found.url);
    findings.push(
      pending.length === 0
        ? finding("migrations", "ok", "the database is of this version")
        : finding(
            "migrations",
            "warn",
            `${pending.length} are to be applied: the next start does it, or migrate`,
          ),
    );
    await app.limiter.ready;
    const { store, degraded } = app.limiter.state();
    if (store !== "memory")
      findings.push(
        degraded
          ? finding(
              "redis",
              "bad",
              "it does not answer: each process counts requests alone; check REDIS_URL or Upstash's settings",
            )
          : finding("redis", "ok", `${store} answers`),
      );
    if (pending.length > 0) return findings;
    const { transport, from } = await app.mailService();
    findings.push(...(await checkMailService(transport, [from, ...(await listSenders(app.db))])));
    const pause = await findMailPause(app);
    if (pause)
      findings.push(
        finding(
          "mails",
          "warn",
          `they are paused since ${pause.at.toISOString()}: mails resume lets them leave`,
        ),
      );
    return findings;
  } finally {
    await app.close();
    await found.stop();
  }
}

/** What a running server reports that only it knows, such as a proxy that TRUST_PROXY does not name. */
async function checkServer(config: Config): Promise<Finding[]> {
  const health = await askRunningServer(config);
  if (!health) return [];
  if (health.issues.length === 0) return [finding("server", "ok", "it runs and reports no issues")];
  return health.issues.map((issue) => finding("server", "warn", issue));
}

export const doctor: Tool = {
  does: "checks settings, disk, database, Redis, mail and captcha services and clocks; exits with 1 when something is bad",
  example: "--json",
  async runAlone(config) {
    const server = await checkServer(config);
    const findings = [...checkSettings(config), ...checkDisk(config), ...server];
    try {
      const installation = await checkInstallation(config);
      // A running server reports paused mails itself.
      findings.push(...installation.filter(({ check }) => check !== "mails" || server.length === 0));
    } catch (error) {
      findings.push(finding("database", "bad", (error as Error).message));
    }
    findings.push(...(await checkCaptcha(config)));
    return {
      json: { findings },
      lines: findings.map(({ check, state, message }) => `${state.padEnd(4)}  ${check}: ${message}`),
      failed: findings.some(({ state }) => state === "bad"),
    };
  },
};
