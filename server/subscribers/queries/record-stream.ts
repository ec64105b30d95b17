import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { ListOrder } from "../schema/list-query";
import type { PeopleFilter } from "./people-filter";
import { everyRecord } from "./record-pages";
import type { SubscriberRow } from "./subscribers";

/** Rows in memory at a time. Larger chunks were not faster. */
const CHUNK = 500;
/** The longest time for all rows. PostgreSQL keeps old versions of changed rows until then. */
const LONGEST_MS = 30 * 60_000;

/**
 * Reads all matching subscribers in an order, as of one moment, and passes them to `take` in chunks. Memory does not grow
 * with the list, because PostgreSQL keeps the rest behind a cursor.
 * @param take an error ends the transaction and frees its connection
 */
export function eachChunk(
  db: Db,
  { filter, order }: { filter: PeopleFilter; order: ListOrder },
  take: (tx: Tx, rows: SubscriberRow[]) => Promise<void>,
): Promise<void> {
  return db.$transaction(
    async (tx) => {
      // All rows are read, so the planner must not prefer a plan that is only fast for the first ones.
      await tx.$queryRaw`
        SELECT set_config('transaction_read_only', 'on', true), set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true)`;
      await tx.$executeRaw`DECLARE every_record NO SCROLL CURSOR FOR ${everyRecord(filter, order)}`;
      for (;;) {
        const rows = await tx.$queryRaw<
          SubscriberRow[]
        >`FETCH ${Prisma.raw(String(CHUNK))} FROM every_record`;
        if (rows.length > 0) await take(tx, rows);
        if (rows.length < CHUNK) return;
      }
    },
    { isolationLevel: "RepeatableRead", timeout: LONGEST_MS },
  );
}
