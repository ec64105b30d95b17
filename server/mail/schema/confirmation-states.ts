import { z } from "zod";
import { timeMeta } from "../../kernel/api-time";
import { budgetCodes } from "./mail-budgets";

/** Why a confirmation email is held, or will be. */
export const holdReasons = [
  "paused",
  "no_provider",
  "provider",
  "mailing",
  "person_minute",
  "person_day",
  ...budgetCodes,
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** `until`: when it is next tried; null: not known. */
export type Hold = { reason: HoldReason; until: Date | null };

/** The newest confirmation email of a person. */
export const ConfirmationRecord = z
  .object({
    state: z
      .enum([
        "none",
        "queued",
        "held",
        "sent",
        "delivered",
        "bounced",
        "complained",
        "failed",
        "uncertain",
        "cancelled",
      ])
      .meta({
        description:
          "none: no confirmation email was ever requested. queued: it is sent within seconds. held: it is sent later, see `reason`. uncertain: the provider may have accepted it. delivered, bounced and complained need the provider's reports.",
        examples: ["held"],
      }),
    reason: z
      .enum(holdReasons)
      .nullable()
      .meta({
        description:
          "For held, otherwise null. domain_day: the newsletter's limit of sign-ups a day to one domain. own_domain_day: the limit for all other confirmations to one domain. newsletter_day: the newsletter's limit a day. person_minute, person_day: the person's limits. paused: the operator paused sending. provider: the email provider accepts no email at the moment. mailing: staff can still cancel it. no_provider: no email provider is set up, and the email is not sent later. Later versions may add reasons.",
        examples: ["own_domain_day"],
      }),
    held_until: z
      .string()
      .nullable()
      .meta(
        timeMeta(
          "For held: when Rollcall tries again; null if that is not known.",
          "2026-06-12T00:00:00+00:00",
        ),
      ),
    requested_at: z.string().nullable().meta(timeMeta("Null for none.")),
  })
  .meta({ id: "Confirmation" });
export type ConfirmationRecord = z.infer<typeof ConfirmationRecord>;
