import { parseArgs } from "node:util";
import { authSecret } from "./auth/secret";
import { openLinks } from "./auth/signed-links";
import { appUrl, loadConfig } from "./config";
import type { Permission } from "./contract/permissions";
import { openDatabase } from "./db/client";
import { migrate } from "./db/migrate";
import { newId } from "./domain/ids";
import { toAppError } from "./errors";
import { findDatabase } from "./open-database";
import { OperatorError } from "./operator-error";
import { createKey, listAllKeys, revokeKey } from "./services/api-keys";
import type { Ctx } from "./services/context";
import { setUp } from "./services/installation";
import { listAllMails } from "./services/mails";
import { createAccount, createNewsletter, setApiAccess } from "./services/newsletters";

type Context = Pick<Ctx, "db" | "actor" | "requestId"> & Parameters<typeof listAllMails>[0];
type Options = Record<string, string | boolean | undefined>;
/** What a command answers: the object for `--json`, and the lines for people. */
type Outcome = { json: object; lines: string[] };

type Command = {
  usage: string;
  does: string;
  options: Record<string, { type: "string" | "boolean" }>;
  run(ctx: Context, options: Options): Promise<Outcome>;
};

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

/** An option that must be there. @throws OperatorError naming it */
function need(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== "string" || value === "") throw new OperatorError(`--${name} is missing.`);
  return value;
}

/** "90d" → 90; also w, h. @throws OperatorError */
function days(option: string | boolean | undefined): number | null {
  if (option === undefined) return null;
  const match = /^(\d{1,5})([hdw])$/.exec(String(option));
  if (!match) throw new OperatorError("--expires-in must be such as 90d, 12h or 4w.");
  return (Number(match[1]) * { h: 1 / 24, d: 1, w: 7 }[match[2] as "h" | "d" | "w"]) as number;
}

/** "50" → 50. @throws OperatorError naming the option */
function count(options: Options, name: string, fallback: number): number {
  const value = String(options[name] ?? fallback);
  if (!/^[1-9]\d{0,3}$/.test(value))
    throw new OperatorError(`--${name} must be a whole number such as ${fallback}.`);
  return Number(value);
}

const commands: Record<string, Command> = {
  setup: {
    usage: "--account NAME --newsletter NAME --email E --password P",
    does: "claims the installation: account, newsletter, owner and a first key",
    options: { account: text, newsletter: text, email: text, password: text },
    async run(ctx, options) {
      const json = await setUp(ctx, {
        account: need(options, "account"),
        newsletter: need(options, "newsletter"),
        email: need(options, "email"),
        password: need(options, "password"),
      });
      return {
        json,
        lines: [
          `Account     ${json.account.name} (${json.account.id})`,
          `Newsletter  ${json.newsletter.name} (${json.newsletter.id})`,
          `Owner       ${json.staff.email}`,
          `API key     ${json.key.secret}   shown this once; keep it safe`,
        ],
      };
    },
  },
  "create-account": {
    usage: "--name NAME",
    does: "adds another account",
    options: { name: text },
    async run(ctx, options) {
      const { id, name } = await createAccount(ctx, { name: need(options, "name") });
      return { json: { account: { id, name } }, lines: [`Account ${name} (${id})`] };
    },
  },
  "create-newsletter": {
    usage: "--account ID --name NAME",
    does: "adds a newsletter to an account",
    options: { account: text, name: text },
    async run(ctx, options) {
      const { id, name } = await createNewsletter(ctx, {
        accountId: need(options, "account"),
        name: need(options, "name"),
      });
      return { json: { newsletter: { id, name } }, lines: [`Newsletter ${name} (${id})`] };
    },
  },
  "create-key": {
    usage:
      "--newsletter ID --name NAME [--permissions subscribers:read,subscribers:write] [--expires-in 90d]",
    does: "makes an API key",
    options: { newsletter: text, name: text, permissions: text, "expires-in": text },
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
      return { json: { key }, lines: [`${key.secret}   shown this once; keep it safe`, `id ${key.id}`] };
    },
  },
  "revoke-key": {
    usage: "--key ID",
    does: "ends an API key at once",
    options: { key: text },
    async run(ctx, options) {
      const id = need(options, "key");
      await revokeKey(ctx, { keyId: id });
      return { json: { key: { id, revoked: true } }, lines: [`Key ${id} is revoked.`] };
    },
  },
  "list-keys": {
    usage: "",
    does: "lists API keys, without their secrets",
    options: {},
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
        const state = key.revoked_at
          ? "revoked"
          : key.last_used_at
            ? `used ${key.last_used_at.toISOString()}`
            : "never used";
        return `${key.id}  ${key.prefix}…  ${key.newsletter} · ${key.name}  ${key.permissions.join(",")}  ${state}`;
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
    options: { account: text, on: flag, off: flag },
    async run(ctx, options) {
      if (Boolean(options.on) === Boolean(options.off)) throw new OperatorError("Say either --on or --off.");
      const id = need(options, "account");
      await setApiAccess(ctx, { accountId: id, on: Boolean(options.on) });
      return {
        json: { account: { id, api_access: Boolean(options.on) } },
        lines: [`API access is ${options.on ? "on" : "off"}.`],
      };
    },
  },
  "list-mails": {
    usage: "[--limit 20]",
    does: "lists the newest mails, their state and, while they are open, their links",
    options: { limit: text },
    async run(ctx, options) {
      const mails = await listAllMails(ctx, { limit: count(options, "limit", 20) });
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

async function main(argv: string[]): Promise<void> {
  const [name, ...rest] = argv;
  const command = name === undefined ? undefined : commands[name];
  if (!command) {
    if (name === undefined || name === "help" || name === "--help") {
      console.log(help());
      return;
    }
    throw new OperatorError(`There is no command ${name}.\n\n${help()}`);
  }
  let values: Options;
  try {
    ({ values } = parseArgs({ args: rest, options: { ...command.options, json: flag }, strict: true }));
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n\nnpm run admin -- ${name} ${command.usage}`);
  }
  const config = loadConfig();
  const secret = authSecret(config);
  const found = await findDatabase(config, "command", (line) => console.error(line));
  try {
    await migrate({ url: found.url, log: (line) => console.error(line) });
    const database = openDatabase({ url: found.url, poolSize: 2, onError: () => {} });
    try {
      const links = openLinks({ secret, appUrl: appUrl(config) });
      const ctx = {
        db: database.db,
        actor: { kind: "operator" } as const,
        requestId: newId(),
        links,
      };
      const { json, lines } = await command.run(ctx, values);
      console.log(values.json ? JSON.stringify(json) : lines.join("\n"));
    } finally {
      await database.close();
    }
  } finally {
    await found.stop();
  }
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (thrown: Error) => {
    const known = thrown.name === "OperatorError" || thrown.message.startsWith("These settings");
    const error = toAppError(thrown);
    console.error(known || error.code !== "internal_error" ? thrown.message : thrown);
    process.exit(1);
  },
);
