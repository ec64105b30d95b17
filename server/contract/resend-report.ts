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
