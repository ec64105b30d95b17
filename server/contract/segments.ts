import { z } from "zod";
import { type FieldType, longestFieldText } from "../domain/fields";
import { lineFaults, parseLine } from "../domain/line-of-text";
import { statuses } from "../domain/status-moves";
import { importParts, peopleOrders, sources } from "./people-list";

export const maxSegments = 100;
const maxGroups = 10;
const maxConditions = 20;
const longestName = 100;
const longestText = 200;
/** As far back as a span of days goes: a hundred years. */
const maxDays = 36_500;
const daysRange = `The days are a whole number from 1 to ${maxDays.toLocaleString("en")}.`;

/** How the conditions of a group are put together. A person is in a segment when every group lets them in. */
export const groupMatches = ["all", "any", "none"] as const;
export type GroupMatch = (typeof groupMatches)[number];

/** What has become of the last confirmation that a person was sent, or is to be sent. */
export const askedStates = ["waiting", "sent", "delivered", "bounced", "complained", "failed"] as const;
export type AskedState = (typeof askedStates)[number];

/** How a text is compared, in any case. `set` and `not_set` take no text. */
export const textTests = ["contains", "is", "starts_with", "ends_with", "set", "not_set"] as const;
export type TextTest = (typeof textTests)[number];

/** How a field's value is compared; which of them a type has is in `testsOfType`. Texts are compared in any case. */
export const fieldTests = [
  "is",
  "contains",
  "starts_with",
  "ends_with",
  "at_least",
  "at_most",
  "set",
  "not_set",
] as const;
export type FieldTest = (typeof fieldTests)[number];

const comparable = ["is", "at_least", "at_most", "set", "not_set"] as const satisfies FieldTest[];

/** How values of a field can be compared, by its type. */
export const testsOfType: Record<FieldType, readonly FieldTest[]> = {
  text: ["is", "contains", "starts_with", "ends_with", "set", "not_set"],
  number: comparable,
  date: comparable,
  boolean: ["is", "set", "not_set"],
  choice: ["is", "set", "not_set"],
};

/** How a time is compared: with a moment, or with a span of days that ends now. */
export const timeTests = ["after", "before", "within_days", "over_days_ago", "set", "not_set"] as const;
export type TimeTest = (typeof timeTests)[number];

/** What the dashboard never sends, but a link that was shortened or written by hand may. */
const unreadable = "These conditions cannot be read. Show everybody, and choose them again.";

const anyOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values, unreadable), unreadable).min(1, "Choose one at least.").max(50, unreadable);

const text = z
  .string(unreadable)
  .trim()
  .max(longestText, `A text has at most ${longestText} characters.`)
  // As names and tags are stored. No text in PostgreSQL contains a zero byte.
  .transform((value) =>
    value
      .normalize("NFC")
      .replace(/\p{Cs}/gu, "\uFFFD")
      .replaceAll("\0", "\uFFFD"),
  );
const isGiven = { message: "Say what to compare with.", path: ["value"] };

const textCondition = <const About extends "email" | "name">(about: About) =>
  z
    .object({ about: z.literal(about), test: z.enum(textTests, unreadable), value: text.default("") })
    .refine(({ test, value }) => test.endsWith("set") || value !== "", isGiven);

const timeCondition = <const About extends "added" | "confirmed" | "asked">(about: About) =>
  z
    .object({
      about: z.literal(about),
      test: z.enum(timeTests, unreadable),
      /** Of after and before. */
      at: z.iso
        .datetime({ offset: true, error: unreadable, abort: true })
        // Of the years that people use and PostgreSQL takes.
        .refine((at) => at >= "1900-01-02" && at < "9999-12-31", "Choose a day from 1900 to 9999.")
        .optional(),
      /** Of within_days and over_days_ago. */
      days: z.int(daysRange).min(1, daysRange).max(maxDays, daysRange).optional(),
    })
    .refine(({ test, at }) => at !== undefined || (test !== "after" && test !== "before"), {
      message: "Choose a day.",
      path: ["at"],
    })
    .refine(({ test, days }) => days !== undefined || !test.includes("days"), {
      message: "Say how many days.",
      path: ["days"],
    });

