import { lowestIdAt } from "../../kernel/ids";
import { type Db, Prisma, type Tx } from "../../platform/db/client";
import type { ListOrder } from "../schema/list-query";
import type { PeopleOrder } from "../schema/people-list";
import { subscriberTexts, type TextName } from "../schema/subscriber-texts";
import type { Status } from "../status-moves";
import { lowerCase, type RowsOf, signedUpAt } from "./filter-conditions";
import {
  conditionOf,
  isNarrowed,
  type PeopleFilter,
  requiredOf,
  spanOf,
  usesSearchIndex,
} from "./people-filter";
import { findUnindexed, onOneSnapshot, type Pending, tablesOf } from "./search-index";
import { pageOfStatus } from "./subscriber-pages";
import { listNamedSubscribers, type NamedSubscriberRow } from "./subscribers";

/** The person next to the page; null: the first page. */
export type PageStart = { after: string } | { before: string } | null;

/** A person's position in an order: the sorted value, then the id. A cursor has a time as ISO text. */
export type Position = { id: string; value: string | Date | null };

type By = "added" | "updated" | "subscribed_at" | "confirmed" | TextName;

export function parseOrder(order: PeopleOrder | ListOrder): { by: By; descending: boolean } {
  if (order === "newest" || order === "oldest") return { by: "added", descending: order === "newest" };
  return { by: order.replace("-", "") as By, descending: order.startsWith("-") };
}

/**
 * A part of an order, sorted by ids alone or by a value and then ids. People without a value are a section at the end,
 * newest first in both directions.
 */
export type Section = {
  by: By;
  /** The section of people without a value. */
  blank: boolean;
  descending: boolean;
  beyond: Position | null;
  limit: number;
};

/** How many people a query reads in order before it finds all matches and sorts them instead. */
export const READ_IN_ORDER = 10_000;

/** The column of an order. The order by creation has no column, because ids are in that order. */
export function columnOf(by: By, rowsOf: RowsOf): Prisma.Sql {
  if (by === "added") return Prisma.sql`NULL::text`;
  if (by === "subscribed_at") return signedUpAt;
  if (by === "updated") return Prisma.sql`coalesce(s.updated_at, s.created_at)`;
  return by === "confirmed" ? Prisma.sql`s.confirmed_at` : lowerCase[rowsOf][by];
}

const isTime = (by: By) => by === "confirmed" || by === "subscribed_at" || by === "updated";
/** Whether everybody has a value, so that no section of blanks is needed. */
const isComplete = (by: By) => by === "added" || (isTime(by) && by !== "confirmed");

const isById = ({ by, blank }: Pick<Section, "by" | "blank">) => by === "added" || blank;

/** Rows beyond a position by a column, and then by ids. */
function beyondValue(column: Prisma.Sql, { by, descending }: Section, { value, id }: Position): Prisma.Sql {
  const than = descending ? Prisma.sql`<` : Prisma.sql`>`;
  const edge = isTime(by) ? Prisma.sql`${value}::timestamptz` : Prisma.sql`${value} COLLATE "C"`;
  return Prisma.sql`AND (${column}, s.id) ${than} (${edge}, ${id}::uuid)`;
}

function beyondPosition(section: Section, rowsOf: RowsOf): Prisma.Sql {
  const { by, blank, beyond, descending } = section;
  const column = columnOf(by, rowsOf);
  const is = blank ? Prisma.sql`NULL` : Prisma.sql`NOT NULL`;
  const presence = isComplete(by) ? Prisma.empty : Prisma.sql`AND ${column} IS ${is}`;
  if (beyond === null) return presence;
  if (!isById(section)) return Prisma.sql`${presence} ${beyondValue(column, section, beyond)}`;
  const than = descending ? Prisma.sql`<` : Prisma.sql`>`;
  return Prisma.sql`${presence} AND s.id ${than} ${beyond.id}::uuid`;
}

export function ordering(
  section: Pick<Section, "by" | "blank" | "descending">,
  value: Prisma.Sql,
): Prisma.Sql {
  const direction = section.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return isById(section)
    ? Prisma.sql`ORDER BY s.id ${direction}`
    : Prisma.sql`ORDER BY ${value} ${direction}, s.id ${direction}`;
}

const valueColumn = ({ by, blank }: Section, rowsOf: RowsOf) =>
  blank ? Prisma.sql`NULL::text` : columnOf(by, rowsOf);

/** The table to read, its kind of rows and the filter. */
type Source = { table: Prisma.Sql; rowsOf: RowsOf; filter: PeopleFilter };

/** The next people of these statuses by id: reads each status, then takes the first of all. */
function nextOfStatuses(newsletterId: string, statuses: Status[], section: Section, limit: number) {
  const { descending, beyond } = section;
  const pages = statuses.map((status) =>
    pageOfStatus(newsletterId, status, { after: beyond?.id ?? null, descending, limit }),
  );
  if (pages.length === 1) return pages[0] as Prisma.Sql;
  const all = Prisma.join(
    pages.map((page) => Prisma.sql`(${page})`),
    " UNION ALL ",
  );
  return Prisma.sql`SELECT s.* FROM (${all}) s ${ordering(section, Prisma.empty)} LIMIT ${limit}`;
}

