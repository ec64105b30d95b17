import type { PeopleOrder } from "../contract/people-filter";
import { type Db, Prisma, type Tx } from "./client";
import { conditionOf, isNarrowed, type PeopleFilter, spanOf, type Written, written } from "./people-filter";
import { atOneMoment, copiedAndRest, findRest } from "./people-search";
import { pageOfStatus } from "./subscriber-pages";
import { listNamedSubscribers, type NamedSubscriberRow } from "./subscribers";

/** Where a page begins or ends: beside this person. Null: at the beginning. */
export type Place = { after: string } | { before: string } | null;

type Value = string | Date | null;
/** A person's place in an order: what they are ordered by, and the id among those who share it. */
type Edge = { id: string; value: Value };

type By = "added" | "email" | "name" | "confirmed";
const bys: Record<PeopleOrder, { by: By; descending: boolean }> = {
  newest: { by: "added", descending: true },
  oldest: { by: "added", descending: false },
  email: { by: "email", descending: false },
  "-email": { by: "email", descending: true },
  name: { by: "name", descending: false },
  "-name": { by: "name", descending: true },
  confirmed: { by: "confirmed", descending: false },
  "-confirmed": { by: "confirmed", descending: true },
};

/** What an order goes by; the id alone, for the time when people were added. */
function columnOf(by: By, where: Written): Prisma.Sql {
  if (by === "added") return Prisma.sql`NULL::text`;
  return by === "confirmed" ? Prisma.sql`s.confirmed_at` : written[where][by];
}

/**
 * A stretch of an order in which ids alone decide, or a value and then ids. Those without a value are a stretch of their own at
 * the end, newest first whichever way the values run.
 */
type Stretch = {
  by: By;
  /** The people without a value. */
  blank: boolean;
  descending: boolean;
  edge: Edge | null;
  need: number;
};

/** How many people are looked at in the list's own order before all who match are gathered and sorted instead. */
const WALK = 10_000;

const byId = ({ by, blank }: Stretch) => by === "added" || blank;

function beyond(stretch: Stretch, where: Written): Prisma.Sql {
  const { by, edge, descending } = stretch;
  const column = columnOf(by, where);
  const presence =
    by === "added"
      ? Prisma.empty
      : Prisma.sql`AND ${column} IS ${stretch.blank ? Prisma.sql`NULL` : Prisma.sql`NOT NULL`}`;
  if (edge === null) return presence;
  const than = descending ? Prisma.sql`<` : Prisma.sql`>`;
  if (byId(stretch)) return Prisma.sql`${presence} AND s.id ${than} ${edge.id}::uuid`;
  const value =
    by === "confirmed"
      ? Prisma.sql`${edge.value as Date}::timestamptz`
      : Prisma.sql`${edge.value as string} COLLATE "C"`;
  return Prisma.sql`${presence} AND (${column}, s.id) ${than} (${value}, ${edge.id}::uuid)`;
}

function ordering(stretch: Stretch, value: Prisma.Sql): Prisma.Sql {
  const direction = stretch.descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return byId(stretch)
    ? Prisma.sql`ORDER BY s.id ${direction}`
    : Prisma.sql`ORDER BY ${value} ${direction}, s.id ${direction}`;
}

const valueIn = ({ by, blank }: Stretch, where: Written) =>
  blank ? Prisma.sql`NULL::text` : columnOf(by, where);

/** The next in order, whoever they are, of whom those who match are kept: an index gives them at once. */
function walk(table: Prisma.Sql, where: Written, filter: PeopleFilter, stretch: Stretch): Prisma.Sql {
  const { newsletterId, status } = filter;
  const narrowed = isNarrowed(filter, stretch.by);
  const rows = narrowed ? WALK : stretch.need;
  const nearest =
    where === "raw" && stretch.by === "added" && status
      ? pageOfStatus(newsletterId, status, {
          after: stretch.edge?.id ?? null,
          descending: stretch.descending,
          limit: rows,
        })
      : Prisma.sql`SELECT s.* FROM ${table} s
          WHERE s.newsletter_id = ${newsletterId}::uuid ${spanOf(filter, stretch.by)} ${beyond(stretch, where)}
          ${ordering(stretch, columnOf(stretch.by, where))} LIMIT ${rows}`;
  return Prisma.sql`
    SELECT s.id, ${valueIn(stretch, where)} AS value FROM (${nearest}) s
    WHERE ${narrowed ? conditionOf(filter, where) : Prisma.sql`true`} ${ordering(stretch, columnOf(stretch.by, where))} LIMIT ${stretch.need}`;
}

/** All who match, of whom the first are kept. OFFSET 0: found first, by whatever index is best, and sorted then. */
function gather(table: Prisma.Sql, where: Written, filter: PeopleFilter, stretch: Stretch): Prisma.Sql {
  return Prisma.sql`
    SELECT s.id, s.value FROM (
      SELECT s.id, ${valueIn(stretch, where)} AS value FROM ${table} s
      WHERE ${conditionOf(filter, where)} ${beyond(stretch, where)} OFFSET 0
    ) s ${ordering(stretch, Prisma.sql`s.value`)} LIMIT ${stretch.need}`;
}

