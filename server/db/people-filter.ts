import type { PeopleFilterInput } from "../contract/people-filter";
import { lowestIdAt } from "../domain/ids";
import { Prisma } from "./client";

/** Which people of a newsletter; see the contract. */
export type PeopleFilter = { newsletterId: string } & PeopleFilterInput;

/** How far apart the clocks of those who make ids and of the database may be. */
export const HOUR_MS = 3_600_000;

/** What is searched for, each with what it must be like: any part; one or two letters are the start of a word. */
function patterns(search: string): { email: string; names: string[] } {
  const literal = search.replace(/[\\%_]/g, "\\$&");
  return Array.from(search).length < 3
    ? { email: `${literal}%`, names: [`${literal}%`, `% ${literal}%`] }
    : { email: `%${literal}%`, names: [`%${literal}%`] };
}

/** Where address and name stand, in lower case: in columns of the copy, or to be made of a row of the list. */
export type Written = "copied" | "raw";

export const written = {
  copied: { email: Prisma.sql`s.email`, name: Prisma.sql`s.name` },
  raw: {
    email: Prisma.sql`lower(s.email) COLLATE "C"`,
    name: Prisma.sql`searched_name(s.first_name, s.last_name) COLLATE "C"`,
  },
};

function found(search: string, where: Written): Prisma.Sql {
  const { email, name } = written[where];
  const { email: ofEmail, names } = patterns(search);
  const like = (column: Prisma.Sql, pattern: string) => Prisma.sql`${column} LIKE lower(${pattern})`;
  return Prisma.sql`(${Prisma.join([like(email, ofEmail), ...names.map((one) => like(name, one))], " OR ")})`;
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

/** What of a filter is a span of the order itself: where a walk in that order begins and ends. */
export function spanOf(filter: PeopleFilter, by: string): Prisma.Sql {
  const parts = by === "added" ? addedParts(filter) : by === "confirmed" ? confirmedParts(filter) : none;
  return parts.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(parts, " AND ")}`;
}

/** Whether a walk in this order meets people who do not match. */
export function isNarrowed({ newsletterId, ...filter }: PeopleFilter, by: string): boolean {
  return Object.entries(filter).some(
    ([part, value]) => value !== undefined && !(by === "confirmed" && part.startsWith("confirmed")),
  );
}

/** Whom an import added stands with each of them; whom it left alone, with the import. */
function importParts({ import: id, importPart }: PeopleFilter): Prisma.Sql[] {
  if (!id) return none;
  return importPart === "unchanged"
    ? [Prisma.sql`s.id IN (SELECT subscriber_id FROM import_unchanged WHERE import_id = ${id}::uuid)`]
    : [Prisma.sql`s.source = 'import' AND s.source_id = ${id}::uuid`];
}

/** The condition on rows `s`, of the list or of its copy. */
export function conditionOf(filter: PeopleFilter, where: Written): Prisma.Sql {
  const { newsletterId, search, status, source, addedFrom, addedBefore } = filter;
  const parts = [Prisma.sql`s.newsletter_id = ${newsletterId}::uuid`];
  if (status) parts.push(Prisma.sql`s.status = ${status}`);
  if (source === "api") parts.push(Prisma.sql`s.source = 'api'`);
  // As the partial index of the rarer ones has it.
  else if (source) parts.push(Prisma.sql`s.source = ${source} AND s.source <> 'api'`);
  parts.push(...addedParts(filter), ...confirmedParts(filter), ...importParts(filter));
  if (addedFrom) parts.push(Prisma.sql`s.created_at >= ${addedFrom}::timestamptz`);
  if (addedBefore) parts.push(Prisma.sql`s.created_at < ${addedBefore}::timestamptz`);
  if (search) parts.push(found(search, where));
  return Prisma.join(parts, " AND ");
}
