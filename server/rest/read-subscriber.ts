import type { z } from "zod";
import { fieldOf, type ItemFault, invalidField, parse } from "../kernel/errors";
import { bulkRejection } from "../subscribers/bulk-faults";
import { bulkBounds, NewSubscriber, SubscriberPatch } from "../subscribers/schema/subscriber";
import { NewSuppression } from "../suppressions/schema/suppressions";
import { LinkIds, linkBounds } from "./schema/operation-schemas";

type Issue = z.core.$ZodIssue;

/** Returns the code of the broken rule. Our own rules carry a code; zod's codes follow from the issue. */
function ruleOf(issue: Issue, item: unknown): string {
  if (issue.code === "custom" && typeof issue.params?.rule === "string") return issue.params.rule;
  if (issue.code === "invalid_value") return "invalid_choice";
  // zod could report the input itself, but this option makes parsing four times slower, for valid items too.
  const input = issue.path.reduce((at: unknown, key) => (at as Record<PropertyKey, unknown>)?.[key], item);
  if (issue.code === "invalid_type") return input === undefined ? "required" : "invalid_type";
  return issue.code;
}

/** Reads a change to a person, which names at least one field. @throws AppError validation_error */
export function readPatch(value: unknown): SubscriberPatch {
  const patch = parse(SubscriberPatch, value);
  if (Object.values(patch).some((member) => member !== undefined)) return patch;
  const message = `The body changes nothing. Send at least one of ${Object.keys(SubscriberPatch.shape).join(", ")}.`;
  throw invalidField("body", message);
}

/**
 * Reads an array: its valid items, and the errors of the others.
 * @param what the items' noun, for messages
 * @throws AppError validation_error on `body` when the body is no array or has too many or too few items
 */
function readItems<T extends z.ZodType>(
  schema: T,
  value: unknown,
  what: string,
  { min, max }: { min: number; max: number } = bulkBounds,
): { items: { index: number; input: z.output<T> }[]; faults: ItemFault[] } {
  const reject = (message: string) => invalidField("body", message);
  if (!Array.isArray(value)) throw reject(`The body must be a JSON array of ${min} to ${max} ${what}.`);
  if (value.length < min) throw reject(`The array is empty. Send ${min} to ${max} ${what} in one request.`);
  if (value.length > max)
    throw reject(`The array has ${value.length} items. Send at most ${max} in one request.`);
  const items: { index: number; input: z.output<T> }[] = [];
  const faults: ItemFault[] = [];
  for (const [index, item] of value.entries()) {
    const result = schema.safeParse(item);
    if (result.success) items.push({ index, input: result.data });
    else {
      for (const issue of result.error.issues) {
        faults.push({ index, field: fieldOf(issue), code: ruleOf(issue, item), message: issue.message });
      }
    }
  }
  return { items, faults };
}

/** Reads the people of a bulk request. @throws AppError validation_error */
export const readBulk = (value: unknown) => readItems(NewSubscriber, value, "subscribers");

/**
 * Reads the people of a bulk request, each also as a change to an existing person. @throws AppError validation_error
 */
export function readUpsert(value: unknown) {
  const { items, faults } = readBulk(value);
  const given = value as unknown[];
  return {
    items: items.map((item) => ({ ...item, patch: SubscriberPatch.parse(given[item.index]) })),
    faults,
  };
}

/** Reads the ids of a request for links, in lower case. @throws AppError validation_error with every bad id */
export function readLinkIds(value: unknown): string[] {
  const { items, faults } = readItems(LinkIds.element, value, "ids", linkBounds);
  if (faults.length === 0) return items.map(({ input }) => input);
  throw bulkRejection(
    faults.map((fault) => ({ ...fault, field: "id" })),
    "no links were made",
  );
}

/** @throws AppError validation_error */
export const readSuppressions = (value: unknown) => readItems(NewSuppression, value, "suppressions");
