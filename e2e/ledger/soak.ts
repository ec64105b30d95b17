import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { mountOf, openSite, type Site } from "../process/site";
import { startLoad } from "./load";
import { residentMb } from "./machines";
import { strandedMails } from "./outbox";
import { add, countRound, type GoesOn, type Tally } from "./tally";

const leastMs = 10_000;
const samples = 60;

type Sample = { minutes: number } & Record<string, number>;

const TABLES = `SELECT (sum(pg_total_relation_size(relid)) / 2 ^ 20)::float8 AS size,
  (sum(n_dead_tup) / greatest(1, sum(n_live_tup)))::float8 AS dead,
  (SELECT count(*) FROM subscribers)::float8 AS people FROM pg_stat_user_tables`;

async function look({ site, pid, log }: { site: Site; pid: number; log: string }) {
  const [tables] = await site.sql<{ size: number; dead: number; people: number }>(TABLES);
  const { size = 0, dead = 0, people = 1 } = tables ?? {};
  return {
    "resident memory of the server, in MB": residentMb(pid),
    "open handles of the server": readdirSync(`/proc/${pid}/fd`).length,
    "memory of PostgreSQL's processes, in MB": site
      .postgresPids()
      .reduce((sum, one) => sum + residentMb(one), 0),
    "tables and indexes, in bytes a subscriber": (size * 2 ** 20) / Math.max(1, people),
    "dead rows for each living one": dead,
    "log, in kB": log.length / 1024,
  };
}

/** The slope of a straight line through the points, by least squares. */
function slope(points: { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  const along = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return along === 0 ? 0 : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / along;
}

/** Modest load for a long time: what grows, and how fast. The first third warms up and is not counted. */
export async function playSoak(tally: Tally, _random: () => number, goesOn: GoesOn): Promise<void> {
  const site = await openSite({ database: "own" });
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
    while (performance.now() < began + ms) {
      await sleep(ms / samples);
      const at = { site, pid: site.first.pid, log: site.first.output() };
      seen.push({ minutes: (performance.now() - began) / 60_000, ...(await look(at)) });
    }
    await load.stop();
    await countRound(tally, "modest load", site, load);
    add(tally, "requests", load.writes.length);
    add(tally, "requests a second", load.writes.length / (ms / 1000));
    const counted = seen.slice(Math.floor(samples / 3));
    for (const name of Object.keys(seen[0] ?? {}).filter((one) => one !== "minutes")) {
      const figures = counted.map((sample) => sample[name] ?? 0);
      const perHour = slope(counted.map((sample) => ({ x: sample.minutes / 60, y: sample[name] ?? 0 })));
      const show = (value: number) => value.toLocaleString("en", { maximumFractionDigits: 2 });
      tally.more.set(
        name,
        `${show(figures[0] ?? 0)} after a third, ${show(figures.at(-1) ?? 0)} at the end, at most ${show(Math.max(...figures))}; ${show(perHour)} an hour`,
      );
    }
    tally.stranded.push(...(await strandedMails(site)));
  } finally {
    await site.close();
  }
}
