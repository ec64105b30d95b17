import { existsSync } from "node:fs";
import { z } from "zod";
import { damerauDistance } from "./kernel/damerau-distance";
import { defaultLimits } from "./kernel/default-limits";
import { OperatorError } from "./kernel/errors";
import { LOOPBACK, parseNetworks } from "./kernel/ip-address";
import { isDecodable } from "./kernel/own-path";
import type { Secrets } from "./kernel/secrets";
import { parsePlaintext, plaintextProblems } from "./kernel/transport";
import type { MailService } from "./mail/delivery/provider";
import { webhookSecretPattern } from "./mail/schema/mail-service";
import { parseProxyTrust } from "./platform/limits/caller-address";
import { parseLockout, parsePolicy } from "./platform/limits/policies";
import { captchaKinds } from "./sign-up/captcha";
import type { Oidc } from "./staff/sign-in/oidc";

const webUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// URL" })
  .transform((url) => url.replace(/\/+$/, ""));

/** Parses APP_ORIGINS. @throws Error whose message follows the setting's name and describes the format */
function parseOrigins(text: string): string[] {
  return text.split(",").flatMap((part) => {
    const given = part.trim().replace(/\/$/, "");
    if (given === "") return [];
    const origin = URL.canParse(given) && /^https?:/i.test(given) ? new URL(given).origin : null;
    if (origin !== given.toLowerCase())
      throw new Error(
        `must be addresses without a path, such as https://list.example.org,http://10.0.0.5:3000; "${part.trim()}" is not one`,
      );
    return origin;
  });
}

/** Wraps a parser that throws an Error in a zod transform that reports its message. */
const parsed = <T>(parse: (text: string) => T) =>
  z.string().transform((value, ctx) => {
    try {
      return parse(value);
    } catch (error) {
      ctx.issues.push({ code: "custom", message: (error as Error).message, input: value });
      return z.NEVER;
    }
  });

/** One secret, or several separated by commas. During a rotation, old and new secrets are both valid. */
const secretList = (isOne: (text: string) => boolean, message: string) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(",").map((one) => one.trim()))])
    .refine((all) => all.every(isOne), message)
    .transform((all) => all as unknown as Secrets);

const databaseUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must look like postgresql://user:password@host:5432/database",
});

/** A whole number. @param noun as in "a number of backups" */
const wholeNumber = (noun: string, min: number, max: number) =>
  z.coerce
    .number({ error: `must be ${noun}` })
    .int()
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);

const SMTP_FORM =
  "must look like smtp://user:password@mail.example.org:587 or smtps://user:password@mail.example.org:465, with user and password percent-encoded";

const LONG_ENOUGH = "must have at least 32 characters; create one with `openssl rand -base64 32`";