/** One thing asked of a person. */
export const Condition = z.discriminatedUnion(
  "about",
  [
    z.object({ about: z.literal("status"), is: anyOf(statuses) }),
    z.object({ about: z.literal("source"), is: anyOf(sources) }),
    textCondition("email"),
    textCondition("name"),
    /** With one of these tags at least, in any case. */
    z.object({
      about: z.literal("tag"),
      is: z
        .array(text.pipe(z.string().min(1, "Choose a tag.")), unreadable)
        .min(1, "Choose a tag.")
        .max(100, unreadable),
    }),
    z
      .object({
        about: z.literal("field"),
        /** The field's key. */
        key: z.string(unreadable).min(1, "Choose a field.").max(64, unreadable),
        test: z.enum(fieldTests, unreadable),
        value: z
          .union([z.string().max(longestFieldText), z.number(), z.boolean()], {
            error: "Say what to compare with.",
          })
          .optional(),
      })
      .refine(({ test, value }) => test.endsWith("set") || (value !== undefined && value !== ""), isGiven),
    z.object({
      about: z.literal("import"),
      id: z.uuid("Choose an import."),
      part: z.enum(importParts, unreadable).default("added"),
    }),
    timeCondition("added"),
    timeCondition("confirmed"),
    /** When the last confirmation was sent to them. */
    timeCondition("asked"),
    z.object({ about: z.literal("mail"), is: anyOf(askedStates) }),
  ],
  unreadable,
);
export type Condition = z.output<typeof Condition>;

const SegmentGroup = z.object(
  {
    match: z.enum(groupMatches, unreadable),
    conditions: z
      .array(Condition, unreadable)
      .min(1, "A group needs a condition.")
      .max(maxConditions, `A group has at most ${maxConditions} conditions.`),
  },
  unreadable,
);
export type SegmentGroup = z.output<typeof SegmentGroup>;

/** Who is in a segment: whoever each of the groups lets in. */
export const SegmentGroups = z
  .array(SegmentGroup, unreadable)
  .min(1, "A segment needs a group with a condition.")
  .max(maxGroups, `A segment has at most ${maxGroups} groups.`);
export type SegmentGroups = z.output<typeof SegmentGroups>;

const SegmentName = z
  .string({ error: "Give the segment a name." })
  .transform((value, ctx) => {
    const parsed = parseLine(value, longestName);
    if (parsed.ok && parsed.text !== "") return parsed.text;
    const message = parsed.ok ? "Give the segment a name." : lineFaults("name", longestName)[parsed.code];
    ctx.issues.push({ code: "custom", message, input: value });
    return z.NEVER;
  })
  .meta({ description: `On one line, at most ${longestName} characters.` });

/** What is to be saved: a segment, with how the list looked when it was saved. */
export const NewSegment = z.object({
  name: SegmentName,
  groups: SegmentGroups,
  order: z.enum(peopleOrders).default("newest"),
  /** Names of columns beside the email; null: those that each reader has chosen. */
  columns: z.array(z.string().max(80)).max(120).nullable().default(null),
});
export type NewSegment = z.output<typeof NewSegment>;

/** A saved segment as the API lists it. */
export const SegmentRecord = z
  .object({
    id: z.uuid().meta({ examples: ["01a1fab8-2231-7c02-9f1b-6a0d7c3e5b11"] }),
    name: z.string().meta({ examples: ["Asked and silent"] }),
    created_at: z.string().meta({
      description: "ISO 8601, whole seconds, offset +00:00.",
      examples: ["2026-06-11T17:00:00+00:00"],
    }),
  })
  .meta({ id: "Segment" });
export type SegmentRecord = z.infer<typeof SegmentRecord>;

/** A saved segment. */
export type SavedSegment = NewSegment & {
  id: string;
  /** Counts the changes, from 1. */
  version: number;
};
