import type { LinkedBulkKind } from "../bulk-actions/schema/bulk-actions";
import { conditionsFrom, type PeopleArguments } from "./schema/arguments";

type Planned = { action: LinkedBulkKind; actionTag: string | undefined };
type Place = { appUrl: string; newsletterId: string; segment: string | undefined };

/**
 * The People page with these people and the bulk action's question. view-state.tsx reads the address.
 * @param given no segment together with name, email or domain
 */
export function peopleLink(
  { appUrl, newsletterId, segment }: Place,
  given: PeopleArguments,
  { action, actionTag }: Planned,
): string {
  const query = new URLSearchParams();
  if (segment) {
    const { status, tag } = given;
    query.set("segment", segment);
    if (status) query.set("status", status);
    // The page separates several tags by commas.
    if (tag) query.set("tags", tag.replaceAll(",", "%2C"));
  } else {
    const conditions = conditionsFrom(given);
    if (conditions.length > 0) query.set("groups", JSON.stringify({ match: "all", conditions, not: [] }));
  }
  query.set("action", action);
  if (actionTag) query.set("actionTag", actionTag);
  return `${appUrl}/n/${newsletterId}/people?${query}`;
}
