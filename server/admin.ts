import { parseArgs } from "node:util";
import { type Command, need, type Options } from "./admin-command";
import { handOverKey, readPassword, reserveKeyFile } from "./admin-secrets";
import { staffCommands } from "./admin-staff";
import { authSecrets } from "./auth/secret";
import { openLinks } from "./auth/signed-links";
import { appUrl, type Config, loadConfig } from "./config";
import type { Permission } from "./contract/permissions";
import { openDatabase } from "./db/client";
import { migrate } from "./db/migrate";
import { newId } from "./domain/ids";
import { toAppError } from "./errors";
import { openJobs } from "./jobs/jobs";
import { openNotices } from "./mail/notices";
import { openOutbox } from "./mail/outbox";
import { findDatabase } from "./open-database";
import { OperatorError } from "./operator-error";
import { createKey, listAllKeys, revokeKey } from "./services/api-keys";
import { makeSetupLink, setUp } from "./services/installation";
import { listAllMails } from "./services/mails";
import { createAccount, createNewsletter, setApiAccess } from "./services/newsletters";

/** "--account ID --on|--off [--password -]" → account and password take a text, on and off take none. */
function optionsIn(usage: string): Record<string, { type: "string" | "boolean" }> {
  const options = usage.matchAll(/--([a-z-]+)( (?!--)\S)?/g);
  return Object.fromEntries(
    [...options].map(([, name, value]) => [
      name,
      { type: value ? ("string" as const) : ("boolean" as const) },
    ]),
  );
}

const DAYS = { h: 1 / 24, d: 1, w: 7 };

/** "90d" → 90; also w, h. @throws OperatorError */
function days(option: Options[string]): number | null {
  if (option === undefined) return null;
  const match = /^(\d{1,5})([hdw])$/.exec(String(option));
  if (!match) throw new OperatorError("--expires-in must be such as 90d, 12h or 4w.");
  return Number(match[1]) * DAYS[match[2] as keyof typeof DAYS];
}

const commands: Record<string, Command> = {
  setup: {
    usage: "--account NAME --newsletter NAME --email E [--password -|--password-file FILE] [--key-file FILE]",
    does: "claims the installation: account, newsletter, owner and a first key; asks for a password or reads it from stdin",
    async run(ctx, options) {
      const [account, newsletter, email, password] = ["account", "newsletter", "email", "password"].map(
        (name) => need(options, name),
      ) as [string, string, string, string];
      const made = await setUp(ctx, { account, newsletter, email, password });
      const { shown, line } = handOverKey(made.key, options);
      const json = { ...made, key: shown };
      return {
        json,
        lines: [
          `Account     ${json.account.name} (${json.account.id})`,
          `Newsletter  ${json.newsletter.name} (${json.newsletter.id})`,
          `Owner       ${json.staff.email}`,
          `API key     ${line}`,
        ],
      };
    },
  },
  "setup-link": {
    usage: "",
    does: "makes a link that claims the installation in the browser: once, within an hour",
    async run(ctx) {
      const link = await makeSetupLink(ctx);
      return { json: { link }, lines: [link, "It works once, for an hour."] };
    },
  },
  "create-account": {
    usage: "--name NAME",
    does: "adds another account",
    async run(ctx, options) {
      const { id, name } = await createAccount(ctx, { name: need(options, "name") });
      return { json: { account: { id, name } }, lines: [`Account ${name} (${id})`] };
    },
  },
  "create-newsletter": {
    usage: "--account ID --name NAME",
    does: "adds a newsletter to an account",
    async run(ctx, options) {
      const input = { accountId: need(options, "account"), name: need(options, "name") };
      const { id, name } = await createNewsletter(ctx, input);
      return { json: { newsletter: { id, name } }, lines: [`Newsletter ${name} (${id})`] };
    },
  },
  "create-key": {
    usage:
      "--newsletter ID --name NAME [--permissions subscribers:read,subscribers:write] [--expires-in 90d] [--key-file FILE]",
    does: "makes an API key, and shows it once or writes it to a file",
    async run(ctx, options) {
      const permissions =
        options.permissions === undefined ? undefined : String(options.permissions).split(",");
      const key = await createKey(ctx, {
        newsletterId: need(options, "newsletter"),
        key: {
          name: need(options, "name"),
          // The verb validates what was typed; its type has valid permissions only.
          permissions: permissions as Permission[] | undefined,
          expiresInDays: days(options["expires-in"]),
        },
      });
      const { shown, line } = handOverKey(key, options);
      return { json: { key: shown }, lines: [line, `id ${key.id}`] };
    },
  },
  "revoke-key": {
    usage: "--key ID",
    does: "ends an API key at once",
    async run(ctx, options) {
      const id = need(options, "key");
      await revokeKey(ctx, { keyId: id });
      return { json: { key: { id, revoked: true } }, lines: [`Key ${id} is revoked.`] };
    },
  },
  "list-keys": {
    usage: "",
    does: "lists API keys, without their secrets",
    async run(ctx) {
      const keys = (await listAllKeys(ctx)).map((key) => ({
        id: key.id,
        prefix: key.prefix,
        name: key.name,
        newsletter: key.newsletter.name,
        permissions: key.permissions,
        created_at: key.createdAt,
        last_used_at: key.lastUsedAt,
        expires_at: key.expiresAt,
        revoked_at: key.revokedAt,
      }));
      const lines = keys.map((key) => {
        const used = key.last_used_at ? `used ${key.last_used_at.toISOString()}` : "never used";
        const { id, prefix, newsletter, name, permissions } = key;
        return `${id}  ${prefix}…  ${newsletter} · ${name}  ${permissions.join(",")}  ${key.revoked_at ? "revoked" : used}`;
      });
      return {
        json: { keys },
        lines: lines.length > 0 ? lines : ["There are no API keys yet: create-key makes one."],
      };
    },
  },
  "api-access": {
    usage: "--account ID --on|--off",
    does: "switches an account's API access",
    async run(ctx, options) {
      const on = Boolean(options.on);
      if (on === Boolean(options.off)) throw new OperatorError("Use either --on or --off.");
      const id = need(options, "account");
      await setApiAccess(ctx, { accountId: id, on });
      const json = { account: { id, api_access: on } };
      return { json, lines: [`API access is ${on ? "on" : "off"}.`] };
    },
  },
  ...staffCommands,
  "list-mails": {
    usage: "[--limit 20]",
    does: "lists the newest mails, their state and, of those that were only logged, their links",
    async run(ctx, options) {
      const limit = String(options.limit ?? 20);
      if (!/^[1-9]\d{0,3}$/.test(limit))
        throw new OperatorError("--limit must be a whole number such as 20.");
      const mails = await listAllMails(ctx, { limit: Number(limit) });
      const lines = mails.flatMap((mail) => [
        `${mail.created_at.toISOString()}  ${mail.state.padEnd(9)}  ${mail.to}  ${mail.reason ?? ""}`.trimEnd(),
        ...(mail.link ? [`    ${mail.link}`] : []),
      ]);
      return { json: { mails }, lines: lines.length > 0 ? lines : ["There are no mails yet."] };
    },
  },
};

