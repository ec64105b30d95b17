import { HIGHEST_ID, LOWEST_ID } from "../../kernel/ids";
import { type Db, Prisma } from "../../platform/db/client";
import type { Status } from "../status-moves";
import { conditionOf, isOnlyRequired, type PeopleFilter, requiredOf } from "./people-filter";
import { type SubscriberRow, subscriberColumns } from "./subscribers";

/** The start, direction and length of a page by id. */
export type IdPage = { after: string | null; descending: boolean; limit: number; offset?: number };

/**
 * Rows `s` of one status, by id. Row bounds replace equations: with equations the planner reads the newsletter in the
 * order of ids and skips other statuses until it finds a match. If the newer half has unsubscribed, that is half of the
 * list.
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

/** The status of a filter that has no other condition. */
function onlyStatusOf(filter: PeopleFilter): Status | undefined {
  const [first, ...others] = requiredOf(filter);
  const isAlone = isOnlyRequired(filter) && others.length === 0;
  return isAlone && first?.about === "status" && first.is.length === 1 ? first.is[0] : undefined;
}

/**
 * A page of subscribers without a search, newest first, because ids are UUID v7. With a million people one statement
 * takes 1.3 ms, and 0.5 ms by email. Reading positions first, as other orders and searches do, takes 5 and 11 ms.
 * @param from the id before the page, or the number of subscribers to skip (the cost grows with it)
 */
export async function pageOfSubscribers(
  db: Db,
  filter: PeopleFilter,
  limit: number,
  from: { after: string } | { offset: number } | null,
): Promise<SubscriberRow[]> {
  const after = from && "after" in from ? from.after : null;
  const offset = from && "offset" in from ? from.offset : 0;
  const below = after === null ? Prisma.empty : Prisma.sql`AND s.id < ${after}::uuid`;
  const status = onlyStatusOf(filter);
  const page = status
    ? pageOfStatus(filter.newsletterId, status, { after, descending: true, limit, offset })
    : Prisma.sql`SELECT s.* FROM subscribers s WHERE ${conditionOf(filter, "list")} ${below}
        ORDER BY s.id DESC LIMIT ${limit} OFFSET ${offset}`;
  return db.$queryRaw<SubscriberRow[]>`SELECT ${subscriberColumns} FROM (${page}) s ORDER BY s.id DESC`;
}
