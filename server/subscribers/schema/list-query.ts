import { z } from "zod";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { parseEmail } from "../../kernel/email";
import { canonicalTag } from "../field-values";
import { statuses } from "../status-moves";
import { IncludeParameter, rejectValue } from "./fields";
import { requiredSearch } from "./filter";
import { longestExternalId } from "./subscriber";

export const pageBounds = { min: 1, max: 100, default: 50 } as const;
/** The most subscribers on a page. */
export const maxSubscribersPerPage = 1_000;
/** The last numbered page. Later pages need the cursor, which costs the same for every page. */
export const lastPage = 1_000_000;

/** A whole number in a query string. */
export const whole = (name: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number from ${min} to ${max}.`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `${name} must be a whole number from ${min} to ${max}.`)
    .meta({ type: "integer", minimum: min, maximum: max });

const idBytes = (id: string) =>
  String.fromCharCode(
    ...(id.replaceAll("-", "").match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
  );

/** A cursor of the 16 bytes of the last id. */
export const writeIdCursor = (id: string) => writeCursor(idBytes(id));

function readId(bytes: string): string | null {
  if (bytes.length !== 16) return null;
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The orders of the list of subscribers, by the `sort` that asks for them. */
export const sorts = {
  created_at: "oldest",
  "-created_at": "newest",
  updated_at: "updated",
  "-updated_at": "-updated",
  subscribed_at: "subscribed_at",
  "-subscribed_at": "-subscribed_at",
  email: "email",
  "-email": "-email",
} as const;
type Sort = keyof typeof sorts;
export type ListOrder = (typeof sorts)[Sort];

const sortNames = Object.keys(sorts) as Sort[];
const defaultSort: Sort = "-created_at";
export const defaultOrder = sorts[defaultSort];

/** The last subscriber of a page: the sorted value (null in an order by id; a time as ISO 8601), then the id. */
export type ListPosition = { id: string; value: string | null };

/** The first letter of a cursor, which the default order does not have, and the kind of the sorted value. */
const cursors: Record<ListOrder, { letter: string; value: "text" | "time" | null }> = {
  newest: { letter: "", value: null },
  oldest: { letter: "o", value: null },
  email: { letter: "e", value: "text" },
  "-email": { letter: "d", value: "text" },
  updated: { letter: "u", value: "time" },
  "-updated": { letter: "v", value: "time" },
  subscribed_at: { letter: "s", value: "time" },
  "-subscribed_at": { letter: "t", value: "time" },
};
const isTimeOrder = (order: ListOrder) => cursors[order].value === "time";

/** The cursor of a page of subscribers: the order, the 16 bytes of the last id, and the sorted value in UTF-8. */
export function writeListCursor(order: ListOrder, { id, value }: ListPosition): string {
  const text = Array.from(new TextEncoder().encode(value ?? ""), (byte) => String.fromCharCode(byte));
  return writeCursor(cursors[order].letter + idBytes(id) + text.join(""));
}

/** The longest address in UTF-8, after the letter and the id. */
const longestListCursor = Math.ceil(((1 + 16 + 254 * 3) * 4) / 3);

const isListTime = (value: string) =>
  /^(19|20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) && !Number.isNaN(Date.parse(value));

function readListCursor(bytes: string): { order: ListOrder; after: ListPosition } | null {
  const whole = bytes.length === 16 ? bytes : bytes.slice(1);
  const letter = bytes.length === 16 ? "" : bytes.slice(0, 1);
  const order = Object.values(sorts).find((one) => cursors[one].letter === letter);
  const id = readId(whole.slice(0, 16));
  const text = Uint8Array.from(whole.slice(16), (byte) => byte.charCodeAt(0));
  if (order === undefined || id === null) return null;
  const hasValue = cursors[order].value !== null;
  if (hasValue !== text.length > 0) return null;
  const value = hasValue ? new TextDecoder().decode(text) : null;
  if (value !== null && isTimeOrder(order) && !isListTime(value)) return null;
  // PostgreSQL can't store a zero byte in a text.
  return value?.includes("\0") ? null : { order, after: { id, value } };
}

const time = (name: string) =>
  z.iso
    .datetime({
      offset: true,
      error: `${name} must be a time with its offset, such as 2026-06-11T17:00:00+00:00.`,
    })
    .transform((text) => new Date(text))
    .optional();

const limitUpTo = (max: number) =>
  whole("limit", pageBounds.min, max)
    .optional()
    .meta({ description: `Records per page. Default: ${pageBounds.default}.` });

export const limitField = limitUpTo(pageBounds.max);
/** The number of records on a page of subscribers, or of an import's rows. */
export const longLimitField = limitUpTo(maxSubscribersPerPage);
/** A cursor of `writeIdCursor`. */
export const idCursorField = cursorSchema(readId)
  .optional()
  .meta({ description: "The next_cursor of the previous page." });

export const ListQuery = z
  .object({
    status: z
      .enum(statuses, { error: `status must be one of ${statuses.join(", ")}.` })
      .optional()
      .meta({ description: "Only subscribers with this status." }),
    email: z
      .string()
      .transform((value, ctx) => {
        const validation = parseEmail(value);
        return validation.ok ? validation.canonical : rejectValue(ctx, validation.code, validation.message);
      })
      .optional()
      .meta({ description: "The subscriber with this address, in any equivalent spelling." }),
    search: requiredSearch("search must not be empty.").optional().meta({
      description:
        "Only subscribers whose address or name contains this text. Case does not matter. One or two letters match the start of an address or of a word in a name.",
    }),
    external_id: z
      .string()
      .min(1, "external_id must not be empty.")
      .max(longestExternalId)
      .optional()
      .meta({ description: "The subscriber with this id in your system." }),
    tag: z
      .string()
      .trim()
      .min(1, "tag must not be empty.")
      .max(256)
      .transform(canonicalTag)
      .optional()
      .meta({ description: "Only subscribers with this tag. Case does not matter." }),
    segment: z.uuid("segment must be the id of a segment. GET /api/v1/segments lists them.").optional().meta({
      description: "Only subscribers in the segment with this id. GET /api/v1/segments lists the segments.",
    }),
    field: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description:
          "field[KEY]=value: only subscribers with this value in the field. Several fields must all match. Use digits for numbers, true or false, and dates such as 2026-06-11. An empty value finds subscribers without a value.",
        examples: [{ edition: "Print" }],
      }),
    created_after: time("created_after").meta({ description: "Only subscribers created after this time." }),
    updated_after: time("updated_after").meta({
      description:
        "Only subscribers created or updated after this time. For all changes in order use /api/v1/changes.",
    }),
    sort: z
      .enum(sortNames, { error: `sort must be one of ${sortNames.join(", ")}.` })
      .optional()
      .meta({
        description: `The order of the subscribers; a minus reverses it. Addresses are compared in lower case. Default: ${defaultSort}.`,
      }),
    limit: longLimitField,
    cursor: cursorSchema(readListCursor, { longest: longestListCursor })
      .optional()
      .meta({ description: "The next_cursor of the previous page. Send the same sort with it." }),
    include: IncludeParameter,
    page: whole("page", 1, lastPage).optional().meta({
      description:
        "A page by number, from 1. High page numbers are slow, and a subscriber can appear on two pages while the list changes. Prefer cursor. Do not combine both.",
    }),
  })
  .refine((query) => query.cursor === undefined || query.page === undefined, {
    message: "Use either page or cursor, not both.",
    path: ["page"],
  })
  .refine(({ cursor, sort = defaultSort }) => cursor === undefined || cursor.order === sorts[sort], {
    message:
      "This cursor belongs to another sort. Send the same sort as for the first page, or leave out cursor.",
    path: ["cursor"],
  });
export type ListQuery = z.infer<typeof ListQuery>;
