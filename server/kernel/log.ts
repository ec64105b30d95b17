import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { maskEmail } from "./email";
import { prettyLine } from "./pretty-log";

/**
 * Kept as long as memory allows. Node's own source map support keeps the maps of all packages in memory, about 35 MB.
 */
const maps = new Map<string, WeakRef<SourceMap>>();

function mapBeside(file: string): SourceMap | undefined {
  const known = maps.get(file)?.deref();
  if (known || file.includes("node_modules") || !existsSync(`${file}.map`)) return known;
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  maps.set(file, new WeakRef(map));
  return map;
}

const PLACE = /(file:\/\/\/[^\s()]+?\.mjs):(\d+):(\d+)/g;

/** Returns an error's stack with source positions instead of bundle positions, where a bundle has a source map. */
function stackInSource(stack: string): string {
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    const found = mapBeside(fileURLToPath(url))?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!found || !("originalSource" in found) || !found.originalSource) return place;
    const source = found.originalSource.replace(/^(\.\.\/)+/, "");
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

// Limited to the lengths of real addresses. Without limits, a long run of letters takes quadratic time.
const ADDRESS = /[^\s@"'<>(),;:=]{1,64}@[^\s@"'<>(),;:=]{1,253}\.[^\s@"'<>(),;:=]{1,253}/g;
const SECRET =
  /\b(sk_[0-9A-Za-z]{5})[0-9A-Za-z]{27}\b|\bre_[0-9A-Za-z_]{8,}|(postgres(?:ql)?|rediss?):\/\/[^\s@/]+@/g;

/** The tokens in links. */
const TOKEN = /(\/(?:confirm|unsubscribe|preferences|join|reset|confirm-email)\/|[?&]token=)[\w-]{16,}/g;

/** Prepares a text for the log: masks addresses and cuts secrets. */
export function scrub(text: string): string {
  return text
    .replace(SECRET, (_, key: string | undefined, scheme: string | undefined) =>
      key ? `${key}…` : scheme ? `${scheme}://…@` : "re_…",
    )
    .replace(TOKEN, "$1…")
    .replace(ADDRESS, maskEmail);
}

/** Describes an error for the log. pino's default logs all properties, and drivers attach their whole connection. */
export function describeError(thrown: unknown, depth = 0): unknown {
  if (typeof thrown !== "object" || thrown === null || depth > 3) return String(thrown);
  if (!(thrown instanceof Error)) {
    return Object.fromEntries(Object.entries(thrown).filter(([, value]) => typeof value !== "object"));
  }
  const { name, message, stack, cause, code } = thrown as Error & { code?: unknown };
  // Prisma copies all arguments of a call into these messages: addresses, and emails with their links. Only the last
  // paragraph says what was wrong.
  const isWhole = name !== "PrismaClientValidationError";
  const brief = isWhole ? message : message.slice(message.lastIndexOf("\n\n")).trim();
  return {
    type: name,
    message: brief,
    code,
    stack: stack && stackInSource(stack.replace(message, () => brief)),
    ...(cause !== undefined && { cause: describeError(cause, depth + 1) }),
  };
}

const FULL_EVERY_MS = 60_000;
/** More different errors than this are not repetitions. */
const MAX_CAUSES = 200;

/**
 * Describes an error in full once a minute, and in one line in between. An unreachable database fails every request
 * alike.
 */
export function describeOnce(now = Date.now): (thrown: unknown) => unknown {
  const fullAt = new Map<string, number>();
  return (thrown) => {
    if (!(thrown instanceof Error)) return describeError(thrown);
    // The first lines of Prisma's message say where it was called.
    const message = thrown.message.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
    const { code } = thrown as { code?: unknown };
    const key = `${thrown.name} ${code} ${message}`;
    if (now() - (fullAt.get(key) ?? Number.NEGATIVE_INFINITY) < FULL_EVERY_MS) return { message, code };
    if (fullAt.size >= MAX_CAUSES) fullAt.clear();
    fullAt.set(key, now());
    return describeError(thrown);
  };
}

/**
 * Makes a pino log to stdout. Each whole line is scrubbed, so a library's message can't leak an address. The format is
 * JSON, or readable text on a terminal or on request.
 */
export function makeLog(config: {
  LOG_LEVEL: string;
  LOG_FORMAT?: "json" | "pretty" | undefined;
}): pino.Logger {
  const isTerminal = process.stdout.isTTY;
  const options = {
    level: config.LOG_LEVEL,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { err: describeOnce() },
    hooks: { streamWrite: scrub },
  };
  if ((config.LOG_FORMAT ?? (isTerminal ? "pretty" : "json")) === "json") return pino(options);
  return pino(options, {
    write: (line) => void process.stdout.write(`${prettyLine(line, isTerminal)}\n`),
  });
}

const LOSSES_MS = 500;

/** Logs one line for all connections that are lost together. */
export function logLostConnections(log: Pick<pino.Logger, "warn">): (err: Error) => void {
  let connections = 0;
  return (err) => {
    connections++;
    if (connections > 1) return;
    setTimeout(() => {
      log.warn({ err, connections }, "database connection lost; the next query opens another");
      connections = 0;
    }, LOSSES_MS).unref();
  };
}
