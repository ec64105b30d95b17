import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { join } from "node:path";
import type { AppContext } from "../app";
import { appUrl, type Config, environmentMail, misspelledSettings } from "../config";
import type { MailTransport } from "../mail/delivery/provider";
import { readResendDomains, senderDomains } from "../mail/delivery/resend-domains";
import { checkSmtp } from "../mail/delivery/smtp";
import { findSendPause } from "../mail/shared-queries";
import { type DatabaseFacts, listSenders, readDatabaseFacts } from "../platform/db/database-facts";
import { listPending } from "../platform/db/migrate";
import { findAuthSecrets } from "../platform/installation-secret";
import { captchaOf } from "../sign-up/captcha";
import { type Tool, withApp } from "./command";

export type Finding = { check: string; state: "ok" | "warn" | "bad"; message: string };

const found = (state: Finding["state"]) => (check: string, message: string) => ({ check, state, message });
const [ok, warn, bad] = [found("ok"), found("warn"), found("bad")];

/** Free megabytes: the doctor warns below LOW_MB. Below FULL_MB, writes are about to fail. */
const LOW_MB = 2_000;
const FULL_MB = 200;
const OLDEST_POSTGRES = 14;

export function checkSettings(config: Config, misspelled = misspelledSettings()): Finding[] {
  const { APP_URL, DATABASE_URL } = config;
  const findings = [ok("settings", "all settings are valid")];
  for (const { name, setting } of misspelled)
    findings.push(warn("settings", `${name} is not a setting and has no effect; did you mean ${setting}?`));
  if (!APP_URL)
    findings.push(
      warn("APP_URL", `not set: links in emails start with ${appUrl(config)}; set it to your public address`),
    );
  if (!findAuthSecrets(config))
    findings.push(
      warn(
        "AUTH_SECRET",
        "none yet: the first start creates one in DATA_DIR; on several machines set the same value on each",
      ),
    );
  if (DATABASE_URL && !config.AUTH_SECRET)
    findings.push(
      warn("AUTH_SECRET", "not set: with several machines, links from one do not work on another"),
    );
  return findings;
}

export function checkDisk({ DATA_DIR, DATABASE_URL }: Config): Finding[] {
  if (!existsSync(DATA_DIR)) {
    if (DATABASE_URL) return [];
    return [warn("disk", `${DATA_DIR} does not exist yet: the first start creates it`)];
  }
  try {
    accessSync(DATA_DIR, constants.W_OK | constants.X_OK);
  } catch {
    return [bad("disk", `${DATA_DIR} is not writable: change its owner to the user that runs Rollcall`)];
  }
  const { bavail, bsize } = statfsSync(DATA_DIR);
  const free = Math.round((bavail * bsize) / 1e6);
  const said = `${free} MB free on the disk of DATA_DIR`;
  if (free < FULL_MB) return [bad("disk", `${said}: free some space, or writes will fail soon`)];
  return [free < LOW_MB ? warn("disk", said) : ok("disk", said)];
}

export function checkDatabase(facts: DatabaseFacts): Finding[] {
  const { version, versionNumber, readOnly, megabytes, hasTrigrams, encoding } = facts;
  const isOld = versionNumber < OLDEST_POSTGRES * 10_000;
  return [
    isOld
      ? bad("database", `PostgreSQL ${version} is too old: ${OLDEST_POSTGRES} or newer is needed`)
      : readOnly
        ? bad("database", "this is a read-only standby: set DATABASE_URL to the primary")
        : encoding !== "UTF8"
          ? bad(
              "database",
              `its encoding is ${encoding}: create a database with ENCODING 'UTF8' and restore a backup into it`,
            )
          : ok("database", `PostgreSQL ${version}, ${megabytes} MB`),
    hasTrigrams
      ? ok("extensions", "pg_trgm is installed, so searches are fast")
      : warn(
          "extensions",
          "pg_trgm's index is missing, so searches read the whole list; the operators' guide shows how to create it",
        ),
  ];
}

