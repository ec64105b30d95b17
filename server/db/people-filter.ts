import type { PeopleFilterInput } from "../contract/people-filter";
import { lowestIdAt } from "../domain/ids";
import { Prisma } from "./client";

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
function searchPart(search: string, rowsOf: RowsOf): Prisma.Sql {
  const { email, name } = lowerCase[rowsOf];
  const literal = search.replace(/[\\%_]/g, "\\$&");
  const like = (column: Prisma.Sql, pattern: string) => Prisma.sql`${column} LIKE lower(${pattern})`;
  const parts =
    Array.from(search).length < 3
      ? [like(email, `${literal}%`), like(name, `${literal}%`), like(name, `% ${literal}%`)]
      : [like(email, `%${literal}%`), like(name, `%${literal}%`)];
  return Prisma.sql`(${Prisma.join(parts, " OR ")})`;
}

const none: Prisma.Sql[] = [];

/** Ids are in the order of time, so the primary key finds the span. */
const addedParts = ({ addedFrom, addedBefore }: PeopleFilter): Prisma.Sql[] => [
  ...(addedFrom ? [Prisma.sql`s.id >= ${lowestIdAt(addedFrom.getTime() - HOUR_MS)}::uuid`] : none),
  ...(addedBefore ? [Prisma.sql`s.id < ${lowestIdAt(addedBefore.getTime() + HOUR_MS)}::uuid`] : none),
];

const confirmedParts = ({ confirmedFrom, confirmedBefore }: PeopleFilter): Prisma.Sql[] => [
  ...(confirmedFrom ? [Prisma.sql`s.confirmed_at >= ${confirmedFrom}::timestamptz`] : none),
  ...(confirmedBefore ? [Prisma.sql`s.confirmed_at < ${confirmedBefore}::timestamptz`] : none),
];

/** The part of a filter that is a span of the order itself: where reading in that order begins and ends. */
export function spanOf(filter: PeopleFilter, by: string): Prisma.Sql {
  const parts = by === "added" ? addedParts(filter) : by === "confirmed" ? confirmedParts(filter) : none;
  return parts.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(parts, " AND ")}`;
}

/** Whether reading in this order meets people who do not match. */
export function isNarrowed({ newsletterId, ...filter }: PeopleFilter, by: string): boolean {
  return Object.entries(filter).some(
    ([part, value]) => value !== undefined && !(by === "confirmed" && part.startsWith("confirmed")),
  );
}

/** The people whom an import added have it as their source; those who stayed unchanged are rows of the import. */
function importParts({ import: id, importPart }: PeopleFilter): Prisma.Sql[] {
  if (!id) return none;
  return importPart === "unchanged"
    ? [Prisma.sql`s.id IN (SELECT subscriber_id FROM import_unchanged WHERE import_id = ${id}::uuid)`]
    : [Prisma.sql`s.source = 'import' AND s.source_id = ${id}::uuid`];
}

/** The condition on rows `s`. */
export function conditionOf(filter: PeopleFilter, rowsOf: RowsOf): Prisma.Sql {
  const { newsletterId, search, status, source, addedFrom, addedBefore } = filter;
  const parts = [Prisma.sql`s.newsletter_id = ${newsletterId}::uuid`];
  if (status) parts.push(Prisma.sql`s.status = ${status}`);
  if (source === "api") parts.push(Prisma.sql`s.source = 'api'`);
  // As the partial index of the rarer sources has it.
  else if (source) parts.push(Prisma.sql`s.source = ${source} AND s.source <> 'api'`);
  parts.push(...addedParts(filter), ...confirmedParts(filter), ...importParts(filter));
  if (addedFrom) parts.push(Prisma.sql`s.created_at >= ${addedFrom}::timestamptz`);
  if (addedBefore) parts.push(Prisma.sql`s.created_at < ${addedBefore}::timestamptz`);
  if (search) parts.push(searchPart(search, rowsOf));
  return Prisma.join(parts, " AND ");
}
