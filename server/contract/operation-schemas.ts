import { z } from "zod";
import { IncludeParameter } from "./fields";
import { permissions } from "./permissions";
import { SkippedItem, SubscriberRecord } from "./subscriber";

/** A query parameter with a few values; the first is the default. */
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
  "true: the same checks and validation, nothing written, nobody mailed. The answer is then 200 with `data.valid` true; what would be rejected is rejected with the same error.",
);
const update =
  "update: who is on the list already is changed as by PUT, but for the address; an active person stays active, and one who unsubscribed is asked by `pending` and never made active.";

export const CreateQuery = z.object({
  dry_run: dryRun,
  on_duplicate: choice("on_duplicate", ["error", "update"], update),
  include: IncludeParameter,
});
export const BulkQuery = z.object({
  dry_run: dryRun,
  on_duplicate: choice(
    "on_duplicate",
    ["error", "skip", "update"],
    `skip: an address that comes twice, or is on the list already, is skipped and named in \`skipped\`. ${update}`,
  ),
  include: IncludeParameter,
});
export const RecordQuery = z.object({ include: IncludeParameter });
export const DeleteQuery = z.object({
  erase: choice(
    "erase",
    ["false", "true"],
    "true: erases the person for good, with their mails and what happened to them. The answer is the person as they were, as unsubscribed. A digest of the address stays suppressed.",
  ),
  include: IncludeParameter,
});

/** What came of asking a person to confirm. */
export const AskingRecord = z
  .object({
    status: z.enum(["queued", "waiting", "deferred"]).meta({
      description:
        "queued: a mail is written and leaves at once, unless a limit of the newsletter holds it. waiting: one that was written before has not left yet, and no other was written. deferred: the person was asked lately; nothing was written, and they can be asked at `next_at`.",
    }),
    next_at: z.string().nullable().meta({
      description: "Of deferred, ISO 8601, whole seconds, offset +00:00; else null.",
    }),
  })
  .meta({ id: "Asking" });
export type AskingRecord = z.infer<typeof AskingRecord>;

const { id } = SubscriberRecord.shape;

/** How many people's links are made in one request. */
export const linkBounds = { min: 1, max: 1_000 } as const;

/** What a request for the links of many takes: ids, of which each may come in capital letters. */
export const LinkIds = z
  .array(z.guid({ error: "An id must be a UUID, as the API answers it." }).toLowerCase())
  .min(linkBounds.min)
  .max(linkBounds.max);

/** The links of one person, each an absolute URL; more kinds may come. */
export const LinksRecord = z
  .object({
    id,
    unsubscribe: z.string().meta({
      description:
        "For the header List-Unsubscribe and the text of your mails to this person. Opening it changes nothing; its button, or a mail program's one click, unsubscribes. It does not expire, and is the same each time unless the operator changes the secret.",
      examples: [
        "https://list.example.org/unsubscribe/AQGh-rgfAHoRgABbHV4fCgEBofq4Ih1zzL9viLv4Ec4818_iiH4uVoA0G5AclhHvfj3V",
      ],
    }),
  })
  .meta({ id: "Links" });
export type LinksRecord = z.infer<typeof LinksRecord>;

/** An id of a request for links whose person is not on the newsletter; `index` counts from 0. */
export const SkippedId = z.object({ index: z.int(), id, reason: z.enum(["not_found"]) });
export type SkippedId = z.infer<typeof SkippedId>;

/** What a dry run answers: a create would have answered 201. */
export const DryRun = z
  .object({
    valid: z.literal(true),
    skipped: z.array(SkippedItem).optional().meta({ description: "Of a bulk with on_duplicate=skip." }),
  })
  .meta({ id: "DryRun" });

/** One window of a rate limit. */
const RateWindow = z.object({
  name: z.string(),
  quota: z.int().nonnegative(),
  window_seconds: z.int().nonnegative(),
  remaining: z.int().nonnegative(),
  reset_seconds: z.int().nonnegative().meta({ description: "Seconds until the window starts anew." }),
});

export const Me = z
  .object({
    newsletter: z.object({ id: z.uuid(), name: z.string() }),
    key: z.object({
      id: z.uuid(),
      name: z.string(),
      permissions: z.array(z.enum(permissions)),
      expires_at: z.string().nullable(),
    }),
    rate_limits: z.object({ single: z.array(RateWindow), bulk: z.array(RateWindow) }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const Pagination = z
  .object({
    limit: z.int().nonnegative(),
    total: z.int().nonnegative().meta({ description: "On all pages, exactly." }),
    next_cursor: z.string().nullable().meta({ description: "For the next page; null on the last." }),
    page: z.int().nonnegative().optional().meta({ description: "Only where `page` was asked for." }),
    pages: z.int().nonnegative().optional().meta({ description: "Only where `page` was asked for." }),
  })
  .meta({ id: "Pagination" });
