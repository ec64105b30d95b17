import { z } from "zod";
import { bulkBounds } from "../subscribers/schema/subscriber";

const mostNames = 20;
const mostLetters = 1_000;
const mostLettersOfName = 64;

/** What a token of HTTP may hold (RFC 9110, 5.6.2), but for the percent sign, which begins an encoded byte here. */
const NO_TOKEN = /[^!#$&'*+.^_`|~0-9A-Za-z-]/g;

const encoded = (name: string) =>
  Buffer.from(name.slice(0, mostLettersOfName))
    .toString("latin1")
    .replace(NO_TOKEN, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

const known = new WeakMap<z.ZodType, Set<string>>();

/** The members that a body, or each item of a body that is an array, may have. */
function knownMembers(schema: z.ZodType): Set<string> {
  const found = known.get(schema);
  if (found) return found;
  const item = schema instanceof z.ZodArray ? (schema.element as z.ZodType) : schema;
  const members = new Set(item instanceof z.ZodObject ? Object.keys(item.shape) : []);
  known.set(schema, members);
  return members;
}

/**
 * The members of a body that its schema does not know, as a header's value: each once, in the order of the body, bytes
 * that no token holds percent-encoded; `...` at the end stands for more.
 * @returns null when there is none
 */
export function ignoredFields(schema: z.ZodType, body: unknown): string | null {
  const members = knownMembers(schema);
  const ignored = new Set<string>();
  const items = Array.isArray(body) ? body.slice(0, bulkBounds.max) : [body];
  for (const item of items) {
    if (typeof item !== "object" || item === null || Array.isArray(item)) continue;
    for (const name in item) if (!members.has(name) && ignored.size <= mostNames) ignored.add(name);
  }
  if (ignored.size === 0) return null;
  const names: string[] = [];
  let letters = 0;
  for (const name of ignored) {
    const written = encoded(name);
    letters += written.length + 2;
    if (names.length === mostNames || letters > mostLetters) return [...names, "..."].join(", ");
    // A member without a name has no letters to name it by.
    if (written !== "") names.push(written);
  }
  return names.length > 0 ? names.join(", ") : null;
}
