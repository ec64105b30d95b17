import { z } from "zod";
import type { ConfirmationMail } from "../contract/confirmation-mail";
import { budgetCodes, mostMailsPerDay } from "../contract/mail-budgets";
import { mailFilters } from "../contract/mail-states";
import { hasRight } from "../contract/roles";
import { getMailWords, previewMail, saveWords, sendTest } from "../services/confirmation-mail";
import { releaseDeferred } from "../services/mail-budgets";
import { retryMail, retryMailsOfReason } from "../services/mail-retries";
import { countKept, getMail, listMailIssues, listMails } from "../services/mails";
import { calls, newsletterEditorProcedure, newsletterProcedure, router, validatedByVerb } from "./base";
import { FailedMails } from "./mailings";

const OfMail = z.object({ id: z.uuid() });

const OfWords = z.object({ words: validatedByVerb<ConfirmationMail>() });

export const mailsRouter = router({
  page: newsletterProcedure
    .input(z.object({ state: z.enum(mailFilters).optional(), cursor: z.uuid().nullish() }))
    .query(({ ctx, input: { state, cursor = null } }) =>
      listMails(ctx.acting, { newsletterId: ctx.newsletter.id, filter: state, after: cursor }),
    ),

  get: newsletterProcedure.input(OfMail).query(async ({ ctx, input }) => {
    const mail = await getMail(ctx.acting, { newsletterId: ctx.newsletter.id, id: input.id });
    if (hasRight(ctx.staff.role, "edit")) return mail;
    // Who opens the link confirms. A viewer may only look, so the link is hidden, in the mail's text too.
    const { link, html, text, ...rest } = mail;
    const hide = (content: string) => (link ? content.replaceAll(link, "#") : content);
    return { ...rest, link: null, html: hide(html), text: hide(text) };
  }),

  issues: newsletterProcedure.query(calls(listMailIssues)),

  kept: newsletterProcedure.query(({ ctx }) => countKept(ctx.acting.db, ctx.newsletter.id)),

  retry: newsletterEditorProcedure
    .input(OfMail)
    .mutation(({ ctx, input }) => retryMail(ctx.acting, { newsletter: ctx.newsletter, ...input })),

  retryReason: newsletterEditorProcedure
    .input(FailedMails)
    .mutation(({ ctx, input }) => retryMailsOfReason(ctx.acting, { newsletter: ctx.newsletter, ...input })),

  release: newsletterEditorProcedure
    .input(
      z.object({
        code: z.enum(budgetCodes),
        domain: z.string().max(300).nullable(),
        mails: z.int().min(1).max(mostMailsPerDay),
      }),
    )
    .mutation(({ ctx, input }) => releaseDeferred(ctx.acting, { newsletter: ctx.newsletter, ...input })),

  words: newsletterProcedure.query(({ ctx }) => getMailWords(ctx.newsletter)),

  saveWords: newsletterEditorProcedure.input(OfWords).mutation(calls(saveWords)),

  // Changes nothing, but its input is too long for an address.
  preview: newsletterProcedure
    .input(OfWords)
    .mutation(({ ctx: { acting, newsletter }, input: { words } }) =>
      previewMail(acting, { newsletter, words }),
    ),

  sendTest: newsletterEditorProcedure
    .input(OfWords)
    .mutation(({ ctx: { acting, newsletter, staff }, input: { words } }) =>
      sendTest(acting, { newsletter, staff, words }),
    ),
});
