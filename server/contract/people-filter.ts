import { z } from "zod";
import { longestFieldText } from "../domain/fields";
import { statuses } from "../domain/status-moves";
import { Filter, PeopleSearch } from "./filter";
import { importParts, sources } from "./people-list";

/** A Date where it is chosen, an ISO text in the request; of the years that people use and PostgreSQL takes. */
export const Moment = z
  .union([z.date(), z.iso.datetime().transform((text) => new Date(text))])
  .pipe(z.date().min(new Date("1900-01-01")).max(new Date("9999-12-31")));

/** One value, as filters had it once, or several: any of them. */
const anyOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.union([
    z.enum(values).transform((value) => [value]),
    z
      .array(z.enum(values))
      .min(1)
      .max(50)
      .transform((some) => [...new Set(some)]),
  ]);

/** What narrows the list of people; an absent part does not. A span begins with its first moment and ends before its last. */
export const PeopleFilterInput = z.object({
  search: PeopleSearch,
  status: anyOf(statuses).optional(),
  source: anyOf(sources).optional(),
  /** With one of these tags at least, in any case. */
  tags: z
    .array(z.string().trim().min(1).max(200))
    .min(1)
    .max(100)
    .transform((tags) => [...new Set(tags.map((tag) => tag.normalize("NFC").toLowerCase()))])
    .optional(),
  /** With all of these values, by the keys of the newsletter's fields. */
  fields: z
    .record(z.string().max(64), z.union([z.string().max(longestFieldText), z.number(), z.boolean()]))
    .refine((values) => Object.keys(values).length <= 100)
    .optional(),
  addedFrom: Moment.optional(),
  addedBefore: Moment.optional(),
  confirmedFrom: Moment.optional(),
  confirmedBefore: Moment.optional(),
  /** The id of an import. */
  import: z.uuid().optional(),
  /** Absent: those it added. */
  importPart: z.enum(importParts).optional(),
  /** The id of a saved segment. */
  segment: z.uuid().optional(),
  /** A segment that is not saved. */
  filter: Filter.optional(),
});
export type PeopleFilterInput = z.output<typeof PeopleFilterInput>;
