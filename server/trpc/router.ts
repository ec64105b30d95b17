import { z } from "zod";
import { createNewsletter, getAccount } from "../accounts/newsletters";
import { createKey, listKeys, revokeKey, rotateKey } from "../api-keys/api-keys";
import { requestsRouter } from "../api-keys/router";
import type { NewKey } from "../api-keys/schema/new-key";
import { bulkActionsRouter } from "../bulk-actions/router";
import { webhooksRouter } from "../events/router";
import { importsRouter } from "../imports/router";
import { pendingDaysBounds } from "../kernel/durations";
import { mailingsRouter, mailsRouter } from "../mail-log/router";
import { archiveNewsletter, deleteNewsletter, reopen } from "../newsletters/close-newsletter";
import type { NewsletterSettings } from "../newsletters/schema/settings";
import { saveNewsletterSettings } from "../newsletters/settings";
import { getOverview } from "../operations/overview";
import { signUpPageRouter } from "../sign-up/router";
import { accountRouter, ownRouter, sessionsRouter } from "../staff/router";
import { getPendingRules, savePendingRules } from "../subscribers/confirmation-reminders";
import { fieldsRouter, peopleRouter, segmentsRouter, tagsRouter } from "../subscribers/router";
import type { PendingRules } from "../subscribers/schema/pending-rules";
import { suppressionsRouter } from "../suppressions/router";
import {
  afterRecentSignIn,
  calls,
  newsletterOwnerProcedure,
  newsletterProcedure,
  ownerProcedure,
  router,
  validatedByVerb,
} from "./base";

const OfKey = z.object({ keyId: z.uuid() });

const keysRouter = router({
  list: newsletterProcedure.query(async ({ ctx, input }) => {
    const [keys, { apiAccess }] = await Promise.all([
      listKeys(ctx.acting, input),
      getAccount(ctx.acting.db, ctx.staff.accountId),
    ]);
    return { keys, apiAccess };
  }),
  create: newsletterOwnerProcedure
    .use(afterRecentSignIn)
    .input(z.object({ key: validatedByVerb<NewKey>() }))
    .mutation(calls(createKey)),
  revoke: newsletterOwnerProcedure.meta({ onArchived: true }).input(OfKey).mutation(calls(revokeKey)),
  rotate: newsletterOwnerProcedure
    .use(afterRecentSignIn)
    .input(OfKey.extend({ overlapHours: z.int().min(0).max(720) }))
    .mutation(calls(rotateKey)),
});

/** A Date in the browser, ISO text in the request. Bounded to common years that PostgreSQL accepts. */
const Moment = z.coerce.date<Date | string>().min(new Date("1900-01-01")).max(new Date("9999-12-31"));
const OverviewSpan = z.object({
  days: z.union([z.literal(30), z.literal(90), z.literal(365)]),
  /** The starts of the last 7 and 30 days in the reader's time zone. */
  own: z.object({ week: Moment, month: Moment }),
});

const newslettersRouter = router({
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
    .query(({ ctx: { acting, newsletter }, input: { days } }) =>
      getPendingRules(acting, { newsletter, days }),
    ),
  savePendingRules: newsletterOwnerProcedure
    .input(z.object({ rules: validatedByVerb<PendingRules>(), was: validatedByVerb<PendingRules>() }))
    .mutation(calls(savePendingRules)),
  overview: newsletterProcedure
    .input(OverviewSpan)
    .query(({ ctx: { acting, newsletter }, input: { days, own } }) =>
      getOverview(acting, { newsletter, days, since: own }),
    ),
});

export const appRouter = router({
  people: peopleRouter,
  bulkActions: bulkActionsRouter,
  fields: fieldsRouter,
  tags: tagsRouter,
  segments: segmentsRouter,
  imports: importsRouter,
  keys: keysRouter,
  requests: requestsRouter,
  suppressions: suppressionsRouter,
  mails: mailsRouter,
  mailings: mailingsRouter,
  newsletters: newslettersRouter,
  signUpPage: signUpPageRouter,
  webhooks: webhooksRouter,
  account: accountRouter,
  sessions: sessionsRouter,
  own: ownRouter,
});

export type AppRouter = typeof appRouter;
