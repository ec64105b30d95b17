import { z } from "zod";
import { getMailWords, postTestMail, previewMail, saveConfirmationWording } from "../mail/confirmation-mail";
import type { ConfirmationMail } from "../mail/schema/confirmation-mail";
import { mailFilters } from "../mail/schema/mail-states";
import type { WelcomeMail } from "../mail/schema/welcome-mail";
import { findSendPause } from "../mail/shared-queries";
import { getWelcome, previewWelcome, saveWelcome } from "../mail/welcome-mail";
import { PeopleSearch } from "../subscribers/schema/filter";
import { calls, newsletterEditorProcedure, newsletterProcedure, router, validatedByVerb } from "../trpc/base";
import { FailedMails } from "./mailings-router";
import { getMail, listMails, readLink } from "./mails";
import { countLoggedMails, groupIssues } from "./queries/mails";
import { retryMail, retryMailsOfReason } from "./retries";

const OfMail = z.object({ id: z.uuid() });

const OfWords = z.object({ words: validatedByVerb<ConfirmationMail>() });
const OfWelcome = z.object({ welcome: validatedByVerb<WelcomeMail>() });

/** The welcome, which is sent after a confirmation. */
const welcomeRouter = router({
  get: newsletterProcedure.query(({ ctx }) => getWelcome(ctx.newsletter)),
  save: newsletterEditorProcedure
    .input(OfWelcome.extend({ was: validatedByVerb<WelcomeMail>() }))
    .mutation(calls(saveWelcome)),
  // Changes nothing. It is a mutation because its input is too long for a URL.
  preview: newsletterProcedure
    .meta({ onArchived: true })
    .input(OfWelcome)
    .mutation(({ ctx: { acting, newsletter }, input: { welcome } }) =>
      previewWelcome(acting, { newsletter, welcome }),
    ),
  sendTest: newsletterEditorProcedure
    .input(OfWelcome)
    .mutation(async ({ ctx: { acting, newsletter, staff }, input: { welcome } }) =>
      postTestMail(acting, {
        newsletter,
        staff,
        mail: await previewWelcome(acting, { newsletter, welcome }),
      }),
    ),
});

export const mailsRouter = router({
  welcome: welcomeRouter,

  page: newsletterProcedure
    .input(
      z.object({ state: z.enum(mailFilters).optional(), search: PeopleSearch, cursor: z.uuid().nullish() }),
    )
    .query(({ ctx, input: { state, search, cursor = null } }) =>
      listMails(ctx.acting, { newsletterId: ctx.newsletter.id, filter: state, search, after: cursor }),
    ),

  get: newsletterProcedure.input(OfMail).query(calls(getMail)),

  // Changes nothing but the audit log.
  readLink: newsletterEditorProcedure.input(OfMail).mutation(calls(readLink)),

  issues: newsletterProcedure.query(({ ctx }) => groupIssues(ctx.acting.db, ctx.newsletter.id)),

  pause: newsletterProcedure.query(({ ctx }) => findSendPause(ctx.acting.db)),

  kept: newsletterProcedure.query(({ ctx }) => countLoggedMails(ctx.acting.db, ctx.newsletter.id)),

  retry: newsletterEditorProcedure.input(OfMail).mutation(calls(retryMail)),

  retryReason: newsletterEditorProcedure.input(FailedMails).mutation(calls(retryMailsOfReason)),

  words: newsletterProcedure.query(({ ctx }) => getMailWords(ctx.newsletter)),

  saveConfirmationWording: newsletterEditorProcedure
    .input(OfWords.extend({ was: validatedByVerb<ConfirmationMail>() }))
    .mutation(calls(saveConfirmationWording)),

  // Changes nothing. It is a mutation because its input is too long for a URL.
  preview: newsletterProcedure
    .meta({ onArchived: true })
    .input(OfWords)
    .mutation(({ ctx: { acting, newsletter }, input: { words } }) =>
      previewMail(acting, { newsletter, words }),
    ),

  sendTest: newsletterEditorProcedure
    .input(OfWords)
    .mutation(async ({ ctx: { acting, newsletter, staff }, input: { words } }) =>
      postTestMail(acting, { newsletter, staff, mail: await previewMail(acting, { newsletter, words }) }),
    ),
});
