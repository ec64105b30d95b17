import { z } from "zod";
import { timeMeta } from "../../kernel/api-time";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { importUndoDays } from "../../kernel/durations";
import { longLimitField } from "../../subscribers/schema/list-query";
import { NewSubscriber } from "../../subscribers/schema/subscriber";
import { newOutcomes, noOutcomes, type RowOutcome } from "./import-counts";
import { Consent, importStates } from "./imports";

/** The largest body with a list: 100,000 people with some fields and tags each. */
export const maxListBytes = 32 * 1024 * 1024;

export const listTypes = ["application/json", "application/x-ndjson", "text/csv"] as const;

/** One person of a list. */
export const ImportItem = z
  .object(
    {
      ...NewSubscriber.shape,
      status: z
        .enum(["active", "pending", "unsubscribed"], {
          error: 'The status must be "active", "pending" or "unsubscribed".',
        })
        .nullish()
        .meta({
          description:
            "unsubscribed: added as unsubscribed and never emailed. Left out or null: as default_status says.",
        }),
    },
    { error: "A person must be a JSON object with an email." },
  )
  .meta({ id: "ImportItem" });

export const ImportQuery = z.object({
  default_status: z
    .enum(["active", "pending"], { error: "default_status must be active or pending." })
    .default("active")
    .meta({ description: "The status of people without one." }),
});

export const UndoQuery = z.object({
  remove_opt_outs: z
    .enum(["false", "true"], { error: "remove_opt_outs must be false or true." })
    .default("false")
    .meta({
      description:
        "true: also removes the suppressions of people that the list calls unsubscribed. They could be added again.",
    }),
});

const outcomes = Object.keys(noOutcomes) as RowOutcome[];
/** Results of a row: its outcome, or rejected. */
const results = [...outcomes, "rejected"] as const;
export type RowResult = (typeof results)[number];

const resultMeanings =
  "new_active, new_pending, new_unsubscribed: added with this status. already_active, already_pending, unsubscribed: already on the list, and unchanged. suppressed: never receives email, and not added. rejected: not valid, see `reason`.";

/** A row's place in the list. A rejected row has no canonical address. */
export type RowPlace = { line: number; canonical: string };

export const writeRowCursor = ({ line, canonical }: RowPlace) => writeCursor(`${line} ${canonical}`);

const readRowCursor = (text: string): RowPlace | null => {
  const [, line, canonical] = /^(\d{1,9}) ([\x21-\x7e]{0,254})$/.exec(text) ?? [];
  return line === undefined || canonical === undefined ? null : { line: Number(line), canonical };
};

export const ImportRowsQuery = z.object({
  result: z
    .enum(results, { error: `result must be one of ${results.join(", ")}.` })
    .optional()
    .meta({ description: "Returns only the rows with this result." }),
  limit: longLimitField,
  cursor: cursorSchema(readRowCursor, { longest: 360 })
    .optional()
    .meta({ description: "`pagination.next_cursor` of the previous page." }),
});

export const ImportRowRecord = z
  .object({
    line: z.int().meta({
      description: "The line of a CSV or NDJSON list, or the item of an array. Counted from 1.",
      examples: [2],
    }),
    email: z
      .string()
      .nullable()
      .meta({ description: "Null for rejected rows.", examples: ["ada@lovelace.org"] }),
    result: z.enum(results).meta({ description: resultMeanings, examples: ["new_pending"] }),
    text: z
      .string()
      .nullable()
      .meta({ description: "The start of a rejected row, as sent. Null for other rows.", examples: [null] }),
    reason: z
      .string()
      .nullable()
      .meta({ description: "Why a row was rejected, for people.", examples: [null] }),
  })
  .meta({ id: "ImportRow" });
export type ImportRowRecord = z.infer<typeof ImportRowRecord>;

const people = (examples: number[]) => z.int().nonnegative().meta({ examples });

export const ImportResource = z
  .object({
    id: z.uuid().meta({ examples: ["01a1fab8-2261-7c52-9d0e-6f1c0b7a4e83"] }),
    state: z.enum(importStates).meta({
      description:
        "planned: nothing was changed yet; a plan is kept for one day. running: people are being added. done: all were added. cancelled, failed, outdated: nobody was added. outdated: people have changed since the plan, so send the list again. undoing, undone: the people are being or were removed.",
      examples: ["planned"],
    }),
    digest: z
      .string()
      .meta({ description: "Identifies the plan. Send it to commit.", examples: ["5f0c2d…"] }),
    rows: people([3]).meta({ description: "Valid rows, without repeated addresses." }),
    rejected: people([1]).meta({ description: "Rows that are not valid, or that repeat an address." }),
    results: z
      .object(Object.fromEntries(outcomes.map((name) => [name, people([0])])) as Record<RowOutcome, z.ZodInt>)
      .meta({ description: `Valid rows by result. ${resultMeanings}` }),
    people: people([2]).meta({
      description: `The people that the import adds as active or pending: the sum of ${newOutcomes
        .filter((name) => name !== "new_unsubscribed")
        .join(" and ")}. Send it to commit.`,
    }),
    progress: z
      .object({ done: people([0]), total: people([3]) })
      .meta({ description: "Rows written, or during an undo people removed." }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why the import or its undo failed, for people.", examples: [null] }),
    undone: z
      .object({
        removed: people([2]),
        kept: people([0]).meta({ description: "People who have changed since the import." }),
      })
      .nullable()
      .meta({ description: "The result of an undo.", examples: [null] }),
    created_at: z.string().meta(timeMeta()),
    ended_at: z.string().nullable().meta(timeMeta("When the import ended.", null)),
    undo_until: z
      .string()
      .nullable()
      .meta(timeMeta(`An import can be undone for ${importUndoDays} days.`, null)),
  })
  .meta({ id: "Import" });
export type ImportResource = z.infer<typeof ImportResource>;

export const CommitBody = z
  .object(
    {
      digest: z
        .string({ error: "Send the digest of the plan." })
        .meta({ description: "From the plan. The commit is refused if the plan is another one by now." }),
      consent: z
        .object({
          source: Consent.shape.source.meta({
            description: "Where these people agreed, such as a form or an event.",
          }),
          wording: Consent.shape.wording.optional().meta({ description: "The words that they agreed to." }),
          people: Consent.shape.people.meta({ description: "`people` of the plan." }),
        })
        .nullish()
        .meta({
          description: "The consent to receive email. Required if the plan adds people as active or pending.",
        }),
    },
    { error: "The body must be a JSON object with a digest and the consent." },
  )
  .meta({ id: "ImportCommit" });