function help(): string {
  const lines = Object.entries(commands).map(
    ([name, { usage, does }]) => `  ${name} ${usage}\n      ${does}`,
  );
  return `npm run admin -- COMMAND [--json]\n\n${lines.join("\n")}\n`;
}

/** @throws OperatorError for options that the command does not have */
function readOptions(name: string, { usage }: Command, args: string[]): Options {
  try {
    return parseArgs({ args, options: { ...optionsIn(usage), json: { type: "boolean" } }, strict: true })
      .values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\nnpm run admin -- ${name} ${usage}`);
  }
}

/** Runs a command on the installation's database, started for it when it is not running. */
async function runCommand(command: Command, options: Options): Promise<void> {
  const config = loadConfig();
  if ("password" in optionsIn(command.usage)) options.password = await readPassword(options);
  const removeKeyFile = reserveKeyFile(options);
  try {
    await runOnDatabase(command, options, config);
  } catch (error) {
    removeKeyFile();
    throw error;
  }
}

async function runOnDatabase(command: Command, options: Options, config: Config): Promise<void> {
  const secrets = authSecrets(config);
  const log = (line: string) => console.error(line);
  const found = await findDatabase(config, "command", log);
  try {
    await migrate({ url: found.url, log });
    const { db, close } = openDatabase({ url: found.url, poolSize: 2, onError: () => {} });
    // Connects with the first mail that a command writes.
    const jobs = openJobs({ databaseUrl: found.url, log: { warn() {}, error() {} } });
    try {
      const url = appUrl(config);
      const links = openLinks({ secrets, appUrl: url });
      const notify = openNotices(openOutbox(jobs), url);
      const actor = { kind: "operator" } as const;
      const ctx = { db, actor, requestId: newId(), links, appUrl: url, authSecrets: secrets, notify };
      const { json, lines } = await command.run(ctx, options);
      console.log(options.json ? JSON.stringify(json) : lines.join("\n"));
    } finally {
      await jobs.stop();
      await close();
    }
  } finally {
    await found.stop();
  }
}

async function main([name = "help", ...args]: string[]): Promise<void> {
  const command = commands[name];
  if (command) return runCommand(command, readOptions(name, command, args));
  if (name !== "help" && name !== "--help")
    throw new OperatorError(`There is no command ${name}.\n\n${help()}`);
  console.log(help());
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (thrown: Error) => {
    const known = thrown.name === "OperatorError";
    const error = toAppError(thrown);
    console.error(known || error.code !== "internal_error" ? thrown.message : thrown);
    process.exit(1);
  },
);
