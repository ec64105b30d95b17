import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { ListOrder, ListPosition } from "../schema/list-query";
import { conditionOf, type PeopleFilter, usesSearchIndex } from "./people-filter";
import { columnOf, openReader, ordering, type Position, parseOrder, READ_IN_ORDER } from "./people-pages";
import { findUnindexed, onOneSnapshot, tablesOf } from "./search-index";
import { pageOfSubscribers } from "./subscriber-pages";
import { listSubscriberRows, type SubscriberRow, subscriberColumns } from "./subscribers";

/** The start of a page: after a position, or after a number of subscribers (the cost grows with it). */
export type RecordStart = { after: ListPosition } | { offset: number } | null;

const sectionOf = (order: ListOrder) => ({ ...parseOrder(order), blank: false });

const listPosition = ({ id, value }: Position): ListPosition => ({
  id,
  value: value instanceof Date ? value.toISOString() : value,
});

/** Skips many subscribers in one statement. Sends no positions of skipped subscribers to this process. */
async function skipMany(
  tx: Tx,
  filter: PeopleFilter,
  { order, limit, offset }: { order: ListOrder; limit: number; offset: number },
): Promise<ListPosition[]> {
  const section = sectionOf(order);
  const rowsOf = usesSearchIndex(filter) && section.by !== "updated" ? "index" : "list";
  const tables =
    rowsOf === "list"
      ? [Prisma.sql`subscribers`]
      : tablesOf(filter.newsletterId, await findUnindexed(tx, filter.newsletterId));
  if (tables.length === 0) return [];
  const parts = tables.map(
    (table) => Prisma.sql`SELECT s.id, ${columnOf(section.by, rowsOf)} AS value FROM ${table} s
      WHERE ${conditionOf(filter, rowsOf)}`,
  );
  const found = await tx.$queryRaw<Position[]>`
    SELECT s.id, s.value FROM (${Prisma.join(parts, " UNION ALL ")}) s
    ${ordering(section, Prisma.sql`s.value`)} LIMIT ${limit} OFFSET ${offset}`;
  return found.map(listPosition);
}

async function findPositions(
  tx: Tx,
  filter: PeopleFilter,
  { order, limit, from }: { order: ListOrder; limit: number; from: RecordStart },
): Promise<ListPosition[]> {
  const offset = from && "offset" in from ? from.offset : 0;
  if (offset + limit > READ_IN_ORDER) return skipMany(tx, filter, { order, limit, offset });
  const beyond = from && "after" in from ? from.after : null;
  const found = await openReader(tx, filter)({ ...sectionOf(order), beyond, limit: offset + limit });
  return found.slice(offset).map(listPosition);
}

/** A page of subscribers in an order, with the position of each. */
export async function pageOfRecords(
  db: Db,
  filter: PeopleFilter,
  { order, limit, from }: { order: ListOrder; limit: number; from: RecordStart },
): Promise<{ row: SubscriberRow; position: ListPosition }[]> {
  if (order === "newest" && !usesSearchIndex(filter)) {
    const start = from && "after" in from ? { after: from.after.id } : from;
    const rows = await pageOfSubscribers(db, filter, limit, start);
    return rows.map((row) => ({ row, position: { id: row.id, value: null } }));
  }
  return onOneSnapshot(db, async (tx) => {
    const positions = await findPositions(tx, filter, { order, limit, from });
    const ids = positions.map(({ id }) => id);
    const rows = await listSubscriberRows(tx, filter.newsletterId, ids);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return positions.flatMap((position) => {
      const row = byId.get(position.id);
      return row ? [{ row, position }] : [];
    });
  });
}

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
  const section = sectionOf(order);
  return db.$transaction(
    async (tx) => {
      // All rows are read, so the planner must not prefer a plan that is only fast for the first ones.
      await tx.$queryRaw`
        SELECT set_config('transaction_read_only', 'on', true), set_config('cursor_tuple_fraction', '1', true), set_config('jit', 'off', true)`;
      await tx.$executeRaw`
        DECLARE every_record NO SCROLL CURSOR FOR SELECT ${subscriberColumns} FROM subscribers s
        WHERE ${conditionOf(filter, "list")} ${ordering(section, columnOf(section.by, "list"))}`;
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