const Settings = z.object({
  NODE_ENV: z.enum(["production", "development", "test"]).catch("production"),
  PORT: wholeNumber("a port number", 0, 65535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default(".data"),
  DRAIN_SECONDS: wholeNumber("a number of seconds", 0, 300).default(0),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_SCHEDULE: z
    .string()
    .regex(/^([\d*/,-]+\s+){4}[\d*/,-]+$/, "must be a cron line in UTC with five parts, such as 30 2 * * *")
    .default("30 2 * * *"),
  BACKUP_KEEP: wholeNumber("a number of backups", 1, 1000).default(7),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_POOL: wholeNumber("a number of connections", 2, 200).default(10),
  APP_URL: webUrl.optional(),
  APP_ORIGINS: parsed(parseOrigins).prefault(""),
  AUTH_SECRET: secretList(({ length }) => length >= 32, `${LONG_ENOUGH}; of several, each`).optional(),
  OIDC_ISSUER: webUrl.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().max(60, "may have at most 60 characters").default("your organisation"),
  HEALTH_TOKEN: z.string().min(32, LONG_ENOUGH).optional(),
  RESEND_API_KEY: z.string().startsWith("re_", "must be a Resend key, which starts with re_").optional(),
  RESEND_BASE_URL: webUrl.optional(),
  RESEND_WEBHOOK_SECRET: secretList(
    (text) => webhookSecretPattern.test(text),
    "must be a webhook signing secret from Resend, which starts with whsec_, or two separated by a comma",
  ).optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /./, error: SMTP_FORM })
    .refine(isDecodable, SMTP_FORM)
    .optional(),
  MAIL_FROM: z.string().min(3).optional(),
  UPSTASH_REDIS_REST_URL: webUrl.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: "must look like redis://host:6379" }).optional(),
  ALLOW_PLAINTEXT: parsed(parsePlaintext).optional(),
  RATE_LIMIT: parsed(parsePolicy).optional(),
  RATE_LIMIT_READ: parsed(parsePolicy).optional(),
  RATE_LIMIT_WRITE: parsed(parsePolicy).optional(),
  RATE_LIMIT_BULK: parsed(parsePolicy).prefault(defaultLimits.bulk),
  RATE_LIMIT_STREAM: parsed(parsePolicy).prefault(defaultLimits.stream),
  RATE_LIMIT_ME: parsed(parsePolicy).prefault(defaultLimits.me),
  RATE_LIMIT_SESSION: parsed(parsePolicy).prefault(defaultLimits.session),
  RATE_LIMIT_ADDRESS: parsed(parsePolicy).prefault(defaultLimits.address),
  RATE_LIMIT_SIGN_UP: parsed(parsePolicy).prefault(defaultLimits.signUp),
  LOCKOUT_AUTH: parsed(parseLockout).optional(),
  LOCKOUT_SIGN_IN: parsed(parseLockout).optional(),
  LOCKOUT_ERRORS: parsed(parseLockout).prefault(defaultLimits.errorLockout),
  TRUST_PROXY: parsed(parseProxyTrust).prefault("off"),
  CAPTCHA_PROVIDER: z.enum(captchaKinds, { error: "must be turnstile or hcaptcha" }).optional(),
  CAPTCHA_SITE_KEY: z
    .string()
    .regex(/^[\w.-]+$/, "must be the site key shown by the service")
    .optional(),
  CAPTCHA_SECRET_KEY: z.string().optional(),
  CAPTCHA_VERIFY_URL: webUrl.optional(),
  WEBHOOK_ALLOWED_NETWORKS: parsed(parseNetworks).prefault(""),
  LOG_LEVEL: z
    .enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], {
      error: "must be one of fatal, error, warn, info, debug, trace, silent",
    })
    .default("info"),
  LOG_FORMAT: z.enum(["json", "pretty"], { error: "must be json or pretty" }).optional(),
});

export type Config = z.infer<typeof Settings>;

/** The settings that an operator may set. The launcher sets NODE_ENV. */
export const settingNames: string[] = Object.keys(Settings.shape).filter((name) => name !== "NODE_ENV");

/**
 * Reads and checks all settings. Nothing else reads the environment. An empty value counts as absent.
 * @throws OperatorError whose message lists every invalid setting, its problem and the fix
 */
