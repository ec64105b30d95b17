import type { PeopleFilterInput } from "../contract/people-filter";
import type { FieldValue } from "../domain/fields";
import { lowestIdAt } from "../domain/ids";
import { Prisma, type Tx } from "./client";
import { listFieldRows } from "./fields";
import { findTags } from "./tags";

/** Which people of a newsletter; see the contract. */
export type PeopleFilter = { newsletterId: string } & PeopleFilterInput;

/** How far apart the clocks of those who make ids and of the database may be. */
export const HOUR_MS = 3_600_000;

/** Which rows `s` are: of the search index, or of the subscribers themselves. */
export type RowsOf = "index" | "list";

/** Address and name in lower case: columns of the search index, or made of a subscriber's. */
export const lowerCase = {
  index: { email: Prisma.sql`s.email`, name: Prisma.sql`s.name` },
  list: {
    email: Prisma.sql`lower(s.email) COLLATE "C"`,
    name: Prisma.sql`searched_name(s.first_name, s.last_name) COLLATE "C"`,
  },
};

/** Any part of the address or name; one or two letters are the start of a word. */
function searchCondition(search: string, rowsOf: RowsOf): Prisma.Sql {
  const { email, name } = lowerCase[rowsOf];
  const literal = search.replace(/[\\%_]/g, "\\$&");
  const like = (column: Prisma.Sql, pattern: string) => Prisma.sql`${column} LIKE lower(${pattern})`;
  const parts =
    Array.from(search).length < 3
      ? [like(email, `${literal}%`), like(name, `${literal}%`), like(name, `% ${literal}%`)]
      : [like(email, `%${literal}%`), like(name, `%${literal}%`)];
  return Prisma.sql`(${Prisma.join(parts, " OR ")})`;
}

/** Ids are in the order of time, so the primary key finds a span of it. */
export const idFrom = (at: Date) => Prisma.sql`s.id >= ${lowestIdAt(at.getTime() - HOUR_MS)}::uuid`;
const idBefore = (at: Date) => Prisma.sql`s.id < ${lowestIdAt(at.getTime() + HOUR_MS)}::uuid`;

/** One value as an equation, which the planner knows more of than of a list. */
export const isOneOf = (column: Prisma.Sql, values: string[]) =>
  values.length === 1
    ? Prisma.sql`${column} = ${values[0]}`
    : Prisma.sql`${column} = ANY (${values}::text[])`;

/** A filter whose tags and fields are named by their numbers; of a field that there is not nobody has a value. */
export type NumberedFilter = Omit<PeopleFilter, "tags" | "fields"> & {
  tags?: number[];
  fields?: Record<string, FieldValue>;
};

export async function numberFilter(tx: Tx, filter: PeopleFilter): Promise<NumberedFilter> {
  const { tags, fields, ...rest } = filter;
  const { newsletterId } = filter;
  const rows = fields ? await listFieldRows(tx, newsletterId) : [];
  const numberOf = (key: string) => rows.find((row) => row.key === key)?.number ?? 0;
  return {
    ...rest,
    ...(tags && { tags: (await findTags(tx, newsletterId, tags)).map(({ number }) => number) }),
    ...(fields && {
      fields: Object.fromEntries(Object.entries(fields).map(([key, value]) => [numberOf(key), value])),
    }),
  };
}

/** A condition on rows `s` of the list; those of the index are looked up there. */
const ofList = (rowsOf: RowsOf, newsletterId: string, condition: Prisma.Sql) =>
  rowsOf === "list"
    ? condition
    : Prisma.sql`s.id IN (SELECT s.id FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND ${condition})`;

type Parts = Required<Omit<NumberedFilter, "newsletterId">>;

/** What each part of a filter asks of rows `s`. */
const conditions: {
  [Part in Exclude<keyof Parts, "importPart">]: (
    value: Parts[Part],
    rowsOf: RowsOf,
    filter: NumberedFilter,
  ) => Prisma.Sql;
} = {
  status: (some) => isOneOf(Prisma.sql`s.status`, some),
  // As the partial index of the rarer sources has it.
  source(some) {
    const condition = isOneOf(Prisma.sql`s.source`, some);
    return some.includes("api") ? condition : Prisma.sql`${condition} AND s.source <> 'api'`;
  },
  tags: (numbers, rowsOf, { newsletterId }) =>
    ofList(rowsOf, newsletterId, Prisma.sql`s.tags && ${numbers}::int[]`),
  fields: (values, rowsOf, { newsletterId }) =>
    ofList(rowsOf, newsletterId, Prisma.sql`s.fields @> ${JSON.stringify(values)}::jsonb`),
  addedFrom: (from) => Prisma.sql`${idFrom(from)} AND s.created_at >= ${from}::timestamptz`,
  addedBefore: (before) => Prisma.sql`${idBefore(before)} AND s.created_at < ${before}::timestamptz`,
  confirmedFrom: (from) => Prisma.sql`s.confirmed_at >= ${from}::timestamptz`,
  confirmedBefore: (before) => Prisma.sql`s.confirmed_at < ${before}::timestamptz`,
  // The people that an import added have it as their source; those who stayed unchanged are rows of the import.
  import(id, _, { importPart = "added" }) {
    if (importPart === "added") return Prisma.sql`s.source = 'import' AND s.source_id = ${id}::uuid`;
    const only = importPart === "still_here" ? Prisma.sql`AND leaving IS NOT NULL` : Prisma.empty;
    return Prisma.sql`s.id IN (SELECT subscriber_id FROM import_unchanged WHERE import_id = ${id}::uuid ${only})`;
  },
  search: searchCondition,
};

/** The part of a filter that is a span of the order itself: where reading in that order begins and ends. */
export function spanOf(filter: NumberedFilter, by: string): Prisma.Sql {
  const { addedFrom, addedBefore, confirmedFrom, confirmedBefore } = filter;
  const parts: Prisma.Sql[] = [];
  if (by === "added" && addedFrom) parts.push(idFrom(addedFrom));
  if (by === "added" && addedBefore) parts.push(idBefore(addedBefore));
  if (by === "confirmed" && confirmedFrom)
    parts.push(conditions.confirmedFrom(confirmedFrom, "list", filter));
  if (by === "confirmed" && confirmedBefore)
    parts.push(conditions.confirmedBefore(confirmedBefore, "list", filter));
  return parts.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(parts, " AND ")}`;
}

/** Whether reading in this order meets people who do not match. */
export function isNarrowed({ newsletterId, ...filter }: NumberedFilter, by: string): boolean {
  return Object.entries(filter).some(
    ([part, value]) => value !== undefined && !(by === "confirmed" && part.startsWith("confirmed")),
  );
}

/** The condition on rows `s`. */
export function conditionOf(filter: NumberedFilter, rowsOf: RowsOf): Prisma.Sql {
  const parts = Object.entries(conditions).flatMap(([part, condition]) => {
    const value = filter[part as keyof typeof conditions];
    // Each value is of its own part, which the type of all entries together does not tell.
    return value ? condition(value as never, rowsOf, filter) : [];
  });
  return Prisma.join([Prisma.sql`s.newsletter_id = ${filter.newsletterId}::uuid`, ...parts], " AND ");
}
