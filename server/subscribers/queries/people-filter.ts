import { Prisma } from "../../platform/db/client";
import type { Filter } from "../schema/filter";
import { subscriberTexts } from "../schema/subscriber-texts";
import {
  conditionSql,
  idBefore,
  idFrom,
  ofList,
  type ResolvedCondition,
  type RowsOf,
} from "./filter-conditions";

/** A filter in the form that queries take; see server/subscribers/filters.ts. */
export type ResolvedFilter = Pick<Filter, "match"> & Record<"conditions" | "not", ResolvedCondition[]>;

/** The people of a newsletter who match every filter. */
export type PeopleFilter = { newsletterId: string; filters: ResolvedFilter[] };

export const allOf = (...conditions: ResolvedCondition[]): ResolvedFilter => ({
  match: "all",
  conditions,
  not: [],
});

/** The people who meet all these conditions; all people if there are none. */
export const peopleWith = (newsletterId: string, ...conditions: ResolvedCondition[]): PeopleFilter => ({
  newsletterId,
  filters: [allOf(...conditions)],
});

const isAll = ({ match, conditions }: ResolvedFilter) => match === "all" || conditions.length < 2;

/** Conditions that hold for everybody who matches. */
export const requiredOf = ({ filters }: PeopleFilter): ResolvedCondition[] =>
  filters.filter(isAll).flatMap(({ conditions }) => conditions);

export const isOnlyRequired = ({ filters }: PeopleFilter) =>
  filters.every((filter) => isAll(filter) && filter.not.length === 0);

/** A time condition on the column of the order. */
const isInOrder = (one: ResolvedCondition, by: string) => one.about === by && "at" in one;

/** The range to read in an order. Ids contain the time, except for clock differences. */
export function spanOf(filter: PeopleFilter, by: string): Prisma.Sql {
  const parts = requiredOf(filter).flatMap((one) => {
    if (!isInOrder(one, by)) return [];
    if (one.about === "added" && "at" in one)
      return (one.test === "after" ? idFrom : idBefore)(new Date(one.at));
    return conditionSql(one, "list", filter.newsletterId);
  });
  return parts.length === 0 ? Prisma.empty : Prisma.sql`AND ${Prisma.join(parts, " AND ")}`;
}

/** Whether reading in this order meets people who don't match. `of`: only people of this condition are read. */
export const isNarrowed = (filter: PeopleFilter, by: string, of?: ResolvedCondition) =>
  !isOnlyRequired(filter) ||
  requiredOf(filter).some((one) => one !== of && !(by === "confirmed" && isInOrder(one, by)));

/** Conditions on columns that the search index doesn't have. */
const isListOnly = ({ about }: ResolvedCondition) =>
  ["tag", "field", "address", "external_id", "updated"].includes(about);

/** A comparison with a text, for which the search index has a database index. */
const isTextCompared = (one: ResolvedCondition) =>
  one.about in subscriberTexts && "test" in one && !["set", "not_set"].includes(one.test);

/** Whether the search index finds the people: by a search, or by a text if it has all columns of the filter. */
export function usesSearchIndex(filter: PeopleFilter): boolean {
  const required = requiredOf(filter);
  if (required.some(({ about }) => about === "search")) return true;
  const all = filter.filters.flatMap(({ conditions, not }) => [...conditions, ...not]);
  return required.some(isTextCompared) && !all.some(isListOnly);
}

/** Whether `subscribers` has a database index for the condition. */
const isIndexed = (one: ResolvedCondition) =>
  one.about === "tag" ||
  one.about === "address" ||
  one.about === "external_id" ||
  (one.about === "field" && (one.test === "equals" || (one.test === "is" && one.type !== "text")));

/**
 * A condition on the list, checked for each row of the search index. OFFSET 0 forces a look-up per row. With a join,
 * the planner may read the mails of all people again for each row, which took 17 s with 330 people.
 */
const lookUpInList = (condition: Prisma.Sql) => Prisma.sql`EXISTS (
  SELECT FROM (SELECT l.* FROM subscribers l WHERE l.newsletter_id = s.newsletter_id AND l.id = s.id OFFSET 0) s
  WHERE ${condition} OFFSET 0)`;

/** The conditions of a filter on rows `s`; all must hold. */
function partsOf(filter: ResolvedFilter, rowsOf: RowsOf, newsletterId: string): Prisma.Sql[] {
  const { conditions, not } = filter;
  const anyOf = (some: ResolvedCondition[]) => {
    const isLookedUp = rowsOf === "index" && some.some(isListOnly);
    const parts = some.map(
      (one) => Prisma.sql`(${conditionSql(one, isLookedUp ? "list" : rowsOf, newsletterId)})`,
    );
    const any = Prisma.sql`(${Prisma.join(parts, " OR ")})`;
    return isLookedUp ? lookUpInList(any) : any;
  };
  const required = (one: ResolvedCondition) =>
    rowsOf === "index" && isIndexed(one)
      ? ofList(newsletterId, conditionSql(one, "list", newsletterId))
      : anyOf([one]);
  const parts = isAll(filter) ? conditions.map(required) : [anyOf(conditions)];
  // IS NOT TRUE keeps people without a value: for them the condition is NULL.
  if (not.length > 0) parts.push(Prisma.sql`${anyOf(not)} IS NOT TRUE`);
  return parts;
}

/** SQL for a filter on rows `s`. */
export function conditionOf({ newsletterId, filters }: PeopleFilter, rowsOf: RowsOf): Prisma.Sql {
  const parts = filters.flatMap((filter) => partsOf(filter, rowsOf, newsletterId));
  return Prisma.join([Prisma.sql`s.newsletter_id = ${newsletterId}::uuid`, ...parts], " AND ");
}
