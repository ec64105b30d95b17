import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { projectRoot } from "../../server/kernel/project-root";
import type { Product } from "../../server/test/product";
import { mountOf, openSite, type Site, until } from "../process/site";
import { startLoad } from "./load";
import { residentMb } from "./machines";
import { strandedMails } from "./outbox";
import { add, countRound, type GoesOn, type Tally } from "./tally";

const leastMs = 10_000;
const samples = 61;
/** Garbage is collected by force at every tenth sample only: that makes the server smaller than it would be. */
const collectEvery = 10;

type Sample = Record<string, number>;

const TABLES = `SELECT (sum(pg_total_relation_size(relid)) / 2 ^ 20)::float8 AS size,
  (sum(n_dead_tup) / greatest(1, sum(n_live_tup)))::float8 AS dead,
  (SELECT count(*) FROM subscribers)::float8 AS people FROM pg_stat_user_tables`;

/** The proportional memory of a process, in MB: shared memory is counted once. 0 unless read by root. */
function proportionalMb(pid: number): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0) / 1024;
  } catch {
    return 0; // a backend that has ended
  }
}

/** Memory after a collection of all garbage. Only a leak makes it grow. */
async function collect({ pid, output }: Product) {
  const told = () => [...output().matchAll(/^memory after collection: (.*)$/gm)];
  const before = told().length;
  process.kill(pid, "SIGUSR2");
  const last = await until("a collection of garbage", () => told()[before]);
  const { heapUsed, external } = JSON.parse(last[1] as string) as NodeJS.MemoryUsage;
  return {
    "heap in use after a collection, in MB": heapUsed / 2 ** 20,
    "memory of buffers after a collection, in MB": external / 2 ** 20,
  };
}

async function look({ site, pid, log }: { site: Site; pid: number; log: string }) {
  const [tables] = await site.sql<{ size: number; dead: number; people: number }>(TABLES);
  const { size = 0, dead = 0, people = 1 } = tables ?? {};
  return {
    "resident memory of the server, in MB": residentMb(pid),
    "open handles of the server": readdirSync(`/proc/${pid}/fd`).length,
    "memory of PostgreSQL's processes, shared memory counted once, in MB": site
      .postgresPids()
      .reduce((sum, one) => sum + proportionalMb(one), 0),
    "tables and indexes, in bytes a subscriber": (size * 2 ** 20) / Math.max(1, people),
    "dead rows for each living one": dead,
    "log, in kB": log.length / 1024,
  };
}

/** Modest load for a long time: which figures grow. The first third warms up and is not counted. */
export async function playSoak(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  const hook = join(projectRoot(), "e2e/ledger/heap-hook.cjs");
  const settings = { NODE_OPTIONS: `--expose-gc --require ${JSON.stringify(hook)}` };
  const site = await openSite({ database: "own", settings });
  try {
    const load = startLoad([mountOf(site.first)], site.key, {
      prefix: "soak",
      clients: 4,
      pauseMs: 60,
      persistent: true,
    });
    const began = performance.now();
    const ms = Math.max(leastMs, goesOn.endsAt - began);
    const seen: Sample[] = [];
    for (let i = 0; i < samples; i++) {
      await sleep(Math.max(0, began + (ms * (i + 1)) / samples - performance.now()));
      const at = { site, pid: site.first.pid, log: site.first.output() };
      const sample = await look(at);
      seen.push(i % collectEvery === 0 ? { ...sample, ...(await collect(site.first)) } : sample);
    }
    await load.stop();
    await countRound(tally, "modest load", site, load);
    add(tally, "requests", load.writes.length);
    add(tally, "requests a second", load.writes.length / (ms / 1000));
    const counted = seen.slice(Math.floor(samples / 3));
    for (const name of Object.keys(seen[0] ?? {})) {
      const figures = counted.flatMap((sample) => sample[name] ?? []);
      const show = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 2 });
      tally.more.set(
        name,
        `${show(figures[0] ?? 0)} after a third, ${show(figures.at(-1) ?? 0)} at the end, at most ${show(Math.max(...figures))}`,
      );
    }
    tally.stranded.push(...(await strandedMails(site)));
  } finally {
    await site.close();
  }
}
