import { z } from "zod";
import { timeMeta } from "../../kernel/api-time";
import { lineFaults, parseLine } from "../../kernel/name";
import { canonicalTag, fieldTypes, longestFieldText } from "../field-values";

export const maxFields = 100;
export const maxTags = 100;
/** The limit for all people of a newsletter together. */
export const maxTagsOfNewsletter = 10_000;
const longestTag = 64;
const longestLabel = 100;
const maxChoices = 100;

/** Reports the code of a rule besides the sentence, so that programs don't need to parse the sentence. */
export function rejectValue(ctx: z.core.$RefinementCtx<unknown>, code: string, message: string): never {
  ctx.issues.push({ code: "custom", params: { rule: code }, message, input: ctx.value });
  return z.NEVER;
}

const withArticle = (noun: string) => `${/^[aeiou]/.test(noun) ? "An" : "A"} ${noun}`;

/** A single line of at most `longest` characters, and at least one unless it may be empty. */
export const line = (noun: string, longest: number, mayBeEmpty = false) =>
  z
    .string({ error: `${withArticle(noun)} must be a string.` })
    .transform((value, ctx) => {
      const parsed = parseLine(value, longest);
      if (parsed.ok && (mayBeEmpty || parsed.text !== "")) return parsed.text;
      if (parsed.ok) return rejectValue(ctx, "empty", `${withArticle(noun)} must not be empty.`);
      return rejectValue(ctx, parsed.code, lineFaults(noun, longest)[parsed.code]);
    })
    .meta({ description: `Use one line of at most ${longest} characters.` });

/** A tag as entered, and the canonical form that identifies it. */
export type Tag = { name: string; canonical: string };

/** The tags of a subscriber. A tag that appears twice in any case counts once, in its first spelling. */
export const TagsField = z
  .array(line("tag", longestTag), { error: "The tags must be an array of strings, or null for none." })
  .max(maxTags, `A subscriber has at most ${maxTags} tags.`)
  .nullable()
  .transform((names): Tag[] => {
    const tags = new Map<string, Tag>();
    for (const name of names ?? []) {
      const canonical = canonicalTag(name);
      if (!tags.has(canonical)) tags.set(canonical, { name, canonical });
    }
    return [...tags.values()];
  })
  .meta({
    description: `At most ${maxTags} tags of 1 to ${longestTag} characters. VIP and vip are the same tag. On update, the list replaces the previous one; null removes all tags.`,
    examples: [["vip", "conference 2026"]],
  });

/** Values by field key. Each value is validated by its field's type after the fields are read. */
export const FieldsField = z
  .record(
    z.string(),
    z.union([z.string(), z.number(), z.boolean(), z.null()], {
      error: "The value must be a string, a number, true, false or null.",
    }),
    { error: "The fields must be an object of values by key." },
  )
  .refine(
    (values) => Object.keys(values).length <= maxFields,
    `A subscriber has at most ${maxFields} fields.`,
  )
  .meta({
    description: `Field values by key: a string of at most ${longestFieldText} characters, a number, a date such as "2026-06-11", true or false, or one of the field's choices. On update, keys that you leave out keep their value; null removes a value.`,
    examples: [{ company: "Analytical Engines", seats: 3 }],
  });

export const FieldKey = z
  .string({ error: "The key is missing. It is required." })
  .regex(
    /^[a-z][a-z0-9_]{0,63}$/,
    "The key must start with a lower-case letter and have at most 64 lower-case letters, digits and underscores.",
  )
  .meta({
    description: "The name for the API, at most 64 characters. It can't be changed.",
    examples: ["company"],
  });

/** Names that every JavaScript object has. Many programs lose or reject a value under such a key. */
const reservedKeys = new Set([...Object.getOwnPropertyNames(Object.prototype), "prototype"]);

const NewFieldKey = FieldKey.refine((key) => !reservedKeys.has(key), {
  error: ({ input }) => `The key "${input}" is reserved by JavaScript. Choose another key.`,
}).meta({
  description:
    "The name for the API, at most 64 characters, except `constructor` and `prototype`. It can't be changed.",
  examples: ["company"],
});

