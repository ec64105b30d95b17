import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child";
import { type CpuProfile, type Spent, spentByArea } from "./cpu-profile";
import { type Measurement, measure } from "./measure";
import type { Kind } from "./options";
import { alignedTable, show } from "./report";
import { titles } from "./results";
import type { Server } from "./servers";

const connections = 16;
const warmUpMs = 2000;
const longestWriteMs = 20_000;

/** The setting that loads the hook into a product started with it. @param dir where it shall leave its profiles */
export function profilingSettings(profileHook: string, dir: string): Record<string, string> {
  mkdirSync(dir, { recursive: true });
  return { NODE_OPTIONS: `--import=${profileHook}?dir=${encodeURIComponent(dir)}` };
}

interface Order {
  load: Child;
  server: Server;
  kinds: Kind[];
  windowMs: number;
  dir: string;
  root: string;
  signal: AbortSignal;
}

/** Profiles a product that was started with profilingSettings. @returns Markdown, one part per kind */
export async function profileProduct({
  load,
  server,
  kinds,
  windowMs,
  dir,
  root,
  signal,
}: Order): Promise<string> {
  const parts: string[] = [];
  for (const kind of kinds) {
    const task = { kind, connections };
    await measure(load, server, { ...task, windowMs: warmUpMs }, signal);
    process.kill(server.pid, "SIGUSR2");
    const measured = await measure(load, server, { ...task, windowMs }, signal);
    process.kill(server.pid, "SIGUSR2");
    const profile = await readWhenWritten(join(dir, `${server.pid}-${parts.length}.cpuprofile`), signal);
    const spent = spentByArea(profile, root);
    parts.push(describe(kind, spent, measured));
  }
  return `## Where the REST in front's time goes\n
CPU profiles of the server's main thread at ${connections} connections, from a run of its own (profiling slows it).
Built-in functions count for whoever calls them.\n\n${parts.join("\n\n")}\n`;
}

/** The profile holds all requests of the measurement, so shares are of those; its idle ends say nothing. */
function describe(kind: Kind, spent: Spent, { accepted, requestsPerSecond }: Measurement): string {
  const busyMicros = spent.totalMicros - spent.idleMicros;
  const busyShare = (busyMicros / accepted) * (requestsPerSecond / 1e6);
  const line = ([name, micros]: [string, number]) => [
    name,
    `${show((100 * micros) / busyMicros, 1)} %`,
    show(micros / accepted, 1),
  ];
  const tableOf = (title: string, entries: [string, number][]) =>
    alignedTable([title, "of busy time", "µs a request"], entries.map(line), [title]);
  return `### ${titles[kind]}

${show(requestsPerSecond, 0)} requests/s, ${show(busyMicros / accepted, 0)} µs of this thread for each: busy ${show(100 * busyShare, 0)} % of the time.

${tableOf("area", spent.areas)}

${tableOf("function", spent.functions.slice(0, 12))}`;
}

async function readWhenWritten(file: string, signal: AbortSignal): Promise<CpuProfile> {
  const giveUpAt = Date.now() + longestWriteMs;
  while (!existsSync(file)) {
    if (Date.now() > giveUpAt) throw new Error(`the product wrote no profile to ${file}`);
    await sleep(100, undefined, { signal });
  }
  return JSON.parse(readFileSync(file, "utf8"));
}
