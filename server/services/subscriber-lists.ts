import type { ListQuery } from "../contract/list-query";
import type { SubscriberRecord } from "../contract/subscriber";
import { countSubscribers, pageOfSubscribers, type SubscriberFilter } from "../db/subscriber-pages";
import { resolveFieldFilter } from "./attributes";
import type { Ctx } from "./context";
import { resolveSegmentQuery } from "./segments";
import { presentSubscriber } from "./subscribers";
import { findTagNumber } from "./tags";

/** Where a page begins: after a subscriber, or at a page number (from 1). */
export type Position = { after: string } | { page: number } | null;

export type SubscriberPage = {
  records: SubscriberRecord[];
  /** How many there are on all pages, exactly. */
  total: number;
  /** The id that the next page begins after; null on the last. */
  nextAfter: string | null;
};

/**
 * What a list's query asks for; null where nobody can match.
 * @throws AppError validation_error (400) on `field` or `segment`
 */
export async function resolveFilter(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  query: Pick<
    ListQuery,
    "status" | "email" | "tag" | "segment" | "field" | "created_after" | "updated_after"
  >,
): Promise<SubscriberFilter | null> {
  const {
    status,
    email,
    tag,
    segment: segmentId,
    field,
    created_after: createdAfter,
    updated_after: updatedAfter,
  } = query;
  const fields = field && (await resolveFieldFilter(ctx, newsletterId, field));
  const number = tag === undefined ? undefined : await findTagNumber(ctx, newsletterId, tag);
  const segment =
    segmentId === undefined ? undefined : await resolveSegmentQuery(ctx, newsletterId, segmentId);
  if (number === null) return null;
  const filter = { newsletterId, status, emailCanonical: email, tag: number, fields, segment };
  return { ...filter, createdAfter, updatedAfter };
}

/** A page of subscribers, newest first. @param limit 1 to 100 */
export async function listSubscribers(
  ctx: Pick<Ctx, "db">,
  filter: SubscriberFilter | null,
  { limit, position }: { limit: number; position: Position },
): Promise<SubscriberPage> {
  if (filter === null) return { records: [], total: 0, nextAfter: null };
  const from = position && "page" in position ? { offset: (position.page - 1) * limit } : position;
  // One more than asked for shows whether there is a next page.
  const [rows, total] = await Promise.all([
    pageOfSubscribers(ctx.db, filter, limit + 1, from),
    countSubscribers(ctx.db, filter),
  ]);
  const records = rows.slice(0, limit).map((row) => presentSubscriber(row, row.createdAt));
  return { records, total, nextAfter: rows.length > limit ? (records.at(-1)?.id ?? null) : null };
}
