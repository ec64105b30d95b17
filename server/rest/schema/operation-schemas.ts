import { z } from "zod";
import { storedPermissions } from "../../api-keys/schema/permissions";
import { IncludeParameter } from "../../subscribers/schema/fields";
import { SkippedItem, SubscriberRecord } from "../../subscribers/schema/subscriber";

/** A query parameter with a fixed set of values; the first is the default. */
const choice = <const T extends readonly [string, ...string[]]>(
  name: string,
  values: T,
  description: string,
) =>
  z
    .enum(values, { error: `${name} must be ${values.join(" or ")}.` })
    .default(values[0] as T[number] as never)
    .meta({ description });

const dryRun = choice(
  "dry_run",
  ["false", "true"],
  "true: validates the request without storing anything or sending email. Returns 200 with `data.valid` true, or the error that the real request would return.",
);
const update =
  "update: updates existing subscribers as PUT does, except for the address. Active subscribers stay active. For unsubscribed ones, `pending` sends a confirmation email; they never become active this way.";

export const CreateQuery = z.object({
  dry_run: dryRun,
  on_duplicate: choice(
    "on_duplicate",
    ["error", "update"],
    `${update} For pending ones, \`pending\` sends the confirmation email again, at most one a minute and three a day.`,
  ),
  include: IncludeParameter,
});
export const BulkQuery = z.object({
  dry_run: dryRun,
  on_duplicate: choice(
    "on_duplicate",
    ["error", "skip", "update"],
    `skip: leaves out addresses that are repeated, suppressed or already on the list, and returns them in \`skipped\`. ${update} In bulk, repeated and suppressed addresses are left out and returned in \`skipped\`, and pending subscribers are not emailed again.`,
  ),
  include: IncludeParameter,
});
export const RecordQuery = z.object({ include: IncludeParameter });
export const DeleteQuery = z.object({
  erase: choice(
    "erase",
    ["false", "true"],
    "true: permanently deletes the subscriber with all emails and activities. Returns the last record with the status unsubscribed. A digest of the address stays suppressed.",
  ),
  include: IncludeParameter,
});

/** The result of a request for a confirmation email. */
export const AskingRecord = z
  .object({
    status: z.enum(["queued", "waiting", "deferred"]).meta({
      description:
        "queued: a confirmation email is queued and sent at once, unless a limit of the newsletter delays it. waiting: an earlier email is still queued, so no new one was created. deferred: the last request was too recent; try again at `next_at`.",
    }),
    next_at: z.string().nullable().meta({
      description: "For deferred: ISO 8601, whole seconds, offset +00:00. Otherwise null.",
    }),
  })
  .meta({ id: "Asking" });
export type AskingRecord = z.infer<typeof AskingRecord>;

const { id } = SubscriberRecord.shape;

/** The number of people in one request for links. */
export const linkBounds = { min: 1, max: 1_000 } as const;

/** The body of a bulk request for links: ids, in lower or upper case. */
export const LinkIds = z
  .array(z.guid({ error: "The id must be a UUID, as returned by the API." }).toLowerCase())
  .min(linkBounds.min)
  .max(linkBounds.max);

/** The links of one person, each an absolute URL. Later versions may add kinds. */
export const LinksRecord = z
  .object({
    id,
    unsubscribe: z.string().meta({
      description:
        "Use it in the List-Unsubscribe header and the text of your emails to this subscriber. Opening the link changes nothing. The button on the page or one-click unsubscribe unsubscribes. The link does not expire. It stays the same unless the operator changes the secret.",
      examples: [
        "https://list.example.org/unsubscribe/AQGh-rgfAHoRgABbHV4fCgEBofq4Ih1zzL9viLv4Ec4818_iiH4uVoA0G5AclhHvfj3V",
      ],
    }),
  })
  .meta({ id: "Links" });
export type LinksRecord = z.infer<typeof LinksRecord>;

/** A requested id whose person is not on the newsletter. `index` counts from 0. */
export const SkippedId = z.object({ index: z.int(), id, reason: z.enum(["not_found"]) });
export type SkippedId = z.infer<typeof SkippedId>;

/** The answer of a dry run, where a create would have answered 201. */
export const DryRun = z
  .object({
    valid: z.literal(true),
    skipped: z
      .array(SkippedItem)
      .optional()
      .meta({ description: "Only for bulk requests with on_duplicate=skip or update." }),
  })
  .meta({ id: "DryRun" });

const RateWindow = z.object({
  name: z.string(),
  quota: z.int().nonnegative(),
  window_seconds: z.int().nonnegative(),
  remaining: z.int().nonnegative(),
  reset_seconds: z.int().nonnegative().meta({ description: "Seconds until the window resets." }),
});

export const NewsletterRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    archived: z.boolean().meta({ description: "API keys can't use an archived newsletter." }),
  })
  .meta({ id: "Newsletter" });

export const Me = z
  .object({
    newsletter: z
      .object({ id: z.uuid(), name: z.string() })
      .nullable()
      .meta({ description: "Null for a key for all newsletters." }),
    key: z.object({
      id: z.uuid(),
      name: z.string(),
      permissions: z.array(z.enum(storedPermissions)).meta({
        description:
          "suppressions:read and suppressions:write are halves of suppressions. Only older keys have them.",
      }),
      networks: z.array(z.string()).meta({
        description: "The addresses and networks that may use the key. Empty: any.",
      }),
      expires_at: z.string().nullable(),
    }),
    rate_limits: z
      .object({
        read: z.array(RateWindow),
        write: z.array(RateWindow),
        bulk: z.array(RateWindow),
        stream: z.array(RateWindow),
        single: z.array(RateWindow).meta({ description: "Deprecated: the same as `write`." }),
      })
      .meta({ description: "The windows of each limit. Empty: no limit." }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const Pagination = z
  .object({
    limit: z.int().nonnegative(),
    total: z.int().nonnegative().meta({ description: "The exact number on all pages." }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Cursor of the next page. Null on the last page." }),
    page: z.int().nonnegative().optional().meta({ description: "Only with `page`." }),
    pages: z.int().nonnegative().optional().meta({ description: "Only with `page`." }),
  })
  .meta({ id: "Pagination" });