/** The next people by sign-up: merges those with a given date, by its index, with the others, by their ids. */
function nextSignedUp(filter: PeopleFilter, section: Section, limit: number): Prisma.Sql {
  const { beyond, descending } = section;
  const { newsletterId } = filter;
  const span = spanOf(filter, "subscribed_at");
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  const part = (condition: Prisma.Sql, column: Prisma.Sql) => Prisma.sql`
    (SELECT s.* FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND ${condition} ${span}
      ORDER BY ${column} s.id ${direction} LIMIT ${limit})`;
  const after = (column: Prisma.Sql) => (beyond ? beyondValue(column, section, beyond) : Prisma.empty);
  // The bound is for the primary key.
  const ms = new Date(beyond?.value ?? 0).getTime();
  const bound = descending
    ? Prisma.sql`AND s.id < ${lowestIdAt(ms + 1)}::uuid`
    : Prisma.sql`AND s.id >= ${lowestIdAt(ms)}::uuid`;
  const given = part(
    Prisma.sql`s.subscribed_at IS NOT NULL ${after(Prisma.sql`s.subscribed_at`)}`,
    Prisma.sql`s.subscribed_at ${direction},`,
  );
  const others = part(
    Prisma.sql`s.subscribed_at IS NULL ${beyond ? bound : Prisma.empty} ${after(Prisma.sql`time_of_id(s.id)`)}`,
    Prisma.empty,
  );
  return Prisma.sql`SELECT s.* FROM (${given} UNION ALL ${others}) s ${ordering(section, signedUpAt)} LIMIT ${limit}`;
}

/** The next people in order, by the index of the order. */
function nextInOrder({ table, rowsOf, filter }: Source, section: Section, limit: number): Prisma.Sql {
  const { by } = section;
  if (by === "subscribed_at") return nextSignedUp(filter, section, limit);
  return Prisma.sql`SELECT s.* FROM ${table} s
    WHERE s.newsletter_id = ${filter.newsletterId}::uuid ${spanOf(filter, by)} ${beyondPosition(section, rowsOf)}
    ${ordering(section, columnOf(by, rowsOf))} LIMIT ${limit}`;
}

/** Reads at most so many people in order by an index and keeps those who match. */
function readInOrder(source: Source, section: Section, most: number): Prisma.Sql {
  const { rowsOf, filter } = source;
  const { by } = section;
  const hasStatusIndex = rowsOf === "list" && by === "added";
  const ofStatus = hasStatusIndex ? requiredOf(filter).find(({ about }) => about === "status") : undefined;
  const narrowed = isNarrowed(filter, by, ofStatus);
  const limit = narrowed ? most : section.limit;
  const order = ordering(section, columnOf(by, rowsOf));
  const nearest =
    ofStatus?.about === "status"
      ? nextOfStatuses(filter.newsletterId, ofStatus.is, section, limit)
      : nextInOrder(source, section, limit);
  return Prisma.sql`
    SELECT s.id, ${valueColumn(section, rowsOf)} AS value FROM (${nearest}) s
    WHERE ${narrowed ? conditionOf(filter, rowsOf) : Prisma.sql`true`} ${order} LIMIT ${section.limit}`;
}

/** Finds all matches by the best index, then sorts them. OFFSET 0 keeps the planner from reading in order. */
function findAndSort({ table, rowsOf, filter }: Source, section: Section): Prisma.Sql {
  return Prisma.sql`
    SELECT s.id, s.value FROM (
      SELECT s.id, ${valueColumn(section, rowsOf)} AS value FROM ${table} s
      WHERE ${conditionOf(filter, rowsOf)} ${beyondPosition(section, rowsOf)} OFFSET 0
    ) s ${ordering(section, Prisma.sql`s.value`)} LIMIT ${section.limit}`;
}