/** Whether the captcha service accepts our keys. The service also rejects wrong keys when the token is invalid. */
async function checkCaptcha(config: Config): Promise<Finding[]> {
  const verdict = await captchaOf(config)?.check("no token");
  if (!verdict) return [];
  return [
    verdict.is === "unknown"
      ? bad(
          "captcha",
          `sign-ups are accepted without the check of ${config.CAPTCHA_PROVIDER}: ${verdict.why}`,
        )
      : ok("captcha", `${config.CAPTCHA_PROVIDER} accepts the keys`),
  ];
}

const SMTP_TIMEOUT_MS = 10_000;

/** @param senders as emails have them, such as `Weekly <hello@x.org>` */
async function checkMailService(transport: MailTransport | null, senders: string[]): Promise<Finding[]> {
  if (!transport)
    return [
      warn(
        "mail service",
        "not set up: emails are stored but not sent; set RESEND_API_KEY or SMTP_URL, or a key under Settings, Sending",
      ),
    ];
  if (transport.kind === "smtp") {
    const problem = await checkSmtp({ ...transport, timeoutMs: SMTP_TIMEOUT_MS });
    return [
      problem === null
        ? ok("smtp", "the mail server accepts the connection and sign-in")
        : bad("smtp", `the mail server can't be reached or rejects the sign-in: ${problem}`),
    ];
  }
  const domains = await readResendDomains(transport);
  if ("problem" in domains)
    return [
      domains.reason === "restricted"
        ? warn("resend", "the key can only send, so its domains can't be checked")
        : bad("resend", `Resend does not accept the key, or does not answer: ${domains.problem}`),
    ];
  const used = senderDomains(domains, senders);
  const wrong = used.filter(({ state }) => state !== "verified");
  return [
    ok("resend", "Resend accepts the key"),
    ...(wrong.length === 0
      ? [ok("sender", `verified: ${used.map(({ domain }) => domain).join(", ")}`)]
      : wrong.map(({ domain, state }) =>
          bad(
            "sender",
            `${domain} is not verified at Resend (${state === "waiting" ? "waiting for its DNS records" : "not found there"}): emails from it are not sent`,
          ),
        )),
  ];
}

async function checkInstallation(config: Config): Promise<Finding[]> {
  if (!config.DATABASE_URL && !existsSync(join(config.DATA_DIR, "postgres")))
    return [
      warn("database", "none yet: the first start creates it in DATA_DIR"),
      ...(await checkMailService(environmentMail(config).transport, [environmentMail(config).from])),
    ];
  const secrets = findAuthSecrets(config) ?? (["-".repeat(32)] as const);
  return withApp(config, secrets, checkApp);
}

async function checkApp(app: AppContext): Promise<Finding[]> {
  const findings = checkDatabase(await readDatabaseFacts(app.db));
  const pending = await listPending(app.databaseUrl);
  findings.push(
    pending.length === 0
      ? ok("migrations", "the database has this version")
      : warn("migrations", `${pending.length} pending: the next start applies them, or run \`migrate\``),
  );
  await app.limiter.ready;
  const { store, degraded } = app.limiter.state();
  if (store !== "memory")
    findings.push(
      degraded
        ? bad(
            "redis",
            "no answer: each process counts requests on its own; check REDIS_URL or Upstash's settings",
          )
        : ok("redis", `${store} answers`),
    );
  if (pending.length > 0) return findings;
  const { transport, from } = await app.mailService();
  findings.push(...(await checkMailService(transport, [from, ...(await listSenders(app.db))])));
  const pause = await findSendPause(app.db);
  if (pause)
    findings.push(
      warn("mails", `paused since ${pause.at.toISOString()}: run \`mails resume\` to resume sending`),
    );
  return findings;
}

export const doctor: Tool = {
  does: "checks settings, disk, database, Redis, email provider, and captcha service; exits with 1 if a check fails",
  example: "--json",
  async runAlone(config) {
    const findings = [...checkSettings(config), ...checkDisk(config)];
    try {
      findings.push(...(await checkInstallation(config)));
    } catch (error) {
      findings.push(bad("database", (error as Error).message));
    }
    findings.push(...(await checkCaptcha(config)));
    return {
      json: { findings },
      lines: findings.map(({ check, state, message }) => `${state.padEnd(4)}  ${check}: ${message}`),
      failed: findings.some(({ state }) => state === "bad"),
    };
  },
};
