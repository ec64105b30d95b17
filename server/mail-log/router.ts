import { z } from "zod";
import { BulkTargetInput, targetIn } from "../bulk-actions/target";
import { getMailWording, postTestMail, previewMail, saveMailWording } from "../mail/mail-wording";
import { mailFilters, retryableStates } from "../mail/schema/mail-states";
import type { MailWording } from "../mail/schema/mail-wording";
import { wordedMails } from "../mail/schema/mail-words";
import { findSendPause, listOpenMailings } from "../mail/shared-queries";
import { PeopleSearch } from "../subscribers/schema/filter";
import { calls, newsletterEditorProcedure, newsletterProcedure, router, validatedByVerb } from "../trpc/base";
import { previewMailing } from "./mailing-previews";
import { cancelMailing } from "./mailings";
import { getMail, listMails, readLink } from "./mails";
import { countLoggedMails, groupIssues } from "./queries/mails";
import { retryMail, retryMailsOfReason } from "./retries";

const OfMail = z.object({ id: z.uuid() });

const OfKind = z.object({ kind: z.enum(wordedMails) });
const OfWording = OfKind.extend({ wording: validatedByVerb<MailWording>() });

/** Mails that failed for one reason. */
const FailedMails = z.object({
  state: z.enum(retryableStates),
  code: z.string().max(100).nullable(),
});

export const mailsRouter = router({
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

  wording: newsletterProcedure
    .input(OfKind)
    .query(({ ctx: { newsletter }, input }) => getMailWording(newsletter, input)),

  saveWording: newsletterEditorProcedure
    .input(OfWording.extend({ was: validatedByVerb<MailWording>() }))
    .mutation(calls(saveMailWording)),

  // Changes nothing. It is a mutation because its input is too long for a URL.
  preview: newsletterProcedure
    .meta({ onArchived: true })
    .input(OfWording)
    .mutation(({ ctx: { acting, newsletter }, input }) => previewMail(acting, { ...input, newsletter })),

  sendTest: newsletterEditorProcedure
    .input(OfWording)
    .mutation(({ ctx: { acting, newsletter, staff }, input }) =>
      postTestMail(acting, { ...input, newsletter, staff }),
    ),
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