export function loadConfig(env: Record<string, string | undefined> = environment()): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const result = Settings.safeParse(given);
  const problems = result.success
    ? pairs(result.data)
    : result.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`);
  if (problems.length > 0) {
    throw new OperatorError(
      `These settings are not valid:\n${problems.join("\n")}\nNothing was started. Fix them in the environment or in .env; see server/docs/operators.md for all settings.`,
    );
  }
  return (result as { data: Config }).data;
}

/** Names in the environment within two letters of a setting's name (one letter for a short name), with that setting. */
export function misspelledSettings(names = Object.keys(environment())): { name: string; setting: string }[] {
  return names.flatMap((name) => {
    if (settingNames.includes(name)) return [];
    const setting = settingNames.find(
      (one) => damerauDistance(name.toLowerCase(), one.toLowerCase()) <= (one.length < 8 ? 1 : 2),
    );
    return setting ? [{ name, setting }] : [];
  });
}

/** Adds the values of .env, beside package.json, to the process's environment. */
function environment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}

/** Settings that only make sense together. */
const GROUPS = [
  ["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["CAPTCHA_PROVIDER", "CAPTCHA_SITE_KEY", "CAPTCHA_SECRET_KEY"],
] as const;

/** Checks each setting against the others. */
function pairs(config: Config): string[] {
  const problems = plaintextProblems(config, config.ALLOW_PLAINTEXT ?? []);
  for (const group of GROUPS) {
    const set = group.filter((name) => config[name]);
    if (set.length > 0 && set.length < group.length)
      problems.push(`  ${group.join(", ")}: set all of them or none`);
  }
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL) {
    problems.push("  DATABASE_DIRECT_URL: also set DATABASE_URL to the same database through a pooler");
  }
  if (config.RESEND_API_KEY && config.SMTP_URL)
    problems.push("  RESEND_API_KEY and SMTP_URL: set one of them, not both");
  const transport = (["RESEND_API_KEY", "SMTP_URL"] as const).find((name) => config[name]);
  if (transport && !config.MAIL_FROM) {
    problems.push(
      `  MAIL_FROM: needed with ${transport}, such as "Weekly <hello@your-domain.org>" of a domain that the email provider may send for`,
    );
  }
  return problems;
}

/**
 * Returns the limits of each key and the lockouts. RATE_LIMIT and LOCKOUT_AUTH each set two limits that were one before
 * 1.0.0, unless the newer setting is given.
 */
export function limitsOf(config: Config) {
  const { RATE_LIMIT: both, LOCKOUT_AUTH: auth, LOCKOUT_SIGN_IN: signIn = auth } = config;
  return {
    policies: {
      read: config.RATE_LIMIT_READ ?? both ?? parsePolicy(defaultLimits.read),
      write: config.RATE_LIMIT_WRITE ?? both ?? parsePolicy(defaultLimits.write),
      bulk: config.RATE_LIMIT_BULK,
      stream: config.RATE_LIMIT_STREAM,
      me: config.RATE_LIMIT_ME,
    },
    // null switches a lockout off, so only undefined means the default.
    lockouts: {
      auth: auth === undefined ? parseLockout(defaultLimits.authLockout) : auth,
      signIn: signIn === undefined ? parseLockout(defaultLimits.signInLockout) : signIn,
      errors: config.LOCKOUT_ERRORS,
    },
  };
}

/** @property baseUrl Resend's base URL, also for keys from the dashboard; undefined: the default */
type EnvironmentMail = MailService & {
  baseUrl: string | undefined;
  /** Verify Resend's webhooks. */
  webhookSecrets: Secrets | null;
};

/** Returns the mail service that the environment configures. Its transport is null when none is configured. */
export function environmentMail(config: Config): EnvironmentMail {
  const { RESEND_API_KEY: apiKey, RESEND_BASE_URL: baseUrl, SMTP_URL: url, ALLOW_PLAINTEXT } = config;
  const mayBePlain = ALLOW_PLAINTEXT?.includes("smtp") ?? false;
  const smtp = url ? ({ kind: "smtp", url, mayBePlain } as const) : null;
  return {
    transport: apiKey ? { kind: "resend", apiKey, baseUrl } : smtp,
    from: config.MAIL_FROM ?? "Rollcall <rollcall@localhost>",
    baseUrl,
    webhookSecrets: config.RESEND_WEBHOOK_SECRET ?? null,
  };
}

/** Returns the public address of this instance, without a trailing slash. */
export function appUrl(config: Config): string {
  const host = ["127.0.0.1", "0.0.0.0", "::"].includes(config.HOST) ? "localhost" : config.HOST;
  return config.APP_URL ?? `http://${host.includes(":") ? `[${host}]` : host}:${config.PORT}`;
}

/**
 * Returns the origins under which browsers may reach this instance: APP_URL and APP_ORIGINS. If APP_URL is a loopback
 * address, all loopback names are included.
 */
export function ownOrigins(config: Config): string[] {
  const { origin, protocol, hostname, port } = new URL(appUrl(config));
  const names = LOOPBACK.test(hostname) ? ["localhost", "127.0.0.1", "[::1]"] : [];
  const aliases = names.map((name) => new URL(`${protocol}//${name}:${port}`).origin);
  return [...new Set([origin, ...aliases, ...config.APP_ORIGINS])];
}

/** The organisation's OpenID provider; null when none is configured. */
export function oidcOf(config: Config): Oidc | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config;
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : null;
}
