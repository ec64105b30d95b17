import { lowestIdAt } from "../../kernel/ids";
import { HOUR_MS } from "../../kernel/time";
import { Prisma } from "../../platform/db/client";
import { columnName } from "../../platform/db/column-name";
import type { importParts } from "../schema/people-list";
import { eachText, type TextName } from "../schema/subscriber-texts";

// SQL conditions on rows `s`, for filters of the list and for segments.

/** Whether rows `s` are of the search index or of `subscribers`. */
export type RowsOf = "index" | "list";

const inList = (name: TextName) =>
  name === "name" ? "searched_name(s.first_name, s.last_name)" : `lower(s.${columnName(name)})`;

/** Each text in lower case: a column of the search index, or an expression on `subscribers`. */
export const lowerCase = {
  index: eachText((name) => Prisma.raw(`s.${columnName(name)}`)),
  list: eachText((name) => Prisma.raw(`${inList(name)} COLLATE "C"`)),
};

/** Escapes a text so that LIKE matches it literally. */
export const likeLiteral = (text: string) => text.replace(/[\\%_]/g, "\\$&");

/**
 * Ids are in the order of time, so the primary key finds a time span. The hour covers clock differences between the
 * machines that create ids and the database.
 */
export const idFrom = (at: Date) => Prisma.sql`s.id >= ${lowestIdAt(at.getTime() - HOUR_MS)}::uuid`;
export const idBefore = (at: Date) => Prisma.sql`s.id < ${lowestIdAt(at.getTime() + HOUR_MS)}::uuid`;

export const addedFrom = (from: Date) => Prisma.sql`${idFrom(from)} AND s.created_at >= ${from}::timestamptz`;
export const addedBefore = (before: Date) =>
  Prisma.sql`${idBefore(before)} AND s.created_at < ${before}::timestamptz`;

/** An equation for a single value: the planner estimates it better than a list. */
export const isOneOf = (column: Prisma.Sql, values: string[]) =>
  values.length === 1
    ? Prisma.sql`${column} = ${values[0]}`
    : Prisma.sql`${column} = ANY (${values}::text[])`;

/** Uses the expression of the partial index on rare sources. */
export function isOfSource(some: string[]): Prisma.Sql {
  const condition = isOneOf(Prisma.sql`s.source`, some);
  return some.includes("api") ? condition : Prisma.sql`${condition} AND s.source <> 'api'`;
}

/** People added by an import have it as their source. People who stayed unchanged are rows of the import. */
export function isOfImport(id: string, part: (typeof importParts)[number]): Prisma.Sql {
  if (part === "added") return Prisma.sql`s.source = 'import' AND s.source_id = ${id}::uuid`;
  const only = part === "still_here" ? Prisma.sql`AND leaving IS NOT NULL` : Prisma.empty;
  return Prisma.sql`s.id IN (SELECT subscriber_id FROM import_unchanged WHERE import_id = ${id}::uuid ${only})`;
}

/** The rows `s` of the search index for which a condition on the list holds. */
export const ofList = (newsletterId: string, condition: Prisma.Sql) =>
  Prisma.sql`s.id IN (SELECT s.id FROM subscribers s WHERE s.newsletter_id = ${newsletterId}::uuid AND ${condition})`;
