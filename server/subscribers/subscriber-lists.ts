import { pageOf } from "../kernel/cursor";
import { resolveFieldFilter } from "./attributes";
import type { Ctx } from "./context";
import { includeMembers } from "./include-members";
import type { ResolvedCondition } from "./queries/filter-conditions";
import { countPeople } from "./queries/people-counts";
import { allOf, type PeopleFilter } from "./queries/people-filter";
import { eachChunk, pageOfRecords } from "./queries/record-pages";
import { numbersOfTags } from "./queries/tags";
import type { Include } from "./schema/fields";
import { defaultOrder, type ListOrder, type ListPosition, type ListQuery } from "./schema/list-query";
import type { SubscriberRecord } from "./schema/subscriber";
import { resolveSegmentQuery } from "./segments";
import { presentSubscriber } from "./subscribers";

/** The start of a page: after a subscriber's position, or a page number (from 1). */
export type ListStart = { after: ListPosition } | { page: number } | null;

/** Times are stored in milliseconds. */
const afterTime = (time: Date) =>
  ({ test: "after", at: new Date(time.getTime() + 1).toISOString() }) as const;

type FilterQuery = Omit<ListQuery, "sort" | "limit" | "cursor" | "include" | "page">;

/** The filter of a list query. @throws AppError validation_error on `field` or `segment` */
export async function resolveListQuery(
  ctx: Pick<Ctx, "db">,
  { newsletterId, query }: { newsletterId: string; query: FilterQuery },
): Promise<PeopleFilter> {
  const { status, email, external_id, search, tag, segment, field, created_after, updated_after } = query;
  const conditions: ResolvedCondition[] = [];
  if (status) conditions.push({ about: "status", is: [status] });
  if (email !== undefined) conditions.push({ about: "address", canonical: email });
  if (external_id !== undefined) conditions.push({ about: "external_id", value: external_id });
  if (search !== undefined) conditions.push({ about: "search", value: search });
  if (field) conditions.push(...(await resolveFieldFilter(ctx, { newsletterId, given: field })));
  if (tag !== undefined)
    conditions.push({ about: "tag", is: (await numbersOfTags(ctx.db, newsletterId, [tag])).get(tag) ?? [] });
  if (created_after) conditions.push({ about: "added", ...afterTime(created_after) });
  if (updated_after) conditions.push({ about: "updated", ...afterTime(updated_after) });
  const saved = segment === undefined ? [] : [await resolveSegmentQuery(ctx, { newsletterId, id: segment })];
  return { newsletterId, filters: [allOf(...conditions), ...saved] };
}

/** `limit`: 1 to 1,000. */
type ListPage = { filter: PeopleFilter; order?: ListOrder; limit: number; position: ListStart };

/**
 * A page of subscribers, newest first by default.
 * @returns next: the position that the next page starts after; total: the exact number on all pages
 */
export async function listSubscribers(
  ctx: Pick<Ctx, "db">,
  { filter, order = defaultOrder, limit, position }: ListPage,
) {
  const from = position && "page" in position ? { offset: (position.page - 1) * limit } : position;
  const [found, total] = await Promise.all([
    pageOfRecords(ctx.db, filter, { order, limit: limit + 1, from }),
    countPeople(ctx.db, filter),
  ]);
  const { items, next } = pageOf(found, limit, (last) => last.position);
  return { items: items.map(({ row }) => presentSubscriber(row, row.createdAt)), total, next };
}

/**
 * Passes all matching subscribers to `take` in chunks, as of one moment and in the order of `listSubscribers`.
 * @param take waits until the next chunk is needed; an error ends the reading
 */
export function streamSubscribers(
  { db, outbox }: Pick<Ctx, "db" | "outbox">,
  {
    filter,
    order = defaultOrder,
    include,
  }: { filter: PeopleFilter; order?: ListOrder; include?: Include | undefined },
  take: (records: SubscriberRecord[]) => Promise<void>,
): Promise<void> {
  const { newsletterId } = filter;
  return eachChunk(db, { filter, order }, async (tx, rows) => {
    const records = rows.map((row) => presentSubscriber(row, row.createdAt));
    await take(await includeMembers({ db, tx, outbox }, { newsletterId, records, include }));
  });
}
