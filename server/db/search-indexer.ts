import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Backlog, copyLeftOut, copyNewest, countLeftOut, findBacklogs, tidyIndex } from "./search-index";

/** Whoever holds it is the one who fills. */
const LOCK = 7_270_736_971;
const IDLE_MS = 2_000;
const ASIDE_MS = 30_000;
const LONGEST_ASIDE_MS = 3_600_000;
const SETTLED_SECONDS = 10;
/** Rests for each moment of work: twice as long on a quiet list; on one that many join just now, the database is theirs. */
const REST = 2;
const REST_WHEN_BUSY = 25;
const BUSY_PER_SECOND = 200;

type Options = {
  url: string;
  onError(error: unknown): void;
  /** How old ids must be before they are copied; 10 s unless a test cannot wait. */
  settledSeconds?: number;
  idleMs?: number;
  asideMs?: number;
};

export type SearchIndexer = { stop(): Promise<void> };

/**
 * Keeps the copy of the list that searches read up to date, off everybody's way: one process does it for all who share the
 * database, a small statement at a time, and rests longer than it works. What it has not come to yet is found without it, and
 * a kill at any moment leaves everything as it was before the statement under way.
 */
export function startSearchIndexer({ url, onError, ...options }: Options): SearchIndexer {
  const { settledSeconds = SETTLED_SECONDS, idleMs = IDLE_MS, asideMs = ASIDE_MS } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});
  let client: pg.Client | undefined;

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const mine = new pg.Client({
        connectionString: url,
        keepAlive: true,
        connectionTimeoutMillis: 5_000,
        application_name: "rollcall search",
      });
      mine.on("error", () => {}); // shows with the next statement
      client = mine;
      try {
        await mine.connect();
        // Below PostgreSQL's deadlock_timeout: should somebody and this ever wait for each other, this gives way.
        await mine.query("SET lock_timeout = '500ms'");
        const { rows } = await mine.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [
          LOCK,
        ]);
        if (rows[0]?.mine) await fill(mine);
      } catch (error) {
        if (!signal.aborted) onError(error);
      } finally {
        await mine.end().catch(() => {});
      }
      // Somebody else fills, or the database is away.
      await rest(asideMs);
    }
  }

  async function fill(mine: pg.Client): Promise<void> {
    /** Where the look for people who were left out has come to, by newsletter. */
    const places = new Map<string, string | null>();
    /** Rolls of which a whole look found nobody who was left out: a transaction under way holds them, most likely. */
    const aside = new Map<string, { until: number; ms: number }>();
    let before: { people: number; at: number } | undefined;
    let untidy = false;

    while (!signal.aborted) {
      const began = performance.now();
      const backlogs = await findBacklogs(mine);
      const people = backlogs.reduce((sum, one) => sum + one.people, 0);
      const grown = before ? ((people - before.people) / (began - before.at)) * 1000 : 0;
      before = { people, at: began };

      const copied = await copySome(
        backlogs.filter((one) => one.missing > 0),
        mine,
      );
      if (copied === 0 && untidy) await tidyIndex(mine);
      untidy = copied > 0;
      const worked = performance.now() - began;
      if (copied === 0) await rest(Math.max(idleMs, worked * REST_WHEN_BUSY));
      else await rest(worked * (grown > BUSY_PER_SECOND ? REST_WHEN_BUSY : REST));
    }

    /** @returns how many; 0 when there is nothing to be done now */
    async function copySome(missing: Backlog[], on: pg.Client): Promise<number> {
      for (const backlog of missing.sort((a, b) => b.missing - a.missing)) {
        const { newsletterId } = backlog;
        const newest = await copyNewest(on, newsletterId, settledSeconds);
        if (newest > 0) return newest;
        const put = aside.get(newsletterId);
        if (put && put.until > performance.now()) continue;
        if ((await countLeftOut(on, backlog)) <= 0) continue;
        const { copied, below } = await copyLeftOut(on, newsletterId, places.get(newsletterId) ?? null);
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

  const running = run();
  return {
    async stop() {
      stopping.abort();
      // The statement under way is short; a database that does not answer must not hold up the stop.
      const patience = setTimeout(() => void client?.end().catch(() => {}), 2_000);
      await running;
      clearTimeout(patience);
    },
  };
}
