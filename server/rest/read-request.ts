import { z } from "zod";
import type { OfNewsletter } from "../accounts/context";
import type { LiveKey, Principal } from "../api-keys/api-key-cache";
import type { AppContext } from "../app";
import { damerauDistance } from "../kernel/damerau-distance";
import { AppError, fieldOf, type ItemFault, invalid, invalidField, malformed, parse } from "../kernel/errors";
import { parseJsonBody, readJsonBytes } from "../platform/http/request-body";
import { bulkRejection } from "../subscribers/bulk-faults";
import type { Ctx } from "../subscribers/context";
import { bulkBounds, NewSubscriber, SubscriberPatch } from "../subscribers/schema/subscriber";
import { NewSuppression } from "../suppressions/schema/suppressions";
import { ignoredFieldsHeader } from "./envelope";
import type { Operation } from "./schema/operation";
import { LinkIds, linkBounds } from "./schema/operation-schemas";

/** A request with an accepted key. `id` and `number` are the path's parameters, as in `Route`. */
export type RestContext = {
  app: AppContext;
  request: Request;
  operation: Operation;
  /** Headers of every answer to the request, including errors. */
  headers: Record<string, string>;
  url: URL;
  id: string;
  number: number;
  ctx: Ctx;
  principal: Principal;
  /** The newsletter of the request. */
  of: OfNewsletter;
};

/** A request of an operation that is about the key. */
export type KeyContext = Pick<RestContext, "app"> & { key: LiveKey };

/** The largest Damerau distance between a misspelt name and its suggestion. */
const MOST_SLIPS = 2;
const LONGEST_PARAMETER = 64;
const GROUPED = /^(field)\[([^[\]]*)\]$/;

function nearestParameter(name: string, known: string[]): string | null {
  const typed = name.toLowerCase();
  if (typed.length > LONGEST_PARAMETER) return null;
  let best: string | null = null;
  let least = MOST_SLIPS + 1;
  for (const one of known) {
    const slips = damerauDistance(typed, one);
    if (slips < least) [best, least] = [one, slips];
  }
  return best;
}

function unknownParameter(name: string, known: string[]): AppError {
  const nearest = nearestParameter(name, known);
  const advice = nearest === null ? "." : `; did you mean ${nearest}?`;
  const all = known.length > 0 ? `Known: ${known.join(", ")}.` : "This operation has no query parameters.";
  const message = `Unknown query parameter "${name.slice(0, LONGEST_PARAMETER)}"${advice} ${all}`;
  // The error is keyed by `query`, not by the unknown name. The name is the caller's text, which may be an email
  // address, and error keys are logged.
  return malformed(message, { errors: { query: [message] } });
}

/**
 * Checks the parameter names of a query. Without this check a misspelt filter would return the whole list.
 * @throws AppError validation_error (400) for an unknown or repeated parameter
 */
export function checkParameters({ query }: Operation, url: URL): void {
  if (url.search === "") return;
  const known = Object.keys(query?.shape ?? {});
  const names = Array.from(url.searchParams.keys());
  // Each member of an object is a parameter of its own: field[company]=….
  const nameOf = (name: string) => GROUPED.exec(name)?.[1] ?? name;
  const unknown = names.find((name) => !known.includes(nameOf(name)));
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return;
  const message = `The query parameter ${twice} is repeated. Send it once.`;
  throw malformed(message, { errors: { [twice]: [message] } });
}

/**
 * Reads a query by its schema, after `checkParameters` has checked its names.
 * @throws AppError validation_error (400), its messages by parameter
 */
export function readQuery<T extends z.ZodObject>(schema: T, url: URL): z.output<T> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of url.searchParams) {
    const [, group, key] = GROUPED.exec(name) ?? [];
    if (group === undefined || key === undefined) given[name] = value;
    else given[group] = { ...(given[group] as object | undefined), [key]: value };
  }
  const result = schema.safeParse(given);
  return result.success ? result.data : rejectQuery(invalid(result.error.issues));
}

/** For verbs that check values of the query. @throws AppError validation_error (400), as `readQuery`; other errors as they are */
export function rejectQuery(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== "validation_error") throw error;
  throw malformed(`In the query: ${error.message}`, { errors: error.errors });
}

const longestHeader = 1_000;
const longestMember = 64;

// The bytes replace halves of characters, which a URL can't hold.
const encoded = (name: string) => encodeURIComponent(Buffer.from(name.slice(0, longestMember)).toString());

const known = new WeakMap<z.ZodType, Set<string>>();

/** Returns the known members of a body, or of each item of an array. */
function knownMembers(schema: z.ZodType): Set<string> {
  const found = known.get(schema);
  if (found) return found;
  const item = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema;
  const members = new Set(item instanceof z.ZodObject ? Object.keys(item.shape) : []);
  known.set(schema, members);
  return members;
}

/**
 * Returns a body's unknown members as a header value: each once, in the body's order. Characters are
 * percent-encoded as in a URL. A final `...` stands for more members.
 * @returns null when all members are known
 */
export function ignoredFields(schema: z.ZodType, body: unknown): string | null {
  const members = knownMembers(schema);
  const ignored = new Set<string>();
  let letters = 0;
  const items = Array.isArray(body) ? body.slice(0, bulkBounds.max) : [body];
  for (const item of items) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
    for (const name in item) {
      const written = members.has(name) ? "" : encoded(name);
      // A member with an empty name can't be listed.
      if (written === "" || ignored.has(written)) continue;
      letters += written.length + 2;
      if (letters > longestHeader) return [...ignored, "..."].join(", ");
      ignored.add(written);
    }
  }
  return ignored.size > 0 ? [...ignored].join(", ") : null;
}

/** Reads the body. @throws AppError as `readJsonBytes` and `parseBody` */
export async function readBody(context: RestContext) {
  return parseBody(context, await readJsonBytes(context.request));
}

/**
 * Parses the body. Names members that the operation doesn't know in the Ignored-Fields header.
 * @throws AppError as `parseJsonBody`
 */
export function parseBody({ request, operation, headers }: RestContext, bytes: Uint8Array) {
  const value = parseJsonBody(request, bytes);
  const ignored = operation.body ? ignoredFields(operation.body, value) : null;
  Object.assign(headers, ignoredFieldsHeader(ignored));
  return value;
}

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

/** Reads a change, which names at least one member. @throws AppError validation_error */
export function readChange<T extends z.ZodObject>(schema: T, value: unknown): z.output<T> {
  const change = parse(schema, value);
  if (Object.values(change).some((member) => member !== undefined)) return change;
  const members = Object.keys(schema.shape).join(", ");
  throw invalidField("body", `The body changes nothing. Send at least one of ${members}.`);
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
