import { toAppError } from "../errors";
import { type Db, insist, isDeadlock } from "./client";
import { type Inserted, insertMissing, type NewRow } from "./subscribers";

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

/**
 * Lets single creates that arrive together share one statement and one commit; each is still answered on its own, after
 * that commit. Nobody waits for company: a request that finds a free place goes at once.
 */
export function openInsertQueue(db: Db): InsertQueue {
  const waiting: Waiting[] = [];
  let inFlight = 0;

  const settle = ({ row, resolve }: Waiting, inserted: Inserted) =>
    resolve(inserted.has(row.id) ? inserted.createdAt : undefined);

  async function flush(): Promise<void> {
    inFlight++;
    const batch = waiting.splice(0, MAX_ROWS);
    try {
      const inserted = await insertMissing(
        db,
        batch.map((entry) => entry.row),
      );
      for (const entry of batch) settle(entry, inserted);
    } catch (error) {
      await apart(batch, error);
    } finally {
      inFlight--;
      if (waiting.length > 0) void flush();
    }
  }

  /** One bad row must not fail its neighbours; a lost connection fails all, since nobody knows what was written. */
  async function apart(batch: Waiting[], error: unknown): Promise<void> {
    if (!isDeadlock(error) && (batch.length === 1 || toAppError(error).fault === "service_unavailable")) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const entry of batch) {
      await insist(() => insertMissing(db, [entry.row])).then(
        (inserted) => settle(entry, inserted),
        entry.reject,
      );
    }
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
