import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "./child";
import { type CpuProfile, type Spent, spentByArea } from "./cpu-profile";
import { measure } from "./measure";
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
    // Requests of the ramp are in the profile as well: count by the window's pace.
    const requests = measured.requestsPerSecond * (spent.totalMicros / 1e6);
    parts.push(describe(kind, spent, requests));
  }
  return `## Where the fast door's time goes\n
CPU profiles of the server's main thread at ${connections} connections, from a run of its own (profiling slows it).
Built-in functions count for whoever calls them.\n\n${parts.join("\n\n")}\n`;
}

function describe(kind: Kind, spent: Spent, requests: number): string {
  const busyMicros = spent.totalMicros - spent.idleMicros;
  const line = ([name, micros]: [string, number]) => [
    name,
    `${show((100 * micros) / busyMicros, 1)} %`,
    show(micros / requests, 1),
  ];
  const busyShare = (100 * busyMicros) / spent.totalMicros;
  const areas = alignedTable(["area", "of busy time", "µs a request"], spent.areas.map(line), ["area"]);
  const top = spent.functions.slice(0, 12).map(line);
  const functions = alignedTable(["function", "of busy time", "µs a request"], top, ["function"]);
  return `### ${titles[kind]}\n\nBusy ${show(busyShare, 0)} % of the time.\n\n${areas}\n\n${functions}`;
}

async function readWhenWritten(file: string, signal: AbortSignal): Promise<CpuProfile> {
  const giveUpAt = Date.now() + longestWriteMs;
  while (!existsSync(file)) {
    if (Date.now() > giveUpAt) throw new Error(`the product wrote no profile to ${file}`);
    await sleep(100, undefined, { signal });
  }
  return JSON.parse(readFileSync(file, "utf8"));
}
