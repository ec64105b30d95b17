import { z } from "zod";
import { damerauDistance } from "../kernel/damerau-distance";
import { AppError, invalid, malformed } from "../kernel/errors";
import { parseJsonBody, readJsonBytes } from "../platform/http/request-body";
import { bulkBounds } from "../subscribers/schema/subscriber";
import { ignoredFieldsHeader } from "./envelope";
import type { RestContext } from "./rest-context";
import type { Operation } from "./schema/operation";

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

const mostIgnored = 20;
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
  const items = Array.isArray(body) ? body.slice(0, bulkBounds.max) : [body];
  for (const item of items) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
    for (const name in item) if (!members.has(name) && ignored.size <= mostIgnored) ignored.add(name);
  }
  if (ignored.size === 0) return null;
  const names: string[] = [];
  let letters = 0;
  for (const name of ignored) {
    const written = encoded(name);
    letters += written.length + 2;
    if (names.length === mostIgnored || letters > longestHeader) return [...names, "..."].join(", ");
    // A member with an empty name can't be listed.
    if (written !== "") names.push(written);
  }
  return names.length > 0 ? names.join(", ") : null;
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
