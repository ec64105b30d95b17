import type { Condition, Filter } from "@/server/subscribers/schema/filter";

const allOf = (...conditions: Condition[]): Filter => ({ match: "all", conditions, not: [] });

/** Common segments to begin with. */
export const segmentPresets: { key: "longPending" | "bounced"; filter: Filter }[] = [
  {
    key: "longPending",
    filter: allOf(
      { about: "status", is: ["pending"] },
      { about: "asked", test: "over_days_ago", days: 7 },
      { about: "mail", is: ["sent", "delivered"] },
    ),
  },
  { key: "bounced", filter: allOf({ about: "mail", is: ["bounced"] }) },
];
