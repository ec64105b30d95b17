import { type Command, Option } from "commander";
import { type AppContext, createApp } from "../app";
import { type Config, loadConfig } from "../config";
import { newId } from "../kernel/ids";
import { makeLog } from "../kernel/log";
import type { Secrets } from "../kernel/secrets";
import { adminCommand } from "../kernel/version";
import { findDatabase } from "../open-database";
import { migrate } from "../platform/db/migrate";
import { authSecrets } from "../platform/installation-secret";
import type { Ctx } from "../subscribers/context";
import type { Options, VerbOption } from "./options";
import { passwordOption, readPassword, reserveKeyFile } from "./secrets";

/** The installation's app. The actor is the operator. */
export type CommandContext = AppContext & Pick<Ctx, "actor" | "requestId">;

/** The object for `--json` and the lines for people. `failed`: the command ran, and its finding is bad. */
export type Result = { json: object; lines: string[]; failed?: boolean };

type Facts = {
  does: string;
  /** The example's arguments, after noun and verb. */
  example: string;
  /** Arguments such as `<file>`. */
  args?: string;
  options?: VerbOption[];
};

/** A verb that needs the database. */
export type Verb = Facts & {
  run(ctx: CommandContext, options: Options, args: string[]): Promise<Result>;
};
/** A verb that opens its own resources. */
export type Tool = Facts & {
  runAlone(config: Config, options: Options, args: string[]): Promise<Result>;
};

export const newsletterOption: VerbOption = [
  "--newsletter <id>",
  "the newsletter's id; see `accounts list`",
  "required",
];

/** Opens the app as the server does, without its log. @param log prints the steps of the built-in PostgreSQL */
export async function withApp<T>(
  config: Config,
  secrets: Secrets,
  work: (app: AppContext) => Promise<T>,
  log: (line: string) => void = () => {},
): Promise<T> {
  const found = await findDatabase(config, "command", log);
  try {
    const app = await createApp(config, found.url, secrets, makeLog({ ...config, LOG_LEVEL: "silent" }));
    return await work(app).finally(() => app.close());
  } finally {
    await found.stop();
  }
}

/** Migrates the database and runs one verb. A verb limits nothing, so it runs while Redis is down. */
function onDatabase(settings: Config, work: (ctx: CommandContext) => Promise<Result>): Promise<Result> {
  const config = { ...settings, REDIS_URL: undefined, UPSTASH_REDIS_REST_URL: undefined };
  const log = (line: string) => console.error(line);
  const migrated = async (app: AppContext) => {
    await migrate({ url: app.databaseUrl, log });
    return work({ ...app, actor: { kind: "operator" }, requestId: newId() });
  };
  return withApp(config, authSecrets(config), migrated, log);
}

async function carryOut(verb: Verb | Tool, options: Options, args: string[]): Promise<void> {
  const config = loadConfig();
  if (verb.options?.includes(passwordOption)) options.password = await readPassword(options);
  const removeKeyFile = reserveKeyFile(options);
  try {
    const result =
      "run" in verb
        ? await onDatabase(config, (ctx) => verb.run(ctx, options, args))
        : await verb.runAlone(config, options, args);
    console.log(options.json ? JSON.stringify(result.json) : result.lines.join("\n"));
    if (result.failed) process.exitCode = 1;
  } catch (error) {
    removeKeyFile();
    throw error;
  }
}

/** Adds a verb to a noun, or to the program itself. */
export function addVerb(parent: Command, name: string, verb: Verb | Tool): void {
  const command = parent.command(verb.args ? `${name} ${verb.args}` : name).description(verb.does);
  for (const [flags, does, required] of verb.options ?? []) {
    const option = new Option(flags, does);
    command.addOption(required ? option.makeOptionMandatory() : option);
  }
  command.option("--json", "one JSON object on the last line of stdout");
  const path = parent.parent ? `${parent.name()} ${name}` : name;
  command.addHelpText("after", `\nExample:\n  ${adminCommand} ${path} ${verb.example}`.trimEnd());
  command.action((...given: unknown[]) => {
    const options = given.at(-2) as Options;
    return carryOut(
      verb,
      options,
      given
        .slice(0, -2)
        .flat()
        .filter((arg) => arg !== undefined) as string[],
    );
  });
}

export function addNoun(
  program: Command,
  name: string,
  does: string,
  verbs: Record<string, Verb | Tool>,
): void {
  const noun = program.command(name).description(does);
  for (const [verb, what] of Object.entries(verbs)) addVerb(noun, verb, what);
}
