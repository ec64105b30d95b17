import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { openClient } from "../../platform/postgres/sessions";
import {
  type Backlog,
  countOlder,
  findBacklogs,
  flushTrigrams,
  indexNewest,
  indexOlder,
} from "./search-index";

const IDLE_MS = 2_000;
const SETTLED_SECONDS = 10;
/** The time limit of one job. The next job continues. */
const LONGEST_MS = 10 * 60_000;
/** Pauses, as a multiple of the working time. While many people join, the indexer leaves the database to them. */
const PAUSE = 2;
const PAUSE_WHEN_BUSY = 25;
const BUSY_PER_SECOND = 200;

type Options = {
  url: string;
  closing: AbortSignal;
  /** How old ids must be before they are indexed. Default: 10 s; tests use less. */
  settledSeconds?: number;
  idleMs?: number;
};

/**
 * Adds people to the search index until nobody is pending. One process does this for all processes of a database. It
 * runs small statements and pauses longer than it works. Searches find pending rows without it. A kill at any moment
 * loses only the current statement.
 */
export async function runSearchIndexer({ url, closing, ...options }: Options): Promise<void> {
  // Its timeouts let the process stop if the database does not answer.
  const client = await openClient(url, "rollcall search");
  try {
    // Less than PostgreSQL's deadlock_timeout: in a deadlock with another transaction, the indexer gives way.
    await client.query("SET lock_timeout = '500ms'");
    await indexPending(client, closing, options);
  } finally {
    await client.end().catch(() => {});
  }
}

type Progress = {
  /** By newsletter, where its search for older pending rows continues, and how many people it has indexed. */
  searches: Map<string, { below: string | null; indexed: number }>;
  /** Newsletters whose older pending people an open transaction locks. The next job tries again. */
  locked: Set<string>;
};

async function indexPending(
  client: Client,
  closing: AbortSignal,
  { settledSeconds = SETTLED_SECONDS, idleMs = IDLE_MS }: Omit<Options, "url" | "closing">,
): Promise<void> {
  const progress: Progress = { searches: new Map(), locked: new Set() };
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
      indexed = await indexSome(client, backlog, progress, settledSeconds);
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

/** @returns the number of people; 0 when there is nothing to do now */
async function indexSome(
  client: Client,
  backlog: Backlog,
  { searches, locked }: Progress,
  settledSeconds: number,
): Promise<number> {
  const { newsletterId } = backlog;
  const newest = await indexNewest(client, newsletterId, settledSeconds);
  if (newest > 0) return newest;
  const older = locked.has(newsletterId) ? 0 : await countOlder(client, backlog);
  if (older <= 0) return 0;
  const search = searches.get(newsletterId) ?? { below: null, indexed: 0 };
  const part = await indexOlder(client, newsletterId, search.below);
  const indexed = search.indexed + part.indexed;
  // The next search begins at the top of the list, where people who join late may be.
  const isOver = part.found >= older || part.below === null;
  if (isOver) searches.delete(newsletterId);
  else searches.set(newsletterId, { below: part.below, indexed });
  if (isOver && indexed === 0) locked.add(newsletterId);
  // This part has no match, but the list has more rows to search.
  return isOver ? part.indexed : Math.max(part.indexed, 1);
}
