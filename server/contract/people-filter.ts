import { z } from "zod";
import { statuses } from "../domain/status-moves";
import { importParts, sources } from "./people-list";

/** What narrows the list of people; an absent part does not. A span begins with its first moment and ends before its last. */
export const PeopleFilterInput = z.object({
  search: z
    .string()
    .trim()
    .max(200)
    // No text in PostgreSQL contains a zero byte, so a search for one finds nobody.
    .transform((text) => text.replaceAll("\0", "\uFFFD") || undefined)
    .optional(),
  status: z.enum(statuses).optional(),
  source: z.enum(sources).optional(),
  addedFrom: z.date().optional(),
  addedBefore: z.date().optional(),
  confirmedFrom: z.date().optional(),
  confirmedBefore: z.date().optional(),
  /** The id of an import. */
  import: z.uuid().optional(),
  /** Absent: those it added. */
  importPart: z.enum(importParts).optional(),
});
export type PeopleFilterInput = z.output<typeof PeopleFilterInput>;
