import { z } from "zod";

/**
 * The fields that Rollcall reads of Resend's webhooks (https://resend.com/docs/webhooks/event-types). Other fields may
 * change.
 */
export const ResendReport = z.object({
  type: z.string().max(100),
  created_at: z.string().max(40),
  data: z.object({
    email_id: z.string().min(1).max(100),
    bounce: z.object({ message: z.string().optional(), type: z.string().optional() }).nullish(),
    failed: z.object({ reason: z.string().optional() }).nullish(),
    suppressed: z.object({ message: z.string().optional() }).nullish(),
  }),
});
export type ResendReport = z.output<typeof ResendReport>;

/**
 * The provider's report on a mail that it has accepted.
 * - delayed: a mail server asks for a retry later. delivered: a mail server accepted the mail
 * - bounced: a mail server rejects the address permanently. rejected: it rejected this mail, perhaps not the next
 * - complained: the reader reported spam. failed: the provider could not send the mail
 */
export type ReportKind = "delayed" | "delivered" | "bounced" | "rejected" | "complained" | "failed";

export type ProviderReport = {
  /** The webhook's own id; repeated reports have the same id. */
  id: string;
  providerId: string;
  kind: ReportKind;
  at: Date;
  /** The reason, in the reporter's own words. */
  detail: string | null;
};
