import pino from "pino";
import type { Config } from "./config";
import { maskEmail } from "./domain/email";

// Of the lengths that addresses have: without bounds a long run of letters would take time with its square.
const ADDRESS = /[^\s@"'<>(),;:=]{1,64}@[^\s@"'<>(),;:=]{1,253}\.[^\s@"'<>(),;:=]{1,253}/g;
const SECRET =
  /\b(sk_[0-9A-Za-z]{5})[0-9A-Za-z]{27}\b|\bre_[0-9A-Za-z_]{8,}|(postgres(?:ql)?|rediss?):\/\/[^\s@/]+@/g;

/** A text fit for a log: addresses masked, secrets cut. */
export function scrub(text: string): string {
  return text
    .replace(SECRET, (_, key: string | undefined, scheme: string | undefined) =>
      key ? `${key}…` : scheme ? `${scheme}://…@` : "re_…",
    )
    .replace(ADDRESS, maskEmail);
}

/** What a log needs of an error. Not pino's own choice, which is everything: drivers hang their whole connection on theirs. */
function describe(thrown: unknown, depth = 0): unknown {
  if (typeof thrown !== "object" || thrown === null || depth > 3) return String(thrown);
  if (!(thrown instanceof Error)) {
    return Object.fromEntries(Object.entries(thrown).filter(([, value]) => typeof value !== "object"));
  }
  const { name, message, stack, cause, code } = thrown as Error & { code?: unknown };
  return {
    type: name,
    message,
    code,
    stack,
    ...(cause !== undefined && { cause: describe(cause, depth + 1) }),
  };
}

/** pino to stdout as JSON lines, each scrubbed whole: whatever a library puts into its message, no address leaves. */
export function makeLog(config: Pick<Config, "LOG_LEVEL">): pino.Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: undefined,
    serializers: { err: describe },
    hooks: { streamWrite: scrub },
  });
}
