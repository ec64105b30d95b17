import { z } from "zod";
import { timeMeta } from "../../kernel/api-time";
import { line } from "./fields";
import { Filter } from "./filter";
import { peopleOrders } from "./people-list";

export const maxSegments = 100;
const longestName = 100;
const nameError = "Enter a name for the segment.";

/** A segment to save, with the order and columns of the list at that time. */
export const NewSegment = z.object({
  name: z
    .string({ error: nameError })
    .trim()
    .min(1, nameError)
    .pipe(line("name", longestName))
    .meta({ description: `Use one line of at most ${longestName} characters.` }),
  filter: Filter,
  order: z.enum(peopleOrders).default("newest"),
  /** Names of columns besides the email; null: the columns that each reader chose. */
  columns: z.array(z.string().max(80)).max(120).nullable().default(null),
});
export type NewSegment = z.output<typeof NewSegment>;

/** A saved segment as the API lists it. */
export const SegmentRecord = z
  .object({
    id: z.uuid().meta({ examples: ["01a1fab8-2231-7c02-9f1b-6a0d7c3e5b11"] }),
    name: z.string().meta({ examples: ["Not confirmed"] }),
    created_at: z.string().meta(timeMeta()),
  })
  .meta({ id: "Segment" });
export type SegmentRecord = z.infer<typeof SegmentRecord>;

export type SavedSegment = NewSegment & {
  id: string;
  /** Counts the changes, from 1. */
  version: number;
  /** The segment has nested groups, which a filter can't express. It matches nobody until its filter is saved again. */
  isNested: boolean;
};
