import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tool } from "../../cli/command";
import type { Config } from "../../config";
import { OperatorError } from "../../kernel/errors";
import { adminCommand } from "../../kernel/version";
import { findDatabase } from "../../open-database";
import { migrate } from "../../platform/db/migrate";
import { findAuthSecrets, restoreSecret } from "../../platform/installation-secret";
import { prepareJobs } from "../../platform/jobs/jobs";
import type { TableSum } from "./archive";
import { writeBackup } from "./backup";
import { restoreBackup, verifyBackup } from "./restore";

const log = (line: string) => console.error(line);

async function onUnmigrated<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const found = await findDatabase(config, "command", log);
  return work(found.url).finally(() => found.stop());
}

const rowsOf = (tables: Record<string, TableSum>) =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0);

const SECRET_IS = "the secret behind links, sessions and authenticator apps";

export const backup: Tool = {
  does: "writes a full backup to one file while Rollcall runs. It contains personal data and secrets: keep it safe",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  options: [
    ["--without-secrets", "leaves out the secret of links and sessions: store AUTH_SECRET elsewhere"],
  ],
  async runAlone(config, options, [file = ""]) {
    const authSecret = options.withoutSecrets ? null : (findAuthSecrets(config)?.join("\n") ?? null);
    const { tables, ms, manifest } = await onUnmigrated(config, (url) =>
      writeBackup(url, { file, authSecret, log }),
    );
    const rows = rowsOf(tables);
    const facts = { file, made_at: manifest.madeAt, has_secret: authSecret !== null, ms: Math.round(ms) };
    return {
      json: { backup: { ...facts, rows, tables } },
      lines: [
        `${rows} rows were written to ${file}, readable by you only.`,
        authSecret === null
          ? `It does not contain ${SECRET_IS}: store AUTH_SECRET or DATA_DIR/auth-secret with it.`
          : `It contains ${SECRET_IS}: anyone with the file can sign in as any user. Other settings (.env) are not included.`,
      ],
    };
  },
};

export const verify: Tool = {
  does: "verifies a backup against its checksums",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  async runAlone(_, __, [file = ""]) {
    const { manifest, authSecret, tables } = await verifyBackup(file);
    const { version, madeAt, migrations } = manifest;
    const rows = rowsOf(tables);
    const has_secret = authSecret !== null;
    return {
      json: { backup: { file, version, made_at: madeAt, has_secret, rows, migrations, tables } },
      lines: [
        `${file} is complete: ${rows} rows, ${tables.subscribers?.rows ?? 0} of them subscribers, from ${madeAt} (Rollcall ${version}).`,
        has_secret ? `It contains ${SECRET_IS}.` : `It does not contain ${SECRET_IS}.`,
      ],
    };
  },
};

export const restore: Tool = {
  does: "restores a backup into an empty database, all of it or nothing; sending is paused until `mails resume`",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  async runAlone(config, _, [file = ""]) {
    if (!existsSync(file)) throw new OperatorError(`File not found: ${file}. Nothing was changed.`);
    const { manifest, authSecret, tables } = await onUnmigrated(config, (url) =>
      restoreBackup(url, { file, log }),
    );
    const secret = restoreSecret(config, authSecret);
    const rows = rowsOf(tables);
    const secretFile = join(config.DATA_DIR, "auth-secret");
    const secretLine = {
      written: `${SECRET_IS} was written to ${secretFile}.`,
      same: `${SECRET_IS} is the same as the one set here.`,
      absent: `The backup has no secrets: set AUTH_SECRET to its previous value, or existing links in emails and authenticator apps stop working.`,
      differs: `The backup's secret differs from the one set here, which stays. Existing links in emails and authenticator apps stop working until you add the backup's secret to AUTH_SECRET or ${secretFile}. Show it with: tar -xzOf ${file} auth-secret`,
    }[secret];
    return {
      json: { restore: { file, made_at: manifest.madeAt, rows, secret, mails: "paused" } },
      lines: [
        `${rows} rows were restored, from ${manifest.madeAt}.`,
        secretLine.charAt(0).toUpperCase() + secretLine.slice(1),
        "People who unsubscribed or were erased after the backup are on the list again. Unsubscribe or erase them once more before you send anything.",
        `Sending is paused: check everything first, then run ${adminCommand} mails resume.`,
      ],
    };
  },
};

export const migrateVerb: Tool = {
  does: "migrates the database to this version, as each start does",
  example: "",
  async runAlone(config) {
    const applied = await onUnmigrated(config, async (url) => {
      const names = await migrate({ url, log });
      await prepareJobs(url);
      return names;
    });
    return {
      json: { migrations: applied },
      lines: [
        applied.length === 0 ? "The database already has this version." : `Applied: ${applied.join(", ")}.`,
      ],
    };
  },
};
