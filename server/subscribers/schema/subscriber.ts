import { z } from "zod";
import { longestAddress, parseEmail } from "../../kernel/email";
import { joinName, longestName, parseName } from "../../kernel/name";
import { ConfirmationRecord } from "../../mail/schema/confirmation-states";
import { FieldsField, line, rejectValue, TagsField } from "./fields";
import { eachText, type StoredText, type TextName, textNames } from "./subscriber-texts";

/** A valid address: as given (trimmed), and in the canonical form that is unique in a newsletter. */
export type Address = { email: string; canonical: string };
/** A valid name, split at the first space. */
export type PersonName = { firstName: string; lastName: string };

const required = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? `The ${what} is missing. It is required.` : `The ${what} must be a string.`;

export const EmailField = z
  .string({ error: required("email") })
  .transform((value, ctx): Address => {
    const validation = parseEmail(value);
    return validation.ok
      ? { email: validation.email, canonical: validation.canonical }
      : rejectValue(ctx, validation.code, validation.message);
  })
  .meta({
    description: "An email address. International domains are supported.",
    format: "idn-email",
    maxLength: longestAddress,
    examples: ["ada@lovelace.org"],
  });

export const NameField = z
  .string({ error: "The name must be a string. Use null or leave it out for no name." })
  .nullish()
  .transform((value, ctx): PersonName => {
    if (value == null) return { firstName: "", lastName: "" };
    const validation = parseName(value);
    return validation.ok
      ? { firstName: validation.firstName, lastName: validation.lastName }
      : rejectValue(ctx, validation.code, validation.message);
  })
  .meta({
    description: "The full name. Split at the first space.",
    maxLength: longestName,
    examples: ["Ada Lovelace"],
  });

export const StatusField = z
  .enum(["active", "pending"], {
    error: 'The status must be "active" or "pending". Leave it out for "active".',
  })
  .nullish()
  .transform((status) => status ?? "active")
  .meta({
    description:
      "active: added immediately. pending: a confirmation email is sent. Left out or null: active.",
  });

/** Accepts "unsubscribed" too, so that a record can be sent back as it was read. */
const PatchedStatusField = z
  .enum(["active", "pending", "unsubscribed"], { error: 'The status must be "active" or "pending".' })
  .nullable()
  .transform((status) => status ?? undefined)
  .optional()
  .meta({
    description:
      "pending: a confirmation email is sent. unsubscribed: only for a person who is unsubscribed already. Left out or null: unchanged.",
  });

/** Dates before this year are taken for errors. */
const EARLIEST = Date.UTC(1990, 0, 1);
/** How far a caller's clock may be ahead. */
const CLOCK_DIFFERENCE_MS = 60_000;

const isoDate = /^\d{4}-\d\d-\d\d$/;
const isoTime = z.iso.datetime({ offset: true });

/** When a subscriber originally signed up. A day without a time is its start in UTC. */
const SubscribedAtField = z
  .string({ error: "subscribed_at must be a string, or null for none." })
  .max(64, "subscribed_at must be a time such as 2019-05-04T10:00:00+00:00.")
  .transform((value, ctx): Date => {
    const text = isoDate.test(value) ? `${value}T00:00:00Z` : value;
    if (!isoTime.safeParse(text).success)
      return rejectValue(
        ctx,
        "invalid_time",
        "subscribed_at must be a time with its offset, such as 2019-05-04T10:00:00+00:00, or a date such as 2019-05-04.",
      );
    const [at, now] = [Date.parse(text), Date.now()];
    if (at > now + CLOCK_DIFFERENCE_MS)
      return rejectValue(ctx, "in_the_future", "subscribed_at must not be in the future.");
    if (at < EARLIEST)
      return rejectValue(
        ctx,
        "too_early",
        "subscribed_at must not be before 1990. Leave it out if the date is not known.",
      );
    return new Date(Math.min(at, now));
  })
  .nullable()
  .meta({
    description:
      "When the subscriber originally signed up, for people who come from another system: a time with its offset, or a date. From 1990 until now. Left out or null: the time of the create. On update, null removes it.",
    examples: ["2019-05-04T10:00:00+00:00"],
  });

export const longestExternalId = 255;

const ExternalIdField = line("external_id", longestExternalId)
  .nullable()
  .meta({
    description: `The subscriber's id in your system: one line of at most ${longestExternalId} characters, unique in the newsletter. Upper and lower case differ. With on_duplicate=update it finds the subscriber, also when the address has changed. null removes it.`,
    examples: ["customer-1815"],
  });

/** The values that store the texts, as columns of a row. */
type StoredTexts = Record<StoredText | "emailCanonical", string>;

