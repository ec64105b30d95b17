import { z } from "zod";
import { longestIntro, longestSubject } from "../contract/confirmation-mail";
import { mailFilters, retryableStates } from "../contract/mail-states";
import { previewMail, saveWords, sendTest, wordsOf } from "../services/confirmation-mail";
import { retryMail, retryReason } from "../services/mail-retries";
import { getMail, listMailIssues, listMails } from "../services/mails";
import { newsletterEditorProcedure, newsletterProcedure, router } from "./base";

const OfMail = z.object({ id: z.uuid() });

/** Only the shape: what the words may be is validated where they are used, so that every adapter hears the same. */
const Words = z.object({
  subject: z
    .string()
    .max(longestSubject * 10)
    .nullable(),
  intro: z
    .string()
    .max(longestIntro * 10)
    .nullable(),
  nextUrl: z.string().max(10_000).nullable(),
});

export const mailsRouter = router({
  page: newsletterProcedure
    .input(z.object({ state: z.enum(mailFilters).optional(), cursor: z.uuid().nullish() }))
    .query(({ ctx, input: { state, cursor = null } }) =>
      listMails(ctx.acting, { newsletterId: ctx.newsletter.id, filter: state, after: cursor }),
    ),

  get: newsletterProcedure.input(OfMail).query(async ({ ctx, input }) => {
    const mail = await getMail(ctx.acting, { newsletterId: ctx.newsletter.id, id: input.id });
    if (ctx.staff.role !== "viewer") return mail;
    // Who opens the link confirms. A viewer may only look, so the link is hidden, in the mail's text too.
    const { link, html, text, ...rest } = mail;
    const hide = (content: string) => (link ? content.replaceAll(link, "#") : content);
    return { ...rest, link: null, html: hide(html), text: hide(text) };
  }),

  issues: newsletterProcedure.query(({ ctx }) =>
    listMailIssues(ctx.acting, { newsletterId: ctx.newsletter.id }),
  ),

  retry: newsletterEditorProcedure
    .input(OfMail)
    .mutation(({ ctx, input }) => retryMail(ctx.acting, ctx.newsletter, input.id)),

  retryReason: newsletterEditorProcedure
    .input(z.object({ state: z.enum(retryableStates), code: z.string().max(100).nullable() }))
    .mutation(({ ctx, input }) => retryReason(ctx.acting, ctx.newsletter, input)),

  words: newsletterProcedure.query(({ ctx }) => wordsOf(ctx.newsletter)),

  saveWords: newsletterEditorProcedure
    .input(z.object({ words: Words }))
    .mutation(({ ctx, input }) => saveWords(ctx.acting, input)),

  // Changes nothing, but its input is too long for an address.
  preview: newsletterProcedure
    .input(z.object({ words: Words }))
    .mutation(({ ctx, input }) =>
      previewMail(ctx.acting, { newsletter: ctx.newsletter, words: input.words }),
    ),

  sendTest: newsletterEditorProcedure
    .input(z.object({ words: Words }))
    .mutation(({ ctx, input }) =>
      sendTest(ctx.acting, { newsletter: ctx.newsletter, staff: ctx.staff, words: input.words }),
    ),
});