/** Compares by bytes, like the database. */
function compare(a: Position, b: Position): number {
  if (typeof a.value === "string" && typeof b.value === "string" && a.value !== b.value)
    return Buffer.compare(Buffer.from(a.value), Buffer.from(b.value));
  if (a.value instanceof Date && b.value instanceof Date && a.value.getTime() !== b.value.getTime())
    return a.value.getTime() - b.value.getTime();
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Reads sections of one list, all at the same moment. */
export function openReader(tx: Tx, filter: PeopleFilter) {
  const list: Source = { table: Prisma.sql`subscribers`, rowsOf: "list", filter };
  const inIndex = usesSearchIndex(filter);
  const read = (sql: Prisma.Sql) => tx.$queryRaw<Position[]>`/* edge of a page */ ${sql}`;
  let pending: Pending | undefined;

  const isEnough = ({ by, limit }: Section, found: Position[]) =>
    found.length >= limit || !isNarrowed(filter, by);

  /** If a fifth of the page is among the first people, ten times as many people probably hold all of it. */
  async function readNear(source: Source, section: Section): Promise<Position[]> {
    const near = await read(readInOrder(source, section, READ_IN_ORDER));
    // In other orders than by id, rows lie apart on the disk, and reading more is slower than finding all matches.
    const isWorthMore = section.by === "added" && near.length >= section.limit / 5;
    if (isEnough(section, near) || !isWorthMore) return near;
    return read(readInOrder(source, section, 10 * READ_IN_ORDER));
  }

  async function fromIndex(section: Section): Promise<Position[]> {
    const { by, descending } = section;
    pending ??= await findUnindexed(tx, filter.newsletterId);
    const found: Position[] = [];
    for (const [i, table] of tablesOf(filter.newsletterId, pending).entries()) {
      const source: Source = { table, rowsOf: "index", filter };
      // The search index has database indexes for these orders. Pending rows have only the index of ids.
      const isIndex = i === 0 && pending.top !== null;
      const isIndexed = by === "added" || (isIndex && !isTime(by));
      const near = isIndexed ? await readNear(source, section) : null;
      if (near && isEnough(section, near)) found.push(...near);
      // Without a search, the indexes of the list itself are better.
      else if (near && !inIndex) return read(findAndSort(list, section));
      else found.push(...(await read(findAndSort(source, section))));
    }
    found.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
    return found.slice(0, section.limit);
  }

  return async (section: Section): Promise<Position[]> => {
    const { by } = section;
    // Neither the search index nor a database index has it.
    if (by === "updated") return read(findAndSort(list, section));
    if (isTime(by) || (by === "added" && !inIndex)) {
      const near = await readNear(list, section);
      if (isEnough(section, near)) return near;
      if (!inIndex) return read(findAndSort(list, section));
    }
    return fromIndex(section);
  };
}

async function findPosition(tx: Tx, newsletterId: string, id: string, by: By): Promise<Position | null> {
  if (by === "added") return { id, value: null };
  const rows = await tx.$queryRaw<Position[]>`
    SELECT s.id, ${columnOf(by, "list")} AS value FROM subscribers s
    WHERE s.newsletter_id = ${newsletterId}::uuid AND s.id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** The ids of matching people, newest first. @param after the last id of the previous page */
export function newestMatching(
  db: Db,
  filter: PeopleFilter,
  limit: number,
  after: string | null = null,
): Promise<string[]> {
  return onOneSnapshot(db, async (tx) => {
    const read = openReader(tx, filter);
    const beyond = after === null ? null : { id: after, value: null };
    const found = await read({ by: "added", blank: false, descending: true, beyond, limit });
    return found.map(({ id }) => id);
  });
}

/**
 * A page of people in order. A page before a person ends next to them.
 * @returns `lost`: the person was deleted and the order needs more than their id, so this is the first page
 */
export function pageOfPeople(
  db: Db,
  filter: PeopleFilter,
  { order, limit, from }: { order: PeopleOrder; limit: number; from: PageStart },
): Promise<{ rows: NamedSubscriberRow[]; lost: boolean }> {
  const { newsletterId } = filter;
  const { by, descending } = parseOrder(order);
  return onOneSnapshot(db, async (tx) => {
    const id = from === null ? null : "before" in from ? from.before : from.after;
    const start = id === null ? null : await findPosition(tx, newsletterId, id, by);
    const lost = id !== null && start === null;
    const backwards = start !== null && from !== null && "before" in from;
    const read = openReader(tx, filter);
    const positions: Position[] = [];
    const addSection = async (blank: boolean, beyond: Position | null) => {
      const rest = limit - positions.length;
      if (rest === 0) return;
      const section = { by, blank, descending: (blank || descending) !== backwards, beyond, limit: rest };
      positions.push(...(await read(section)));
    };
    const onlyConfirmed = requiredOf(filter).some(
      (one) => one.about === "confirmed" && one.test !== "not_set",
    );
    const hasBlanks =
      by === "confirmed" ? !onlyConfirmed : !isComplete(by) && subscriberTexts[by as TextName].optional;
    const inBlanks = hasBlanks && start !== null && start.value === null;
    if (backwards) {
      if (inBlanks) await addSection(true, start);
      await addSection(false, inBlanks ? null : start);
      positions.reverse();
    } else {
      if (!inBlanks) await addSection(false, start);
      if (hasBlanks) await addSection(true, inBlanks ? start : null);
    }
    const ids = positions.map((position) => position.id);
    const byId = new Map((await listNamedSubscribers(tx, newsletterId, ids)).map((row) => [row.id, row]));
    return { rows: ids.flatMap((one) => byId.get(one) ?? []), lost };
  });
}
