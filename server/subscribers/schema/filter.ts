import { z } from "zod";
import { type FieldType, longestFieldText } from "../field-values";
import { statuses } from "../status-moves";
import { importParts, sources } from "./people-list";
import { textNames } from "./subscriber-texts";

const maxConditions = 200;
const longestText = 200;
/** The longest time span: a hundred years. */
const maxDays = 36_500;
const daysRange = `Enter a whole number of days from 1 to ${maxDays.toLocaleString("en")}.`;

/** The state of the last confirmation email to a person. */
export const confirmationStates = [
  "waiting",
  "sent",
  "delivered",
  "bounced",
  "complained",
  "failed",
] as const;
export type ConfirmationStateName = (typeof confirmationStates)[number];

/** How a text is compared, case-insensitively. `set` and `not_set` take no text. */
export const textTests = ["contains", "is", "starts_with", "ends_with", "set", "not_set"] as const;
export type TextTest = (typeof textTests)[number];

/** How a field's value is compared. `equals` is case-sensitive; the other tests are not. */
export const fieldTests = [...textTests, "equals", "at_least", "at_most"] as const;
export type FieldTest = (typeof fieldTests)[number];

const comparable = ["is", "at_least", "at_most", "set", "not_set"] as const satisfies FieldTest[];

/** The allowed comparisons by field type. */
export const testsOfType: Record<FieldType, readonly FieldTest[]> = {
  text: ["is", "equals", "contains", "starts_with", "ends_with", "set", "not_set"],
  number: comparable,
  date: comparable,
  boolean: ["is", "set", "not_set"],
  choice: ["is", "set", "not_set"],
};

/** How a time is compared: with a moment, or with a span of days until now. */
export const timeTests = ["after", "before", "within_days", "over_days_ago", "set", "not_set"] as const;
export type TimeTest = (typeof timeTests)[number];

/** The dashboard never sends such a filter. A shortened or handwritten link may contain one. */
const unreadable = "These conditions can’t be read. Show all people and choose the conditions again.";

const anyOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values, unreadable), unreadable).min(1, "Choose at least one.").max(50, unreadable);

const text = z
  .string(unreadable)
  .trim()
  .max(longestText, `Enter at most ${longestText} characters.`)
  // Names and tags are stored in this form. PostgreSQL can't store a zero byte in a text.
  .transform((value) =>
    value
      .normalize("NFC")
      .replace(/\p{Cs}/gu, "\uFFFD")
      .replaceAll("\0", "\uFFFD"),
  );
const missing = "Enter a value to compare with.";

/** Matches any part of an address or a name. One or two letters match only the start of a word. */
export const PeopleSearch = text.transform((value) => value || undefined).optional();
/** The same where a search is required. @param empty the message for an empty text */
export const requiredSearch = (empty: string) => text.pipe(z.string().min(1, empty));

const textCondition = z
  .object({ about: z.enum(textNames), test: z.enum(textTests, unreadable), value: text.default("") })
  .refine(({ test, value }) => test.endsWith("set") || value !== "", { message: missing, path: ["value"] });

const timeCondition = <const About extends "added" | "subscribed_at" | "confirmed" | "asked">(about: About) =>
  z
    .object({
      about: z.literal(about),
      test: z.enum(timeTests, unreadable),
      /** For the tests after and before. */
      at: z.iso
        .datetime({ offset: true, error: unreadable, abort: true })
        // The range of realistic years that PostgreSQL also accepts.
        .refine((at) => at >= "1900-01-02" && at < "9999-12-31", "Choose a day from 1900 to 9999.")
        .optional(),
      /** For the tests within_days and over_days_ago. */
      days: z.int(daysRange).min(1, daysRange).max(maxDays, daysRange).optional(),
    })
    .refine(({ test, at }) => at !== undefined || (test !== "after" && test !== "before"), {
      message: "Choose a day.",
      path: ["at"],
    })
    .refine(({ test, days }) => days !== undefined || !test.includes("days"), {
      message: "Enter the number of days.",
      path: ["days"],
    });

export const Condition = z.discriminatedUnion(
  "about",
  [
    z.object({ about: z.literal("status"), is: anyOf(statuses) }),
    z.object({ about: z.literal("source"), is: anyOf(sources) }),
    /** Works like `PeopleSearch`. */
    z.object({ about: z.literal("search"), value: requiredSearch(missing) }),
    textCondition,
    /** At least one of these tags, case-insensitively. */
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
        key: z.string(unreadable).min(1, "Choose a field.").max(64, unreadable),
        test: z.enum(fieldTests, unreadable),
        value: z
          .union([z.string().max(longestFieldText), z.number(), z.boolean()], { error: missing })
          .optional(),
      })
      .refine(({ test, value }) => test.endsWith("set") || (value !== undefined && value !== ""), {
        message: missing,
        path: ["value"],
      }),
    z.object({
      about: z.literal("import"),
      id: z.uuid("Choose an import."),
      part: z.enum(importParts, unreadable).default("added"),
    }),
    timeCondition("added"),
    /** When they originally signed up; when they were added, if no other date is known. */
    timeCondition("subscribed_at"),
    timeCondition("confirmed"),
    /** When the last confirmation email was sent. */
    timeCondition("asked"),
    z.object({ about: z.literal("mail"), is: anyOf(confirmationStates) }),
  ],
  unreadable,
);
export type Condition = z.output<typeof Condition>;

const conditions = z
  .array(Condition, unreadable)
  .max(maxConditions, `A filter has at most ${maxConditions} conditions.`);

/**
 * Matches people who meet all or any of the conditions, and none of `not`. Without conditions it matches
 * everybody.
 */
export const Filter = z
  .object({ match: z.enum(["all", "any"], unreadable), conditions, not: conditions }, unreadable)
  .refine((filter) => filter.conditions.length + filter.not.length > 0, "Add a condition.");
export type Filter = z.output<typeof Filter>;

/** Matches people who match every filter and the filter of a saved segment. Strict: unknown parts are rejected. */
export const PeopleFilterInput = z.strictObject(
  {
    filters: z.array(Filter, unreadable).max(2, unreadable).default([]),
    segment: z.uuid().optional(),
  },
  "This page is older than the server. Reload it.",
);
export type PeopleFilterInput = z.output<typeof PeopleFilterInput>;
