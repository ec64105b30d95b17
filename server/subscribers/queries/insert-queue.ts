import { concurrencyLimit } from "../../kernel/concurrency-limit";
import { toAppError } from "../../kernel/errors";
import { type Db, isConsentRefusal, isDeadlock, withRetry } from "../../platform/db/client";
import { type Inserted, insertFree, insertFreeWithin, type NewSubscriberRow } from "./new-subscribers";

export type InsertQueue = ReturnType<typeof openInsertQueue>;

type Entry = {
  row: NewSubscriberRow;
  resolve(inserted: Inserted | undefined): void;
  reject(error: unknown): void;
};

/**
 * The next statement gathers rows while the current one commits. More statements in flight only make smaller batches.
 */
const MAX_IN_FLIGHT = 2;
const MAX_ROWS = 100;
/** How long a shared statement waits for another transaction that is inserting one of its addresses. */
const LOCK_TIMEOUT_MS = 100;
/**
 * Limits for rows that are then retried alone, and for those that wait for that transaction: each row uses a
 * connection.
 */
const MAX_ALONE = 2;
const MAX_WAITING = 2;

const insertAlone = (db: Db, entry: Entry) =>
  withRetry(() => insertFree(db, [entry.row])).then((inserted) => finish(entry, inserted), entry.reject);

const finish = ({ row, resolve }: Entry, inserted: Inserted) =>
  resolve(inserted.has(row.id) ? inserted : undefined);

/**
 * Single creates that arrive together share one statement and one commit. Each request gets its own answer after the
 * commit. If fewer than `MAX_IN_FLIGHT` statements run, a statement starts as soon as the requests that have arrived by
 * then are read. Starting with the first of them would leave the others for a second commit.
 */
export function openInsertQueue(db: Db) {
  const entries: Entry[] = [];
  const alone = concurrencyLimit({ limit: MAX_ALONE });
  const waiting = concurrencyLimit({ limit: MAX_WAITING });
  let inFlight = 0;

  /** A locked address, for example by an import, must not delay the rest of the batch. */
  async function insertWithin(batch: Entry[], otherwise: (entry: Entry) => unknown): Promise<void> {
    const rows = batch.map((entry) => entry.row);
    const inserted = await insertFreeWithin(db, rows, LOCK_TIMEOUT_MS);
    for (const entry of batch) {
      if (inserted) finish(entry, inserted);
      else otherwise(entry);
    }
  }

  /**
   * One invalid row must not fail the others. A lost connection fails all rows, because it is unknown which were
   * written.
   */
  async function insertEach(batch: Entry[], error: unknown): Promise<void> {
    const again = isDeadlock(error) || isConsentRefusal(error);
    if (!again && (batch.length === 1 || toAppError(error).code === "service_unavailable")) {
      for (const entry of batch) entry.reject(error);
      return;
    }
    for (const entry of batch) await insertAlone(db, entry);
  }

  const tryAlone = (entry: Entry) =>
    insertWithin([entry], (one) => waiting(() => insertAlone(db, one))).catch((error) =>
      insertEach([entry], error),
    );

  async function flush(): Promise<void> {
    inFlight++;
    const batch = entries.splice(0, MAX_ROWS);
    try {
      await insertWithin(batch, (entry) => alone(() => tryAlone(entry)));
    } catch (error) {
      await insertEach(batch, error);
    } finally {
      inFlight--;
      if (entries.length > 0) void flush();
    }
  }

  const start = () => {
    if (entries.length > 0 && inFlight < MAX_IN_FLIGHT) void flush();
  };

  return {
    /** Inserts one subscriber. Resolves after the commit: undefined when the address is taken. @throws database errors */
    insert: (row: NewSubscriberRow): Promise<Inserted | undefined> =>
      new Promise((resolve, reject) => {
        entries.push({ row, resolve, reject });
        if (entries.length === 1) setImmediate(start);
      }),
  };
}
