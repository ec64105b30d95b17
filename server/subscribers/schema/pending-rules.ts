import { z } from "zod";
import { pendingDaysBounds } from "../../kernel/durations";

const pendingDaysError = `Enter a whole number of days from ${pendingDaysBounds.least} to ${pendingDaysBounds.most}.`;

/** The rules for pending people who don't confirm. */
export const PendingRules = z.object({
  /** Pending people get one reminder. */
  reminder: z.boolean(),
  /** Days after the last confirmation email until pending people are removed; null: never. */
  days: z
    .int({ error: pendingDaysError })
    .min(pendingDaysBounds.least, pendingDaysError)
    .max(pendingDaysBounds.most, pendingDaysError)
    .nullable(),
});
export type PendingRules = z.output<typeof PendingRules>;
