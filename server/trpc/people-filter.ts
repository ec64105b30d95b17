import { z } from "zod";
import type { PeopleFilter } from "../db/people-filter";
import { statuses } from "../domain/status-moves";

/** What narrows the list of people, as the dashboard sends it. */
export const Filter = z.object({
  search: z
    .string()
    .trim()
    .max(200)
    // No text in PostgreSQL holds a zero, so nobody is found by one.
    .transform((text) => text.replaceAll("\0", "\uFFFD"))
    .optional(),
  status: z.enum(statuses).optional(),
  source: z.enum(["api", "dashboard", "import", "public", "operator"]).optional(),
  addedFrom: z.date().optional(),
  addedBefore: z.date().optional(),
  confirmedFrom: z.date().optional(),
  confirmedBefore: z.date().optional(),
  import: z.uuid().optional(),
  importPart: z.enum(["added", "unchanged"]).optional(),
});

/** Absent and undefined are the same to the browser; to the query only absent is. */
export function filterOf(newsletterId: string, filter: z.infer<typeof Filter>): PeopleFilter {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return { newsletterId, ...Object.fromEntries(given) };
}
