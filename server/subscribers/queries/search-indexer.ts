import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { pg } from "../../platform/db/pg";
import {
  type Backlog,
  countOlder,
  findBacklogs,
  flushTrigrams,
  indexNewest,
  indexOlder,
} from "./search-index";

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
 * Adds people to the search index until nobody is pending. One process does it for all who share the database, a small
 * statement at a time, and pauses longer than it works. Pending rows are found without it, and a kill at any moment leaves
 * everything as it was before the statement under way.
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
    // Below PostgreSQL's deadlock_timeout: should a transaction and this ever wait for each other, this gives way.
    await client.query("SET lock_timeout = '500ms'");
    await indexPending(client, closing, options);
  } finally {
    await client.end().catch(() => {});
  }
}

type Progress = {
  /** Where the look for older pending rows has come to, by newsletter. */
  below: Map<string, string | null>;
  /** Newsletters in which a whole look found none to index: most likely a transaction under way locks them. */
  paused: Map<string, { until: number; ms: number }>;
};

async function indexPending(
  client: Client,
  closing: AbortSignal,
  {
    settledSeconds = SETTLED_SECONDS,
    idleMs = IDLE_MS,
    asideMs = ASIDE_MS,
  }: Omit<Options, "url" | "closing">,
): Promise<void> {
  const progress: Progress = { below: new Map(), paused: new Map() };
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing, ref: false }).catch(() => {});
  const end = performance.now() + LONGEST_MS;
  let before: { people: number; at: number } | undefined;
  let unflushed = false;

  while (!closing.aborted && performance.now() < end) {
    const began = performance.now();
    const backlogs = await findBacklogs(client);
    const people = backlogs.reduce((sum, one) => sum + one.people, 0);
    const grown = before ? ((people - before.people) / (began - before.at)) * 1000 : 0;
    before = { people, at: began };
    const pending = backlogs.filter((one) => one.pending > 0).sort((a, b) => b.pending - a.pending);

    let indexed = 0;
    for (const backlog of pending) {
      indexed = await indexSome(client, backlog, progress, { settledSeconds, asideMs });
      if (indexed > 0) break;
    }
    if (indexed === 0 && unflushed) await flushTrigrams(client);
    unflushed = indexed > 0;
    if (pending.length === 0) return;
    const worked = performance.now() - began;
    if (indexed === 0) await pause(Math.max(idleMs, worked * PAUSE_WHEN_BUSY));
    else await pause(worked * (grown > BUSY_PER_SECOND ? PAUSE_WHEN_BUSY : PAUSE));
  }
}

/** @returns how many; 0 when there is nothing to be done now */
async function indexSome(
  client: Client,
  backlog: Backlog,
  { below, paused }: Progress,
  { settledSeconds, asideMs }: { settledSeconds: number; asideMs: number },
): Promise<number> {
  const { newsletterId } = backlog;
  const newest = await indexNewest(client, newsletterId, settledSeconds);
  if (newest > 0) return newest;
  const earlier = paused.get(newsletterId);
  if (earlier && earlier.until > performance.now()) return 0;
  if ((await countOlder(client, backlog)) <= 0) return 0;
  const found = await indexOlder(client, newsletterId, below.get(newsletterId) ?? null);
  below.set(newsletterId, found.below);
  if (found.indexed > 0) paused.delete(newsletterId);
  else if (found.below === null) {
    const ms = earlier ? Math.min(2 * earlier.ms, LONGEST_ASIDE_MS) : asideMs;
    paused.set(newsletterId, { until: performance.now() + ms, ms });
  }
  // None in this part, but there is more of the list to look through.
  return found.indexed > 0 || found.below !== null ? Math.max(found.indexed, 1) : 0;
}
