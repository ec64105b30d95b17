import { z } from "zod";
import { ListQuery } from "../../subscribers/schema/list-query";
import { bulkBounds, EmailField, SubscriberRecord } from "../../subscribers/schema/subscriber";

/** Explains each reason to staff. All screens use these sentences. They are ordered from weak to strong. */
export const suppressionSentences = {
  manual: "This address was suppressed. A new sign-up receives one email to confirm the return.",
  bounced: "Email to this address bounces permanently. Correct the address to request a new confirmation.",
  unsubscribed: "The person unsubscribed. A new sign-up receives one email to confirm the return.",
  complained:
    "The person reported an email as spam. This address no longer receives email. The person can still confirm with their own link.",
  denied: "The person said “this wasn’t me”. This address no longer receives email.",
} as const;

export type SuppressionReason = keyof typeof suppressionSentences;
export const suppressionReasons = Object.keys(suppressionSentences) as SuppressionReason[];

/** Reasons that staff and integrations can give. Only the person can cause `denied`. */
export const givenReasons = [
  "unsubscribed",
  "bounced",
  "complained",
  "manual",
] as const satisfies readonly SuppressionReason[];

/** Reasons that forbid even an email that asks whether the person wants to resubscribe. */
export const hardReasons = [
  "bounced",
  "complained",
  "denied",
] as const satisfies readonly SuppressionReason[];

/** Whether an email may ask the address to resubscribe: once, and not for a hard reason. */
export function mayReceiveResubscribeLink({
  reason,
  askedAt,
}: {
  reason: SuppressionReason;
  askedAt: Date | null;
}): boolean {
  return askedAt === null && !hardReasons.some((hard) => hard === reason);
}

/** The source of a suppression. `person` is the person's own act, which others can't lift; `mail` is a mail server. */
export const suppressionSources = ["person", "mail", "api", "dashboard", "import", "operator"] as const;
export type SuppressionSource = (typeof suppressionSources)[number];

/** Explains the suppression of an address to an API caller. */
const refusalCauses: Record<SuppressionReason, string> = {
  manual: "This address is suppressed.",
  bounced: "Email to this address bounced.",
  unsubscribed: "The person at this address unsubscribed.",
  complained: "The person at this address reported an email as spam.",
  denied: "The person at this address said that they did not sign up.",
};

/**
 * The error for a suppressed address. It never suggests `pending`: integrations would follow it and mail everybody who
 * unsubscribed.
 */
export const suppressedSentence = (reason: SuppressionReason, advice = "Leave this address out.") =>
  `${refusalCauses[reason]} ${advice}`;

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
    const message = "The date must be between 1970 and now.";
    ctx.issues.push({ code: "custom", params: { rule: "out_of_range" }, message, input: text });
    return z.NEVER;
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

/** The limit for one call of the dashboard. */
export const maxSuppressionsPerCall = 2_000;

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

const { email, limit, cursor } = ListQuery.shape;

/** The query parameters of the list of suppressions. */
export const SuppressionsQuery = z.object({
  reason: z
    .enum(suppressionReasons, { error: `reason must be one of ${suppressionReasons.join(", ")}.` })
    .optional()
    .meta({ description: "Only suppressions with this reason." }),
  email: email.meta({ description: "The suppression of this address, even if only its digest is kept." }),
  limit,
  cursor,
});
