import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Backlog, copyLeftOut, copyNewest, countLeftOut, findBacklogs, tidyIndex } from "./search-index";

const IDLE_MS = 2_000;
const ASIDE_MS = 30_000;
const LONGEST_ASIDE_MS = 3_600_000;
const SETTLED_SECONDS = 10;
/** The next job goes on with what is missing by then. */
const LONGEST_MS = 10 * 60_000;
/** Pauses for each moment of work: twice as long on a quiet list; on one that many join just now, the database is theirs. */
const PAUSE = 2;
const PAUSE_WHEN_BUSY = 25;
const BUSY_PER_SECOND = 200;

type Options = {
  url: string;
  closing: AbortSignal;
  /** How old ids must be before they are copied; 10 s unless a test cannot wait. */
  settledSeconds?: number;
  idleMs?: number;
  asideMs?: number;
};

/**
 * Copies into the search index who is missing there, until nobody is. One process does it for all who share the database, a
 * small statement at a time, and pauses longer than it works. What it has not come to yet is found without it, and a kill at
 * any moment leaves everything as it was before the statement under way.
 */
export async function runSearchIndexer({ url, closing, ...options }: Options): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    // For a database that does not answer: it must not hold up the stop.
    query_timeout: 20_000,
    application_name: "rollcall search",
  });
  client.on("error", () => {}); // shows with the next statement
  try {
    await client.connect();
    // Below PostgreSQL's deadlock_timeout: should somebody and this ever wait for each other, this gives way.
    await client.query("SET lock_timeout = '500ms'");
    await copyMissing(client, closing, options);
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyMissing(
  client: pg.Client,
  closing: AbortSignal,
  {
    settledSeconds = SETTLED_SECONDS,
    idleMs = IDLE_MS,
    asideMs = ASIDE_MS,
  }: Omit<Options, "url" | "closing">,
): Promise<void> {
  /** Where the look for people who were skipped has come to, by newsletter. */
  const places = new Map<string, string | null>();
  /** Lists of which a whole look found nobody who was skipped: a transaction under way holds them, most likely. */
  const aside = new Map<string, { until: number; ms: number }>();
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing, ref: false }).catch(() => {});
  const end = performance.now() + LONGEST_MS;
  let before: { people: number; at: number } | undefined;
  let untidy = false;

  while (!closing.aborted && performance.now() < end) {
    const began = performance.now();
    const backlogs = await findBacklogs(client);
    const people = backlogs.reduce((sum, one) => sum + one.people, 0);
    const grown = before ? ((people - before.people) / (began - before.at)) * 1000 : 0;
    before = { people, at: began };
    const missing = backlogs.filter((one) => one.missing > 0);

    const copied = await copySome(missing);
    if (copied === 0 && untidy) await tidyIndex(client);
    untidy = copied > 0;
    if (missing.length === 0) return;
    const worked = performance.now() - began;
    if (copied === 0) await pause(Math.max(idleMs, worked * PAUSE_WHEN_BUSY));
    else await pause(worked * (grown > BUSY_PER_SECOND ? PAUSE_WHEN_BUSY : PAUSE));
  }

  /** @returns how many; 0 when there is nothing to be done now */
  async function copySome(missing: Backlog[]): Promise<number> {
    for (const backlog of missing.sort((a, b) => b.missing - a.missing)) {
      const { newsletterId } = backlog;
      const newest = await copyNewest(client, newsletterId, settledSeconds);
      if (newest > 0) return newest;
      const put = aside.get(newsletterId);
      if (put && put.until > performance.now()) continue;
      if ((await countLeftOut(client, backlog)) <= 0) continue;
      const { copied, below } = await copyLeftOut(client, newsletterId, places.get(newsletterId) ?? null);
      places.set(newsletterId, below);
      if (copied > 0) aside.delete(newsletterId);
      else if (below === null) {
        const ms = put ? Math.min(2 * put.ms, LONGEST_ASIDE_MS) : asideMs;
        aside.set(newsletterId, { until: performance.now() + ms, ms });
      }
      // None in this stretch, but there is more of the list to look through.
      if (copied > 0 || below !== null) return Math.max(copied, 1);
    }
    return 0;
  }
}
