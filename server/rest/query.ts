import type { z } from "zod";
import { damerauDistance } from "../kernel/damerau-distance";
import { AppError, invalid, malformed } from "../kernel/errors";
import type { Operation } from "./schema/operation";

/** The largest Damerau distance between a misspelt name and its suggestion. */
const MOST_SLIPS = 2;
const MOST_LETTERS = 64;
const GROUPED = /^(field)\[([^[\]]*)\]$/;

function nearestParameter(name: string, known: string[]): string | null {
  const typed = name.toLowerCase();
  if (typed.length > MOST_LETTERS) return null;
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
  const message = `Unknown query parameter "${name.slice(0, MOST_LETTERS)}"${advice} ${all}`;
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
