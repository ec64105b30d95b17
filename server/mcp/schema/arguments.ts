// The arguments of the tools. Clients see these schemas as JSON Schema, with the descriptions.
import { z } from "zod";
import { codes, outcomes, requestsKeptDays } from "../../api-keys/schema/request-log";
import { linkedBulkKinds } from "../../bulk-actions/schema/bulk-actions";
import { ImportItem, ImportQuery } from "../../imports/schema/import-records";
import { maxRowsForStaff } from "../../imports/schema/imports";
import { mailFilters } from "../../mail/schema/mail-states";
import { ActivityQuery } from "../../subscribers/schema/activities";
import { type Condition, type PeopleFilterInput, requiredSearch } from "../../subscribers/schema/filter";
import { ListQuery } from "../../subscribers/schema/list-query";
import { statuses } from "../../subscribers/status-moves";

const text = (name: string, description: string) =>
  requiredSearch(`${name} must not be empty.`).optional().meta({ description });

const filterArguments = {
  name: text("name", "Only people whose name contains this text."),
  email: text("email", "Only the person with this whole address."),
  domain: text("domain", "Only people with an address at this domain, such as example.org."),
  status: z.enum(statuses).optional().meta({ description: "Only people with this status." }),
  tag: text("tag", "Only people with this tag."),
  segment: text("segment", "Only people in this segment, by its name or id. Staff define segments."),
};
export const PeopleArguments = z.strictObject(filterArguments);
export type PeopleArguments = z.output<typeof PeopleArguments>;

/** The conditions of the arguments, without the segment. */
export function conditionsFrom({ name, email, domain, status, tag }: PeopleArguments): Condition[] {
  const conditions: Condition[] = [];
  if (name) conditions.push({ about: "name", test: "contains", value: name });
  if (email) conditions.push({ about: "email", test: "is", value: email });
  if (domain) conditions.push({ about: "email", test: "ends_with", value: `@${domain.replace(/^@/, "")}` });
  if (status) conditions.push({ about: "status", is: [status] });
  if (tag) conditions.push({ about: "tag", is: [tag] });
  return conditions;
}

/** @param segment the segment's id */
export function peopleFilterOf(given: PeopleArguments, segment: string | undefined): PeopleFilterInput {
  const conditions = conditionsFrom(given);
  const filters = conditions.length > 0 ? [{ match: "all" as const, conditions, not: [] }] : [];
  return { filters, ...(segment && { segment }) };
}

const mostPeople = 50;
const limitRange = `limit must be a whole number from 1 to ${mostPeople}.`;
const idCursor = z.uuid().optional().meta({ description: "The next_cursor of the previous page." });
const person = z
  .string()
  .trim()
  .min(1, "person must be an id or an email address.")
  .max(1_000)
  .meta({ description: "The id or the whole email address of the person." });

export const FindArguments = z.strictObject({
  ...filterArguments,
  limit: z
    .int(limitRange)
    .min(1, limitRange)
    .max(mostPeople, limitRange)
    .default(20)
    .meta({ description: "People per page." }),
  cursor: ListQuery.shape.cursor,
});

export const ExplainArguments = z.strictObject({ person, cursor: ActivityQuery.shape.cursor });

export const EmailArguments = z.strictObject({
  state: z.enum(mailFilters).optional().meta({
    description:
      "Only emails in this state. deferred: sent later. logged: stored and not sent, because no provider is set up. uncertain: the provider may have accepted it.",
  }),
  person: person.optional().meta({ description: "Only emails to this person, by id or email address." }),
  cursor: idCursor,
});

const answers = [...outcomes, ...codes.map(({ code }) => code)] as [string, ...string[]];

export const RequestArguments = z.strictObject({
  answer: z.enum(answers).optional().meta({ description: "Only requests with this outcome or error code." }),
  within_minutes: z
    .int()
    .min(1)
    .max(requestsKeptDays * 24 * 60)
    .optional()
    .meta({ description: "Only requests of the last minutes." }),
  cursor: idCursor,
});

const manyPeople = `people must be an array of 1 to ${maxRowsForStaff.toLocaleString("en")} people.`;

export const ImportArguments = z.strictObject({
  people: z
    .array(z.unknown(), manyPeople)
    .min(1, manyPeople)
    .max(maxRowsForStaff, `${manyPeople} Split a longer list into several plans, or ask staff to import it.`),
  default_status: ImportQuery.shape.default_status.removeDefault().default("pending").meta({
    description:
      "The status of people without one. pending: they receive a confirmation email once staff add them.",
  }),
});
/** As clients see it. The verb checks each person and rejects invalid ones by line. */
export const ShownImportArguments = ImportArguments.extend({
  people: z.array(ImportItem).min(1).max(maxRowsForStaff),
});

export const BulkArguments = z
  .strictObject({
    ...filterArguments,
    action: z.enum(linkedBulkKinds).meta({
      description:
        "confirm: send pending people another confirmation email. activate: make pending people active. tag, untag: add or remove `action_tag`.",
    }),
    action_tag: text("action_tag", "For tag and untag: the tag to add or remove."),
  })
  .refine(({ action, action_tag }) => action_tag !== undefined || (action !== "tag" && action !== "untag"), {
    message: "Name the tag in action_tag.",
    path: ["action_tag"],
  })
  .refine(({ segment, name, email, domain }) => !segment || !(name || email || domain), {
    message:
      "A plan can't combine segment with name, email or domain. Use status and tag with it, or leave out segment.",
    path: ["segment"],
  });
