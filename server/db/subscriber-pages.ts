import type { FieldValue } from "../domain/fields";
import { HIGHEST_ID, LOWEST_ID } from "../domain/ids";
import type { Status } from "../domain/status-moves";
import { type Db, Prisma } from "./client";
import { countByStatus } from "./people-counts";
import { conditionOf, type NumberedFilter } from "./people-filter";
import { idFrom } from "./person-conditions";

import { type SubscriberRow, subscriberColumns } from "./subscribers";

/** Which subscribers a list is about; an absent filter does not narrow it. */
export type SubscriberFilter = {
  newsletterId: string;
  status?: Status;
  emailCanonical?: string;
  /** The number of a tag. */
  tag?: number;
  /** Values by the number of their field; null: none. */
  fields?: Record<string, FieldValue | null>;
  segment?: NumberedFilter;
  createdAfter?: Date;
  updatedAfter?: Date;
};

/** Where a page by id begins, in which direction, and how long it is. */
export type IdPage = { after: string | null; descending: boolean; limit: number; offset?: number };

/**
 * Rows `s` of one status, by id. As bounds of a row instead of equations: the planner would otherwise read the newsletter
 * in the order of ids and skip other statuses, expecting a match soon; where the newer half has unsubscribed, that is
 * half of the list.
 */
export function pageOfStatus(
  newsletterId: string,
  status: Status,
  { after, descending, limit, offset = 0 }: IdPage,
): Prisma.Sql {
  const bound = (id: string) => Prisma.sql`(${status}, ${newsletterId}::uuid, ${id}::uuid)`;
  const low = (!descending && after) || LOWEST_ID;
  const high = (descending && after) || HIGHEST_ID;
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`SELECT s.* FROM subscribers s
    WHERE (s.status, s.newsletter_id, s.id) > ${bound(low)} AND (s.status, s.newsletter_id, s.id) < ${bound(high)}
    ORDER BY s.status ${direction}, s.newsletter_id ${direction}, s.id ${direction} LIMIT ${limit} OFFSET ${offset}`;
}

function condition(filter: SubscriberFilter): Prisma.Sql {
  const {
    newsletterId,
    status,
    emailCanonical,
    tag,
    fields = {},
    segment,
    createdAfter,
    updatedAfter,
  } = filter;
  const parts = [Prisma.sql`s.newsletter_id = ${newsletterId}::uuid`];
  if (status) parts.push(Prisma.sql`s.status = ${status}`);
  if (emailCanonical !== undefined) parts.push(Prisma.sql`s.email_canonical = ${emailCanonical}`);
  if (tag !== undefined) parts.push(Prisma.sql`s.tags @> ARRAY[${tag}::int]`);
  for (const [number, value] of Object.entries(fields))
    parts.push(
      value === null
        ? Prisma.sql`coalesce(NOT s.fields ? ${number}, true)`
        : Prisma.sql`s.fields @> ${JSON.stringify({ [number]: value })}::jsonb`,
    );
  if (segment) parts.push(conditionOf({ newsletterId, filters: [segment] }, "list"));
  if (createdAfter)
    parts.push(Prisma.sql`${idFrom(createdAfter)} AND s.created_at > ${createdAfter}::timestamptz`);
  if (updatedAfter)
    parts.push(Prisma.sql`coalesce(s.updated_at, s.created_at) > ${updatedAfter}::timestamptz`);
  return Prisma.join(parts, " AND ");
}

/** Whether a filter asks for more than what is counted. */
const isNarrow = ({ newsletterId: _, status: __, ...rest }: SubscriberFilter) =>
  Object.values(rest).some((value) => value !== undefined);

/**
 * A page of subscribers, newest first: ids are UUID v7, so their order is that of creation.
 * @param from the id that the page begins after, or how many subscribers to skip (whose cost grows with it)
 */
export async function pageOfSubscribers(
  db: Db,
  filter: SubscriberFilter,
  limit: number,
  from: { after: string } | { offset: number } | null,
): Promise<SubscriberRow[]> {
  const { newsletterId, status } = filter;
  const after = from && "after" in from ? from.after : null;
  const offset = from && "offset" in from ? from.offset : 0;
  const below = after === null ? Prisma.empty : Prisma.sql`AND s.id < ${after}::uuid`;
  const page =
    status && !isNarrow(filter)
      ? pageOfStatus(newsletterId, status, { after, descending: true, limit, offset })
      : Prisma.sql`SELECT s.* FROM subscribers s WHERE ${condition(filter)} ${below}
          ORDER BY s.id DESC LIMIT ${limit} OFFSET ${offset}`;
  return db.$queryRaw<SubscriberRow[]>`SELECT ${subscriberColumns} FROM (${page}) s ORDER BY s.id DESC`;
}

/** How many subscribers match, exactly. */
export async function countSubscribers(db: Db, filter: SubscriberFilter): Promise<number> {
  const { newsletterId, status } = filter;
  if (isNarrow(filter)) {
    // No model call compares the time of a change that may be absent.
    const [row] = await db.$queryRaw<{ people: number }[]>`
      SELECT count(*)::int AS people FROM subscribers s WHERE ${condition(filter)}`;
    return row?.people ?? 0;
  }
  const counts = await countByStatus(db, newsletterId);
  return status ? counts[status] : counts.active + counts.pending + counts.unsubscribed;
}
