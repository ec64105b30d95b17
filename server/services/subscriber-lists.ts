import type { SubscriberRecord } from "../contract/subscriber";
import {
  countSubscribers,
  findSubscriber,
  pageOfSubscribers,
  type SubscriberFilter,
} from "../db/subscriber-pages";
import type { Ctx } from "./context";
import { notFound } from "./subscriber-changes";
import { present } from "./subscribers";

/** @throws AppError not_found, also for another newsletter's person */
export async function get(ctx: Pick<Ctx, "db">, newsletterId: string, id: string): Promise<SubscriberRecord> {
  const row = await findSubscriber(ctx.db, newsletterId, id);
  if (!row) throw notFound(id);
  return present(row, row.createdAt);
}

/** Where a page begins: after a person, or at a page number (from 1). */
export type Position = { after: string } | { page: number } | null;

export type SubscriberPage = {
  records: SubscriberRecord[];
  /** How many there are on all pages, exactly. */
  total: number;
  /** The id that the next page begins after; null on the last. */
  nextAfter: string | null;
};

/** A page of people, newest first. @param limit 1 to 100 */
export async function list(
  ctx: Pick<Ctx, "db">,
  filter: SubscriberFilter,
  limit: number,
  position: Position,
): Promise<SubscriberPage> {
  const from = position && "page" in position ? { offset: (position.page - 1) * limit } : position;
  // One more than asked for says whether there is a next page.
  const [rows, total] = await Promise.all([
    pageOfSubscribers(ctx.db, filter, limit + 1, from),
    countSubscribers(ctx.db, filter),
  ]);
  const records = rows.slice(0, limit).map((row) => present(row, row.createdAt));
  return { records, total, nextAfter: rows.length > limit ? (records.at(-1)?.id ?? null) : null };
}
