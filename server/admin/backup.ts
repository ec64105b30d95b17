import { existsSync } from "node:fs";
import { join } from "node:path";
import { findAuthSecrets, restoreSecret } from "../auth/secret";
import { writeBackup } from "../backup/backup";
import { restoreBackup, verifyBackup } from "../backup/restore";
import type { Config } from "../config";
import { migrate } from "../db/migrate";
import { prepareJobs } from "../jobs/jobs";
import { findDatabase } from "../open-database";
import { OperatorError } from "../operator-error";
import { adminCommand } from "../version";
import type { Result, Tool } from "./command";

const log = (line: string) => console.error(line);

async function onUnmigrated<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  const found = await findDatabase(config, "command", log);
  return work(found.url).finally(() => found.stop());
}

const SECRET_IS = "the secret behind links, sessions and authenticator apps";

async function describeBackup(file: string): Promise<Result> {
  const { manifest, authSecret, tables } = await verifyBackup(file);
  const { version, madeAt, migrations } = manifest;
  const sums = Object.values(tables);
  const rows = sums.reduce((sum, one) => sum + one.rows, 0);
  const bytes = sums.reduce((sum, one) => sum + one.bytes, 0);
  return {
    json: {
      backup: {
        file,
        version,
        made_at: madeAt,
        has_secret: authSecret !== null,
        rows,
        bytes,
        migrations,
        tables,
      },
    },
    lines: [
      `${file} is whole: ${rows} rows, ${tables.subscribers?.rows ?? 0} of them subscribers, as they were at ${madeAt} (Rollcall ${version}).`,
      authSecret === null ? `It has no secrets: ${SECRET_IS} is not in it.` : `It holds ${SECRET_IS}.`,
    ],
  };
}

export const backup: Tool = {
  does: "writes everything into one file while Rollcall runs; people's data and, unless left out, the secret: keep it safe",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  options: [
    ["--verify", "only reads a backup that is there through, and holds it against its sums"],
    ["--without-secrets", "leaves the secret of links and sessions out: keep AUTH_SECRET elsewhere then"],
  ],
  async runAlone(config, options, [file = ""]) {
    if (options.verify) return describeBackup(file);
    const authSecret = options.withoutSecrets ? null : (findAuthSecrets(config)?.join("\n") ?? null);
    const { tables, ms, manifest } = await onUnmigrated(config, (url) =>
      writeBackup(url, { file, authSecret, log }),
    );
    const rows = Object.values(tables).reduce((sum, one) => sum + one.rows, 0);
    return {
      json: {
        backup: {
          file,
          made_at: manifest.madeAt,
          has_secret: authSecret !== null,
          rows,
          ms: Math.round(ms),
          tables,
        },
      },
      lines: [
        `${rows} rows are in ${file}, for you alone to read.`,
        authSecret === null
          ? `Without ${SECRET_IS}: keep AUTH_SECRET or DATA_DIR/auth-secret beside it.`
          : `It holds ${SECRET_IS}, too: whoever has it can sign in as anybody. Other settings (.env) are not in it.`,
      ],
    };
  },
};

export const verify: Tool = {
  does: "reads a backup through, and holds it against its sums",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  runAlone: (_, __, [file = ""]) => describeBackup(file),
};

export const restore: Tool = {
  does: "fills an empty database from a backup, all of it or nothing; no mail leaves before `mails resume`",
  example: "/backups/rollcall.tar.gz",
  args: "<file>",
  async runAlone(config, _, [file = ""]) {
    if (!existsSync(file)) throw new OperatorError(`There is no file ${file}. Nothing was changed.`);
    const { manifest, authSecret, tables } = await onUnmigrated(config, (url) =>
      restoreBackup(url, { file, log }),
    );
    const secret = restoreSecret(config, authSecret);
    const rows = Object.values(tables).reduce((sum, one) => sum + one.rows, 0);
    const file_ = join(config.DATA_DIR, "auth-secret");
    const secretLine = {
      written: `${SECRET_IS} was written to ${file_}.`,
      same: `${SECRET_IS} is the one that is set here.`,
      absent: `The backup has no secrets: set AUTH_SECRET to what it was, or links that were mailed, and authenticator apps, do not work.`,
      differs: `The backup's secret is another than the one set here, which stays: links that were mailed, and authenticator apps, work once its auth-secret is added to AUTH_SECRET (or ${file_}); tar -xzOf ${file} auth-secret shows it.`,
    }[secret];
    return {
      json: { restore: { file, made_at: manifest.madeAt, rows, secret, mails: "paused" } },
      lines: [
        `${rows} rows are restored, as they were at ${manifest.madeAt}.`,
        secretLine.charAt(0).toUpperCase() + secretLine.slice(1),
        "People who unsubscribed or were erased after the backup are on the list again. Unsubscribe or erase them once more before you send anything.",
        `No mail leaves: look at everything first, then run ${adminCommand} mails resume.`,
      ],
    };
  },
};

export const migrateVerb: Tool = {
  does: "brings the database up to this version, as each start does",
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
        applied.length === 0 ? "The database is of this version already." : `Applied: ${applied.join(", ")}.`,
      ],
    };
  },
};