const FieldLabel = line("label", longestLabel).meta({
  description: `The label for people, at most ${longestLabel} characters.`,
  examples: ["Company"],
});

const Choices = z
  .array(line("choice", longestLabel), { error: "The choices must be an array of strings." })
  .max(maxChoices, `A field has at most ${maxChoices} choices.`)
  .refine(
    (choices) => new Set(choices.map((choice) => choice.toLowerCase())).size === choices.length,
    "Two choices are the same.",
  )
  .meta({ description: "For the type choice: the allowed values.", examples: [["Print", "Digital"]] });

const Required = z.boolean({ error: "required must be true or false." }).meta({
  description: "Whether the sign-up page requires a value. The API does not.",
});

export const choicesError = "A field of type choice needs at least one choice. Other types have no choices.";

export const NewField = z
  .object(
    {
      key: NewFieldKey,
      label: FieldLabel.optional().meta({
        description: `The label for people, at most ${longestLabel} characters. Defaults to the key.`,
      }),
      type: z.enum(fieldTypes, { error: `The type must be one of ${fieldTypes.join(", ")}.` }),
      choices: Choices.optional(),
      required: Required.optional(),
    },
    { error: "A field must be a JSON object with a key and a type." },
  )
  .refine(({ type, choices = [] }) => (type === "choice") === choices.length > 0, {
    message: choicesError,
    path: ["choices"],
  })
  .meta({ id: "NewField" });
export type NewField = z.output<typeof NewField>;

/** A change of a field. Its key and type can't change. */
export const FieldPatch = z
  .object(
    { label: FieldLabel.optional(), choices: Choices.optional(), required: Required.optional() },
    { error: "The body must be a JSON object with a label, choices or required." },
  )
  .meta({ id: "FieldPatch" });
export type FieldPatch = z.output<typeof FieldPatch>;

export const FieldRecord = z
  .object({
    key: z.string().meta({ examples: ["company"] }),
    label: z.string().meta({ examples: ["Company"] }),
    type: z.enum(fieldTypes),
    choices: z.array(z.string()).meta({ description: "Empty unless `type` is `choice`." }),
    required: z.boolean(),
    created_at: z.string().meta(timeMeta()),
  })
  .meta({ id: "Field" });
export type FieldRecord = z.infer<typeof FieldRecord>;

export const TagPatch = z
  .object(
    { name: line("tag", longestTag).meta({ examples: ["customer"] }) },
    { error: "The body must be a JSON object with a name." },
  )
  .meta({ id: "TagPatch" });
export type TagPatch = z.output<typeof TagPatch>;

export const TagRecord = z
  .object({
    name: z.string().meta({ examples: ["customer"] }),
    subscribers: z
      .int()
      .meta({ description: "How many subscribers of any status have the tag.", examples: [1204] }),
    merging: z.int().meta({
      description:
        "How many of them still have another tag that was merged into this one. A background job changes them.",
      examples: [0],
    }),
    created_at: z.string().meta(timeMeta()),
  })
  .meta({ id: "Tag" });
export type TagRecord = z.infer<typeof TagRecord>;

/** The optional members of a subscriber record, besides the five fixed ones. */
const included = ["fields", "tags", "subscribed_at", "external_id", "confirmation"] as const;
export type Include = Partial<Record<(typeof included)[number], boolean>>;

const anyIncluded = `(?:${included.join("|")})`;

export const IncludeParameter = z
  .string()
  .regex(
    new RegExp(`^${anyIncluded}(?:,${anyIncluded})*$`),
    `include must be one or several of ${included.join(", ")}: include=fields,tags.`,
  )
  .transform((value): Include => {
    const names = value.split(",");
    return Object.fromEntries(included.map((name) => [name, names.includes(name)]));
  })
  .optional()
  .meta({
    description: `Adds members to the records: ${included.join(", ")}, or several with commas between.`,
  });
