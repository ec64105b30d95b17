import type { Condition, Filter } from "@/server/contract/filter";

const allOf = (...conditions: Condition[]): Filter => ({ match: "all", conditions, not: [] });

/** Common segments to begin with. */
export const segmentPresets: { name: string; filter: Filter }[] = [
  {
    name: "Pending for more than 7 days",
    filter: allOf(
      { about: "status", is: ["pending"] },
      { about: "asked", test: "over_days_ago", days: 7 },
      { about: "mail", is: ["sent", "delivered"] },
    ),
  },
  { name: "Bounced", filter: allOf({ about: "mail", is: ["bounced"] }) },
];
