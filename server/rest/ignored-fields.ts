import { z } from "zod";
import { bulkBounds } from "../subscribers/schema/subscriber";

const mostNames = 20;
const mostLetters = 1_000;
const mostLettersOfName = 64;

// The bytes replace halves of characters, which a URL can't hold.
const encoded = (name: string) =>
  encodeURIComponent(Buffer.from(name.slice(0, mostLettersOfName)).toString());

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
    for (const name in item) if (!members.has(name) && ignored.size <= mostNames) ignored.add(name);
  }
  if (ignored.size === 0) return null;
  const names: string[] = [];
  let letters = 0;
  for (const name of ignored) {
    const written = encoded(name);
    letters += written.length + 2;
    if (names.length === mostNames || letters > mostLetters) return [...names, "..."].join(", ");
    // A member with an empty name can't be listed.
    if (written !== "") names.push(written);
  }
  return names.length > 0 ? names.join(", ") : null;
}
