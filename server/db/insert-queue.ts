import { toAppError } from "../errors";
import { type Db, isDeadlock, withRetry } from "./client";
import { type Inserted, insertMissing, insertSoon, type NewRow } from "./subscribers";

export type InsertQueue = {
  /**
   * Inserts one person durably.
   * @returns created_at, or undefined when the address is taken
   * @throws what the database throws
   */
  insert(row: NewRow): Promise<Date | undefined>;
};

type Waiting = { row: NewRow; resolve(createdAt: Date | undefined): void; reject(error: unknown): void };

/** While one statement waits for its commit the next one gathers; more in flight only make smaller shares. */
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 100;
/** How long those who share a statement wait for one whose address somebody else is just inserting. */
const PATIENCE_MS = 100;
/** How many at once then try on their own, and how many wait to the end: each holds a connection. */
const MAX_ALONE = 2;
const MAX_PATIENT = 2;

/** Runs pieces of work, `limit` at a time, in the order in which they came. */
function lane(limit: number): (work: () => Promise<void>) => void {
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  async function run(): Promise<void> {
    running++;
    for (let work = waiting.shift(); work; work = waiting.shift()) await work();
    running--;
  }
  return (work) => {
    waiting.push(work);
    if (running < limit) void run();
  };
}

/**
 * Lets single creates that arrive together share one statement and one commit; each is still answered on its own, after
 * that commit. Nobody waits for company: a request that finds a free place goes at once.
 */
export function openInsertQueue(db: Db): InsertQueue {
  const waiting: Waiting[] = [];
  const alone = lane(MAX_ALONE);
  const patiently = lane(MAX_PATIENT);
  let inFlight = 0;

  const settle = ({ row, resolve }: Waiting, inserted: Inserted) =>
    resolve(inserted.has(row.id) ? inserted.createdAt : undefined);

  async function flush(): Promise<void> {
    inFlight++;
    const batch = waiting.splice(0, MAX_ROWS);
    try {
      const inserted = await insertSoon(
        db,
        batch.map((entry) => entry.row),
        PATIENCE_MS,
      );
      if (inserted) for (const entry of batch) settle(entry, inserted);
      else for (const entry of batch) alone(() => tryAlone(entry));
    } catch (error) {
      await apart(batch, error);
    } finally {
      inFlight--;
      if (waiting.length > 0) void flush();
    }
  }

  /** One whose address somebody else holds, such as an import, must not keep its neighbours waiting until they let go. */
  async function tryAlone(entry: Waiting): Promise<void> {
    try {
      const inserted = await withRetry(() => insertSoon(db, [entry.row], PATIENCE_MS));
      if (inserted) settle(entry, inserted);
      else patiently(() => insertAlone(entry));
    } catch (error) {
      entry.reject(error);
    }
  }

  function insertAlone(entry: Waiting): Promise<void> {
    return withRetry(() => insertMissing(db, [entry.row])).then(
      (inserted) => settle(entry, inserted),
      entry.reject,
    );
  }

  /** One bad row must not fail its neighbours; a lost connection fails all, since nobody knows what was written. */
  async function apart(batch: Waiting[], error: unknown): Promise<void> {
    if (!isDeadlock(error) && (batch.length === 1 || toAppError(error).code === "service_unavailable")) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const entry of batch) await insertAlone(entry);
  }

  return {
    insert(row) {
      return new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        if (inFlight < MAX_IN_FLIGHT) void flush();
      });
    },
  };
}
