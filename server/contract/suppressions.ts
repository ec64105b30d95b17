import { z } from "zod";
import { ListQuery } from "./list-query";
import { bulkBounds, EmailField, SubscriberRecord } from "./subscriber";

/** Why an address is not written to, in words for the staff; wherever it is said, it is said so. The stronger reason stays. */
export const suppressionSentences = {
  manual:
    "This address was suppressed. A new sign-up is asked once, by mail, whether they want to come back.",
  bounced:
    "This address takes no mail: its mail server said so for good. Correct the address, and they are asked anew.",
  unsubscribed:
    "This address unsubscribed. A new sign-up is asked once, by mail, whether they want to come back.",
  complained:
    "Its reader marked a mail of this newsletter as spam. They are not written to again; their own link can still confirm.",
  denied: "Its reader said “this wasn’t me”. They are not written to again.",
} as const;

export type SuppressionReason = keyof typeof suppressionSentences;
export const suppressionReasons = Object.keys(suppressionSentences) as SuppressionReason[];

/** Reasons that staff and integrations give; `denied` is the person's own word. */
export const givenReasons = [
  "unsubscribed",
  "bounced",
  "complained",
  "manual",
] as const satisfies readonly SuppressionReason[];

/** Reasons for which even the question whether somebody wants to come back is not mailed. */
export const hardReasons = [
  "bounced",
  "complained",
  "denied",
] as const satisfies readonly SuppressionReason[];

/** Whether an address may be asked by mail whether it wants to come back: once, and not for a hard reason. */
export function mayAsk({ reason, askedAt }: { reason: SuppressionReason; askedAt: Date | null }): boolean {
  return askedAt === null && !hardReasons.some((hard) => hard === reason);
}

/** What a reason is called on the screen. */
export const suppressionWords: Record<SuppressionReason, string> = {
  manual: "Suppressed",
  bounced: "Bounced",
  unsubscribed: "Unsubscribed",
  complained: "Marked as spam",
  denied: "“This wasn’t me”",
};

/** Where a suppression comes from: the person's own act, which nobody lifts for them, a mail server, or somebody at the newsletter. */
export const suppressionSources = ["person", "mail", "api", "dashboard", "import", "operator"] as const;
export type SuppressionSource = (typeof suppressionSources)[number];

/** Why an address is suppressed, for a caller whose create or change is refused. */
const refusalCauses: Record<SuppressionReason, string> = {
  manual: "This address is suppressed.",
  bounced: "Mail to this address bounced.",
  unsubscribed: "The person at this address unsubscribed.",
  complained: "The person at this address marked a mail as spam.",
  denied: "The person at this address said that they did not sign up.",
};

/** The refusal of a suppressed address. It never offers `pending`: integrators obey it and mail everybody who left. */
export const suppressedSentence = (reason: SuppressionReason, advice = "Leave this address out.") =>
  `${refusalCauses[reason]} ${advice}`;

/** Clocks differ: a date so little ahead of ours counts as now. */
const clockSkewMs = 300_000;

/** When an address was suppressed at the service that it comes from: between 1970 and now. */
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
    description: "When it happened, between 1970 and now; now, without.",
    examples: ["2024-03-02T09:30:00+00:00"],
  });

/** One address that is not to be written to; a request takes an array of 1 to 100 of these. */
export const NewSuppression = z
  .object(
    {
      email: EmailField,
      reason: z.enum(givenReasons, { error: `The reason must be one of ${givenReasons.join(", ")}.` }).meta({
        description: "Of two reasons the stronger stays: manual, bounced, unsubscribed, complained.",
      }),
      date: SuppressedAt.optional(),
    },
    { error: "A suppression must be a JSON object with an email, a reason and optionally a date." },
  )
  .meta({ id: "NewSuppression" });
export type NewSuppression = z.infer<typeof NewSuppression>;

export const NewSuppressions = z.array(NewSuppression).min(bulkBounds.min).max(bulkBounds.max);

/** How many go from the dashboard in one call. */
export const mostSuppressionsInCall = 2_000;

export const SuppressionRecord = z
  .object({
    id: SubscriberRecord.shape.id,
    email: z
      .string()
      .nullable()
      .meta({
        description: "Null when the address is erased or changed: then only a keyed digest of it is kept.",
        examples: ["ada@lovelace.org"],
      }),
    reason: z.enum(suppressionReasons).meta({ examples: ["unsubscribed"] }),
    source: z.enum(suppressionSources).meta({
      description: "person: by their own act, which only their own press on a mailed link lifts.",
      examples: ["api"],
    }),
    created_at: SubscriberRecord.shape.created_at,
  })
  .meta({ id: "Suppression" });
export type SuppressionRecord = z.infer<typeof SuppressionRecord>;

const { email, limit, cursor } = ListQuery.shape;

/** The query of the list of suppressions. */
export const SuppressionsQuery = z.object({
  reason: z
    .enum(suppressionReasons, { error: `reason must be one of ${suppressionReasons.join(", ")}.` })
    .optional()
    .meta({ description: "Only suppressions for this reason." }),
  email: email.meta({ description: "The one of this address, also where only its digest is kept." }),
  limit,
  cursor,
});
