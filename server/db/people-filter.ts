import type { PeopleFilterInput } from "../contract/people-filter";
import type { FieldValue } from "../domain/fields";
import { Prisma, type Tx } from "./client";
import { listFieldRows } from "./fields";
import { conditionOfFilter, type NumberedFilter, searchCondition } from "./filter-conditions";
import {
  addedBefore,
  addedFrom,
  idBefore,
  idFrom,
  isOfImport,
  isOfSource,
  isOneOf,
  ofList,
  type RowsOf,
} from "./person-conditions";
import { findTags } from "./tags";

/** Which people of a newsletter; see the contract. All of the filters hold; see services/segments. */
export type PeopleFilter = { newsletterId: string } & Omit<PeopleFilterInput, "segment" | "filter"> & {
    filters?: NumberedFilter[] | undefined;
  };

/** A filter whose tags and fields are named by their numbers; of a field that there is not nobody has a value. */
export type NumberedPeopleFilter = Omit<PeopleFilter, "tags" | "fields"> & {
  tags?: number[];
  fields?: Record<string, FieldValue>;
};

export async function numberFilter(tx: Tx, filter: PeopleFilter): Promise<NumberedPeopleFilter> {
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

type Parts = Required<Omit<NumberedPeopleFilter, "newsletterId">>;

/** What each part of a filter asks of rows `s`. */
const conditions: {
  [Part in Exclude<keyof Parts, "importPart">]: (
    value: Parts[Part],
    rowsOf: RowsOf,
    filter: NumberedPeopleFilter,
  ) => Prisma.Sql;
} = {
  status: (some) => isOneOf(Prisma.sql`s.status`, some),
  source: isOfSource,
  tags: (numbers, rowsOf, { newsletterId }) =>
    ofList(rowsOf, newsletterId, Prisma.sql`s.tags && ${numbers}::int[]`),
  fields: (values, rowsOf, { newsletterId }) =>
    ofList(rowsOf, newsletterId, Prisma.sql`s.fields @> ${JSON.stringify(values)}::jsonb`),
  addedFrom,
  addedBefore,
  confirmedFrom: (from) => Prisma.sql`s.confirmed_at >= ${from}::timestamptz`,
  confirmedBefore: (before) => Prisma.sql`s.confirmed_at < ${before}::timestamptz`,
  import: (id, _, { importPart = "added" }) => isOfImport(id, importPart),
  filters: (filters, rowsOf, { newsletterId }) =>
    Prisma.join(
      filters.map((filter) => conditionOfFilter(filter, rowsOf, newsletterId)),
      " AND ",
    ),
  search: searchCondition,
};

/** The part of a filter that is a span of the order itself: where reading in that order begins and ends. */
export function spanOf(filter: NumberedPeopleFilter, by: string): Prisma.Sql {
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
export function isNarrowed({ newsletterId, ...filter }: NumberedPeopleFilter, by: string): boolean {
  return Object.entries(filter).some(
    ([part, value]) => value !== undefined && !(by === "confirmed" && part.startsWith("confirmed")),
  );
}

/** The condition on rows `s`. */
export function conditionOf(filter: NumberedPeopleFilter, rowsOf: RowsOf): Prisma.Sql {
  const parts = Object.entries(conditions).flatMap(([part, condition]) => {
    const value = filter[part as keyof typeof conditions];
    // Each value is of its own part, which the type of all entries together does not tell.
    return value ? condition(value as never, rowsOf, filter) : [];
  });
  return Prisma.join([Prisma.sql`s.newsletter_id = ${filter.newsletterId}::uuid`, ...parts], " AND ");
}
