import type { Secrets } from "./auth/derived-keys";
import type { NotifyStaff } from "./mail/notices";
import { OperatorError } from "./operator-error";
import type { ActorContext } from "./services/context";
import type { listAllMails } from "./services/mails";

export type CommandContext = ActorContext &
  Parameters<typeof listAllMails>[0] & { appUrl: string; authSecrets: Secrets; notify: NotifyStaff };
export type Options = Record<string, string | boolean | undefined>;

/** A command of `npm run admin`. */
export type Command = {
  /** Shown by `help`; also says which options there are, see `optionsIn`. */
  usage: string;
  does: string;
  /** Returns the object for `--json`, and the lines for people. */
  run(ctx: CommandContext, options: Options): Promise<{ json: object; lines: string[] }>;
};

/** An option that must be there. @throws OperatorError naming it */
export function need(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== "string" || value === "") throw new OperatorError(`--${name} is missing.`);
  return value;
}