/** Bytes decide, as in the database. */
function compare(a: Edge, b: Edge): number {
  if (typeof a.value === "string" && typeof b.value === "string" && a.value !== b.value)
    return Buffer.compare(Buffer.from(a.value), Buffer.from(b.value));
  if (a.value instanceof Date && b.value instanceof Date && a.value.getTime() !== b.value.getTime())
    return a.value.getTime() - b.value.getTime();
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Reads stretches of one list, all at the same moment. */
function reader(tx: Tx, filter: PeopleFilter) {
  let copies: Promise<Prisma.Sql[]> | undefined;
  const copied = () => {
    copies ??= findRest(tx, filter.newsletterId).then((rest) => copiedAndRest(filter.newsletterId, rest));
    return copies;
  };
  const list = Prisma.sql`subscribers`;
  const read = (sql: Prisma.Sql) => tx.$queryRaw<Edge[]>`/* edge of a page */ ${sql}`;

  return async (stretch: Stretch): Promise<Edge[]> => {
    const { by, need } = stretch;
    const enough = (found: Edge[]) => found.length >= need || !isNarrowed(filter, by);
    if (by === "confirmed" || (by === "added" && !filter.search)) {
      const near = await read(walk(list, "raw", filter, stretch));
      if (enough(near)) return near;
      if (!filter.search) return read(gather(list, "raw", filter, stretch));
    }
    const found: Edge[] = [];
    for (const [i, table] of (await copied()).entries()) {
      // The copy has an index for these orders; who is not in it yet, for that of ids.
      const indexed = by === "added" || (i === 0 && by !== "confirmed");
      const near = indexed ? await read(walk(table, "copied", filter, stretch)) : null;
      if (near && enough(near)) found.push(...near);
      // Without a search, the list itself has the better indexes.
      else if (near && !filter.search) return read(gather(list, "raw", filter, stretch));
      else found.push(...(await read(gather(table, "copied", filter, stretch))));
    }
    found.sort((a, b) => (stretch.descending ? compare(b, a) : compare(a, b)));
    return found.slice(0, need);
  };
}

async function findEdge(tx: Tx, newsletterId: string, id: string, by: By): Promise<Edge | null> {
  if (by === "added") return { id, value: null };
  const value = {
    email: Prisma.sql`lower(email)`,
    name: Prisma.sql`searched_name(first_name, last_name)`,
    confirmed: Prisma.sql`confirmed_at`,
  }[by];
  const rows = await tx.$queryRaw<Edge[]>`
    SELECT id, ${value} AS value FROM subscribers WHERE newsletter_id = ${newsletterId}::uuid AND id = ${id}::uuid`;
  return rows[0] ?? null;
}

/**
 * A page of people, in order; a page before somebody ends beside them.
 * @returns `lost` when whom it should be beside is no longer on the list and the order needs more of them than their id: then
 * it is the first page
 */
export function pageOfPeople(
  db: Db,
  filter: PeopleFilter,
  { order, limit, from }: { order: PeopleOrder; limit: number; from: Place },
): Promise<{ rows: NamedSubscriberRow[]; lost: boolean }> {
  const { newsletterId } = filter;
  const { by, descending } = bys[order];
  return atOneMoment(db, async (tx) => {
    const id = from === null ? null : "before" in from ? from.before : from.after;
    const edge = id === null ? null : await findEdge(tx, newsletterId, id, by);
    const lost = id !== null && edge === null;
    const backwards = edge !== null && from !== null && "before" in from;
    const read = reader(tx, filter);
    const edges: Edge[] = [];
    const more = async (blank: boolean, beside: Edge | null) => {
      const need = limit - edges.length;
      if (need === 0) return;
      edges.push(
        ...(await read({ by, blank, descending: (blank || descending) !== backwards, edge: beside, need })),
      );
    };
    const hasBlanks = (by === "name" || by === "confirmed") && !(by === "confirmed" && isConfirmed(filter));
    const inBlanks = hasBlanks && edge !== null && edge.value === null;
    if (backwards) {
      if (inBlanks) await more(true, edge);
      await more(false, inBlanks ? null : edge);
    } else {
      if (!inBlanks) await more(false, edge);
      if (hasBlanks) await more(true, inBlanks ? edge : null);
    }
    if (backwards) edges.reverse();
    const people = await listNamedSubscribers(
      tx,
      newsletterId,
      edges.map((one) => one.id),
    );
    const byIdOf = new Map(people.map((person) => [person.id, person]));
    return { rows: edges.flatMap((one) => byIdOf.get(one.id) ?? []), lost };
  });
}

const isConfirmed = (filter: PeopleFilter) => Boolean(filter.confirmedFrom || filter.confirmedBefore);
