import { z } from "zod";
import { BulkTargetInput, targetIn } from "../bulk-actions/target";
import { retryableStates } from "../mail/schema/mail-states";
import { listOpenMailings } from "../mail/shared-queries";
import { calls, newsletterEditorProcedure, newsletterProcedure, router } from "../trpc/base";
import { previewMailing } from "./mailing-previews";
import { cancelMailing } from "./mailings";

/** Mails that failed for one reason. */
export const FailedMails = z.object({
  state: z.enum(retryableStates),
  code: z.string().max(100).nullable(),
});

/** Mails to more than one person: previews, open mailings, and cancelling. */
export const mailingsRouter = router({
  /** Mailings of all staff members that can still be cancelled. */
  open: newsletterProcedure.query(({ ctx }) => listOpenMailings(ctx.acting.db, ctx.newsletter.id)),

  // Changes nothing. It is a mutation because its input is too long for a URL.
  preview: newsletterEditorProcedure
    .meta({ onArchived: true })
    .input(z.object({ of: z.union([BulkTargetInput, z.object({ importId: z.uuid() }), FailedMails]) }))
    .mutation(async ({ ctx: { acting, newsletter }, input: { newsletterId, of } }) => {
      const isPeople = "ids" in of || "filter" in of;
      const target = isPeople ? await targetIn(acting, { newsletterId, target: of }) : of;
      return previewMailing(acting, { newsletter, target });
    }),

  cancel: newsletterEditorProcedure.input(z.object({ id: z.uuid() })).mutation(calls(cancelMailing)),
});