/** A text's schema in the input and in the record, its columns, and how a row shows it. */
type TextRule<Input extends z.ZodType> = {
  input: Input;
  record: z.ZodString;
  store(value: z.infer<Input>): Partial<StoredTexts>;
  show(row: Record<StoredText, string>): string;
};
const rule = <Input extends z.ZodType>(one: TextRule<Input>) => one;

const texts = {
  email: rule({
    input: EmailField,
    record: z.string().meta({ examples: ["ada@lovelace.org"] }),
    store: ({ email, canonical }) => ({ email, emailCanonical: canonical }),
    show: (row) => row.email,
  }),
  name: rule({
    input: NameField,
    record: z.string().meta({ description: "Empty when none was given.", examples: ["Ada Lovelace"] }),
    store: (name) => name,
    show: (row) => joinName(row.firstName, row.lastName),
  }),
} satisfies Record<TextName, unknown>;

/** One value of each text's rule, by the text's name. */
const ofEachText = <Key extends "input" | "record">(key: Key) =>
  eachText<unknown>((name) => texts[name][key]) as { [Name in TextName]: (typeof texts)[Name][Key] };
type TextInputs = { [Name in TextName]: z.infer<(typeof texts)[Name]["input"]> };

/** The columns of the given texts. Columns of absent texts are absent. */
export function storeTexts(input: TextInputs): StoredTexts;
export function storeTexts(input: Partial<TextInputs>): Partial<StoredTexts>;
export function storeTexts(input: Partial<TextInputs>): Partial<StoredTexts> {
  const columns: Partial<StoredTexts> = {};
  for (const name of textNames)
    if (input[name] !== undefined) Object.assign(columns, texts[name].store(input[name] as never));
  return columns;
}

/** The texts of a row, as the API shows them. */
export const showTexts = (row: Record<StoredText, string>) => eachText((name) => texts[name].show(row));

const textInputs = ofEachText("input");
const inputs = z.object({
  ...textInputs,
  fields: FieldsField,
  tags: TagsField,
  subscribed_at: SubscribedAtField,
  external_id: ExternalIdField,
});
const optionalInputs = inputs.partial().shape;

/** The input of a create. A bulk create takes an array of 1 to 100 of these. */
export const NewSubscriber = z
  .object(
    { ...optionalInputs, ...textInputs, status: StatusField },
    { error: "A subscriber must be a JSON object with an email and optionally a name and a status." },
  )
  .meta({ id: "NewSubscriber" });
export type NewSubscriber = z.infer<typeof NewSubscriber>;

/** The input of a PUT, with at least one field. Absent fields keep their value; a null name is removed. */
export const SubscriberPatch = z
  .object(
    { ...optionalInputs, status: PatchedStatusField },
    {
      error:
        "The body must be a JSON object with at least one member of a subscriber, such as an email or a name.",
    },
  )
  .meta({ id: "SubscriberPatch" });
export type SubscriberPatch = z.infer<typeof SubscriberPatch>;

export const bulkBounds = { min: 1, max: 100 } as const;

/** A subscriber in the API: five members, and those of `include`. No other data is exposed. */
export const SubscriberRecord = z
  .object({
    id: z.uuid().meta({ description: "UUID v7.", examples: ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"] }),
    ...ofEachText("record"),
    status: z.enum(["active", "pending", "unsubscribed"]).meta({ examples: ["pending"] }),
    created_at: z.string().meta({
      description: "ISO 8601, whole seconds, offset +00:00.",
      pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$",
      examples: ["2026-06-11T17:00:00+00:00"],
    }),
    fields: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .meta({ description: "Only with include=fields: the subscriber's field values by key." }),
    tags: z.array(z.string()).optional().meta({ description: "Only with include=tags." }),
    subscribed_at: z.string().optional().meta({
      description:
        "Only with include=subscribed_at: when the subscriber originally signed up. The time of the create, unless another was given.",
    }),
    external_id: z.string().nullable().optional().meta({
      description: "Only with include=external_id: the subscriber's id in your system, or null.",
    }),
    confirmation: ConfirmationRecord.optional().meta({
      description: "Only with include=confirmation: the newest confirmation email.",
    }),
  })
  .meta({ id: "Subscriber" });
export type SubscriberRecord = z.infer<typeof SubscriberRecord>;

/** An item that a bulk create skipped because of `on_duplicate=skip` or `update`; `index` counts from 0. */
export const SkippedItem = z.object({
  index: z.int(),
  email: z.string(),
  reason: z.enum(["already_subscribed", "duplicate_in_request", "suppressed"]).meta({
    description:
      "already_subscribed: on the list, also as unsubscribed; only with on_duplicate=skip. duplicate_in_request: repeats an earlier item. suppressed: the address never receives email, so the person was not added.",
  }),
});
export type SkippedItem = z.infer<typeof SkippedItem>;
