import { z } from "zod";

/**
 * Encodes a cursor: a short Latin-1 text in base64url. Callers can't rely on its content, so the content can change.
 */
export function writeCursor(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function readCursor(cursor: string, longest: number): string | null {
  if (cursor.length > longest || cursor.length % 4 === 1) return null;
  if (!/^[A-Za-z0-9_-]+$/.test(cursor)) return null;
  return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
}

const NOT_OURS = "cursor must be the next_cursor of an earlier response.";

/**
 * Validates a cursor in a query.
 * @param parse reads the decoded text; null for a text that Rollcall never wrote
 * @param options word: accepted instead of a cursor; longest: the number of characters of the longest cursor
 */
export const cursorSchema = <Place, Word extends string = never>(
  parse: (text: string) => Place | null,
  { message = NOT_OURS, word, longest = 140 }: { message?: string; word?: Word; longest?: number } = {},
) =>
  z.string({ error: message }).transform((cursor, ctx): Place | Word => {
    if (word !== undefined && cursor === word) return word;
    const text = readCursor(cursor, longest);
    const place = text === null ? null : parse(text);
    if (place !== null) return place;
    ctx.issues.push({ code: "custom", message, input: cursor });
    return z.NEVER;
  });

/** One page of a list; `next` is the cursor of the next page, null on the last. */
export type CursorPage<Item, Cursor> = { items: Item[]; next: Cursor | null };

/** Makes a page from rows read with one more than `limit`. The extra row shows that there is a next page. */
export function pageOf<Row, Cursor>(
  rows: Row[],
  limit: number,
  cursorOf: (last: Row) => Cursor,
): CursorPage<Row, Cursor> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
