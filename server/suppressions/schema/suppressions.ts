import { z } from "zod";
import { rejectValue } from "../../subscribers/schema/fields";
import { idCursorField, ListQuery, limitField } from "../../subscribers/schema/list-query";
import { bulkBounds, EmailField, SubscriberRecord } from "../../subscribers/schema/subscriber";
import { givenReasons, type SuppressionReason, suppressionReasons } from "./suppression-messages";

/** Reasons that forbid even an email that asks whether the person wants to resubscribe. */
export const hardReasons = [
  "bounced",
  "complained",
  "denied",
] as const satisfies readonly SuppressionReason[];

/**
 * Whether an email may ask the address to resubscribe: never for a hard reason.
 * @param askedLately an email asked in the last `resubscribeRequestDays`, by the database's clock
 */
export const mayReceiveResubscribeLink = (of: { reason: SuppressionReason; askedLately: boolean }) =>
  !of.askedLately && !hardReasons.some((hard) => hard === of.reason);

/** The source of a suppression. `person` is the person's own act, which others can't lift; `mail` is a mail server. */
const suppressionSources = ["person", "mail", "api", "dashboard", "import", "operator"] as const;
export type SuppressionSource = (typeof suppressionSources)[number];

/** Clocks differ: a date less than this ahead of ours counts as now. */
const clockSkewMs = 300_000;

/** When the other service suppressed the address: between 1970 and now. */
const SuppressedAt = z.iso
  .datetime({
    offset: true,
    error: "The date must be ISO 8601 with an offset, such as 2026-06-11T17:00:00+00:00.",
  })
  .transform((text, ctx): Date => {
    const at = Date.parse(text);
    const now = Date.now();
    if (at >= 0 && at <= now + clockSkewMs) return new Date(Math.min(at, now));
    return rejectValue(ctx, "out_of_range", "The date must be between 1970 and now.");
  })
  .meta({
    description: "The date of the opt-out, between 1970 and now. Default: now.",
    examples: ["2024-03-02T09:30:00+00:00"],
  });

/** An address to suppress. A request takes an array of 1 to 100 of these. */
export const NewSuppression = z
  .object(
    {
      email: EmailField,
      reason: z.enum(givenReasons, { error: `The reason must be one of ${givenReasons.join(", ")}.` }).meta({
        description:
          "If there are two reasons, the stronger one stays. From weak to strong: manual, bounced, unsubscribed, complained.",
      }),
      date: SuppressedAt.optional(),
    },
    { error: "A suppression must be a JSON object with an email, a reason and optionally a date." },
  )
  .meta({ id: "NewSuppression" });
export type NewSuppression = z.infer<typeof NewSuppression>;

export const NewSuppressions = z.array(NewSuppression).min(bulkBounds.min).max(bulkBounds.max);

export const SuppressionRecord = z
  .object({
    id: SubscriberRecord.shape.id,
    email: z
      .string()
      .nullable()
      .meta({
        description: "Null after the address was erased or changed. Only a keyed digest is kept then.",
        examples: ["ada@lovelace.org"],
      }),
    reason: z.enum(suppressionReasons).meta({ examples: ["unsubscribed"] }),
    source: z.enum(suppressionSources).meta({
      description: "person: their own action. Only they can lift it, by confirming from their own inbox.",
      examples: ["api"],
    }),
    created_at: SubscriberRecord.shape.created_at,
  })
  .meta({ id: "Suppression" });
export type SuppressionRecord = z.infer<typeof SuppressionRecord>;

const { email } = ListQuery.shape;

export const SuppressionsQuery = z.object({
  reason: z
    .enum(suppressionReasons, { error: `reason must be one of ${suppressionReasons.join(", ")}.` })
    .optional()
    .meta({ description: "Only suppressions with this reason." }),
  email: email.meta({ description: "The suppression of this address, even if only its digest is kept." }),
  limit: limitField,
  cursor: idCursorField,
});
