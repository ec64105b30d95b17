import { z } from "zod";

/**
 * What Resend's webhooks say of a mail (https://resend.com/docs/webhooks/event-types). Only what is read of it; whatever
 * else there is may change.
 */
export const ResendReport = z.object({
  type: z.string().max(100),
  created_at: z.string().max(40),
  data: z.object({
    email_id: z.string().min(1).max(100),
    bounce: z
      .object({ message: z.string().optional(), subType: z.string().optional(), type: z.string().optional() })
      .nullish(),
    failed: z.object({ reason: z.string().optional() }).nullish(),
    suppressed: z.object({ message: z.string().optional() }).nullish(),
  }),
});
export type ResendReport = z.output<typeof ResendReport>;

/**
 * What the provider reports of a mail after it has taken it.
 * - delayed: a mail server asks to come again later. delivered: a mail server has it
 * - bounced: a mail server rejects the address for good. rejected: it rejected this mail, perhaps not the next
 * - complained: its reader called it spam. failed: the provider could not send it at all
 */
export type ReportKind = "delayed" | "delivered" | "bounced" | "rejected" | "complained" | "failed";

export type ProviderReport = {
  /** The webhook's own id: the same report may come again. */
  id: string;
  providerId: string;
  kind: ReportKind;
  at: Date;
  /** In the words of whoever says it. */
  detail: string | null;
};
