import { z } from "zod";
import { createNewsletter } from "../accounts/newsletters";
import { pendingDaysBounds } from "../kernel/durations";
import { getOverview } from "../operations/overview";
import { getPendingRules, savePendingRules } from "../subscribers/confirmation-reminders";
import type { PendingRules } from "../subscribers/schema/pending-rules";
import {
  afterRecentSignIn,
  calls,
  newsletterOwnerProcedure,
  newsletterProcedure,
  ownerProcedure,
  router,
  validatedByVerb,
} from "../trpc/base";
import { archiveNewsletter, deleteNewsletter, reopen } from "./close-newsletter";
import type { NewsletterSettings } from "./schema/settings";
import { saveNewsletterSettings } from "./settings";

/** A Date in the browser, ISO text in the request. Bounded to common years that PostgreSQL accepts. */
const Moment = z.coerce.date<Date | string>().min(new Date("1900-01-01")).max(new Date("9999-12-31"));
const OverviewSpan = z.object({
  days: z.union([z.literal(30), z.literal(90), z.literal(365)]),
  /** The starts of the last 7 and 30 days in the reader's time zone. */
  own: z.object({ week: Moment, month: Moment }),
});

export const newslettersRouter = router({
  create: ownerProcedure
    .input(z.object({ name: validatedByVerb<string>() }))
    .mutation(calls(createNewsletter)),
  settings: newsletterProcedure.query(async ({ ctx }) => {
    const { id, name, sender, replyTo, language, timeZone } = ctx.newsletter;
    const { domainMailsPerDay, mailsPerDay, sendDelaySeconds } = ctx.newsletter;
    const { from: mailFrom } = await ctx.acting.mailService();
    const limits = { domainMailsPerDay, mailsPerDay, sendDelaySeconds };
    return { id, name, sender, replyTo, language, timeZone, ...limits, mailFrom };
  }),
  archive: newsletterOwnerProcedure.meta({ onArchived: true }).mutation(calls(archiveNewsletter)),
  delete: newsletterOwnerProcedure
    .meta({ onArchived: true })
    .use(afterRecentSignIn)
    .input(z.object({ name: z.string().max(1000) }))
    .mutation(calls(deleteNewsletter)),
  reopen: newsletterOwnerProcedure.meta({ onArchived: true }).mutation(calls(reopen)),
  save: newsletterOwnerProcedure
    .input(
      z.object({
        settings: validatedByVerb<NewsletterSettings>(),
        was: validatedByVerb<NewsletterSettings>(),
      }),
    )
    .mutation(calls(saveNewsletterSettings)),
  pendingRules: newsletterProcedure
    .input(z.object({ days: z.int().min(pendingDaysBounds.least).max(pendingDaysBounds.most) }))
    .query(({ ctx: { acting, newsletter }, input }) => getPendingRules(acting, { newsletter, ...input })),
  savePendingRules: newsletterOwnerProcedure
    .input(z.object({ rules: validatedByVerb<PendingRules>(), was: validatedByVerb<PendingRules>() }))
    .mutation(calls(savePendingRules)),
  overview: newsletterProcedure
    .input(OverviewSpan)
    .query(({ ctx: { acting, newsletter }, input }) => getOverview(acting, { newsletter, ...input })),
});
