import { z } from "zod";
import { cursorSchema, writeCursor } from "../../kernel/cursor";
import { parseEmail } from "../../kernel/email";
import { statuses } from "../status-moves";
import { IncludeParameter } from "./fields";

export const pageBounds = { min: 1, max: 100, default: 50 } as const;
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

/** The cursor of a page of subscribers: the 16 bytes of the last id. */
export function writeIdCursor(id: string): string {
  const bytes = id.replaceAll("-", "").match(/../g) ?? [];
  return writeCursor(String.fromCharCode(...bytes.map((pair) => Number.parseInt(pair, 16))));
}

function readId(bytes: string): string | null {
  if (bytes.length !== 16) return null;
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const time = (name: string) =>
  z.iso
    .datetime({
      offset: true,
      error: `${name} must be a time with its offset, such as 2026-06-11T17:00:00+00:00.`,
    })
    .transform((text) => new Date(text))
    .optional();

/** The number of records on a page. */
export const limitField = whole("limit", pageBounds.min, pageBounds.max)
  .optional()
  .meta({ description: `Records per page. Default: ${pageBounds.default}.` });

/** The query parameters of a list. */
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
        if (validation.ok) return validation.canonical;
        ctx.issues.push({ code: "custom", message: validation.message, input: value });
        return z.NEVER;
      })
      .optional()
      .meta({ description: "The subscriber with this address, in any equivalent spelling." }),
    tag: z
      .string()
      .trim()
      .min(1, "tag must not be empty.")
      .max(256)
      .transform((tag) => tag.normalize("NFC").toLowerCase())
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
    limit: limitField,
    cursor: cursorSchema(readId).optional().meta({ description: "The next_cursor of the previous page." }),
    include: IncludeParameter,
    page: whole("page", 1, lastPage).optional().meta({
      description:
        "A page by number, from 1. High page numbers are slow, and a subscriber can appear on two pages while the list changes. Prefer cursor. Do not combine both.",
    }),
  })
  .refine((query) => query.cursor === undefined || query.page === undefined, {
    message: "Use either page or cursor, not both.",
    path: ["page"],
  });
export type ListQuery = z.infer<typeof ListQuery>;
