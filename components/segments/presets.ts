import type { SegmentGroups } from "@/server/contract/segments";

/** What staff ask most, to begin a segment with. */
export const segmentPresets: { name: string; groups: SegmentGroups }[] = [
  {
    name: "Asked over 7 days ago and silent",
    groups: [
      {
        match: "all",
        conditions: [
          { about: "status", is: ["pending"] },
          { about: "asked", test: "over_days_ago", days: 7 },
          { about: "mail", is: ["sent", "delivered"] },
        ],
      },
    ],
  },
  {
    name: "Bounced",
    groups: [{ match: "all", conditions: [{ about: "mail", is: ["bounced"] }] }],
  },
];
