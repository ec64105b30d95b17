import { createAccount, createNewsletter } from "../accounts/newsletters";
import { listAccounts } from "../accounts/shared-queries";
import { setApiAccess } from "../api-keys/api-keys";
import type { Verb } from "../cli/command";
import { text } from "../cli/options";
import { keyFileOption, outputKey, passwordOption } from "../cli/secrets";
import { OperatorError } from "../kernel/errors";
import { makeSetupLink, setUp } from "./set-up";

export const installationVerbs: Record<string, Verb> = {
  setup: {
    does: "sets up Rollcall: account, newsletter, owner and a first key",
    example: "--account Lovelace --newsletter Notes --email ada@lovelace.org --key-file key.txt",
    options: [
      ["--account <name>", "the account's name", "required"],
      ["--newsletter <name>", "the first newsletter's name", "required"],
      ["--email <address>", "the owner's address", "required"],
      passwordOption,
      keyFileOption,
    ],
    async run(ctx, options) {
      const [account, newsletter, email, password] = ["account", "newsletter", "email", "password"].map(
        (name) => text(options, name),
      ) as [string, string, string, string];
      const made = await setUp(ctx, { account, newsletter, email, password });
      const { shown, line } = outputKey(made.key, options);
      return {
        json: { ...made, key: shown },
        lines: [
          `Account     ${made.account.name} (${made.account.id})`,
          `Newsletter  ${made.newsletter.name} (${made.newsletter.id})`,
          `Owner       ${made.staff.email}`,
          `API key     ${line}`,
        ],
      };
    },
  },
  "setup-link": {
    does: "creates a link to set up Rollcall in the browser; it works once, for an hour",
    example: "",
    async run(ctx) {
      const link = await makeSetupLink(ctx);
      return { json: { link }, lines: [link, "The link works once, for an hour."] };
    },
  },
  "api-access": {
    does: "turns an account's API access on or off",
    example: "--account 019d… --off",
    options: [
      ["--account <id>", "the account's id", "required"],
      ["--on", "turns API access on"],
      ["--off", "turns API access off"],
    ],
    async run(ctx, options) {
      const on = Boolean(options.on);
      if (on === Boolean(options.off))
        throw new OperatorError("Use either --on or --off. Nothing was changed.");
      const id = text(options, "account");
      await setApiAccess(ctx, { accountId: id, on });
      return {
        json: { account: { id, api_access: on } },
        lines: [`API access is ${on ? "on" : "off"}.`],
      };
    },
  },
};

export const accountVerbs: Record<string, Verb> = {
  list: {
    does: "lists accounts and their newsletters",
    example: "--json",
    async run(ctx) {
      const accounts = (await listAccounts(ctx.db)).map(({ apiAccess, createdAt, ...account }) => ({
        ...account,
        api_access: apiAccess,
        created_at: createdAt,
      }));
      const lines = accounts.flatMap(({ id, name, api_access: access, newsletters }) => [
        `${id}  ${name}${access ? "" : "  API access is off"}`,
        ...newsletters.map((one) => `  ${one.id}  ${one.name}`),
      ]);
      return {
        json: { accounts },
        lines: lines.length > 0 ? lines : ["No accounts yet. Run `setup` to create one."],
      };
    },
  },
  create: {
    does: "creates another account",
    example: "--name 'Paper & Ink'",
    options: [["--name <name>", "its name", "required"]],
    async run(ctx, options) {
      const { id, name } = await createAccount(ctx, { name: text(options, "name") });
      return { json: { account: { id, name } }, lines: [`Account ${name} (${id})`] };
    },
  },
};

export const newsletterVerbs: Record<string, Verb> = {
  list: {
    does: "lists newsletters with their accounts",
    example: "--json",
    async run(ctx) {
      const newsletters = (await listAccounts(ctx.db)).flatMap((account) =>
        account.newsletters.map((one) => ({ ...one, account: { id: account.id, name: account.name } })),
      );
      const lines = newsletters.map(({ id, name, account }) => `${id}  ${name}  of ${account.name}`);
      return { json: { newsletters }, lines: lines.length > 0 ? lines : ["No newsletters yet."] };
    },
  },
  create: {
    does: "creates a newsletter in an account",
    example: "--account 019d… --name Weekly",
    options: [
      ["--account <id>", "the account's id; see `accounts list`", "required"],
      ["--name <name>", "its name", "required"],
    ],
    async run(ctx, options) {
      const input = { accountId: text(options, "account"), name: text(options, "name") };
      const { id, name } = await createNewsletter(ctx, input);
      return { json: { newsletter: { id, name } }, lines: [`Newsletter ${name} (${id})`] };
    },
  },
};
