import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import type { NewsletterRow } from "../accounts/shared-queries";
import { AppError } from "../kernel/errors";
import { parse } from "../kernel/parse";
import type { MailContext } from "./context";
import type { ReadMailService } from "./delivery/provider";
import { countTestMails } from "./queries/new-mails";
import { ConfirmationMail } from "./schema/confirmation-mail";
import { formatSender, headerLine } from "./sender";
import type { SignedLinks } from "./signed-links";
import type { RenderedMail } from "./templates/render-letter";
import { defaultWords, renderPersonMail } from "./templates/render-person-mail";

/** The installation's sender, and the link of a test mail. */
export type PreviewContext = { mailService: ReadMailService; links: Pick<SignedLinks, "exampleUrl"> };

/** A newsletter's own words, and the defaults for the words that it does not set. */
export function getMailWords({ language, confirmSubject, confirmIntro, confirmNextUrl }: NewsletterRow) {
  return {
    own: { subject: confirmSubject, intro: confirmIntro, nextUrl: confirmNextUrl },
    defaults: defaultWords("confirmation", language),
    language,
  };
}

/**
 * Changes a newsletter's words. Mails that are already written keep the old words; waiting mails get the new ones.
 * @throws AppError not_found, validation_error
 */
export async function saveConfirmationWording(
  ctx: ActorContext,
  { newsletterId, words, was }: { newsletterId: string; words: ConfirmationMail; was?: ConfirmationMail },
): Promise<void> {
  const columnsOf = ({ subject, intro, nextUrl }: ConfirmationMail) => ({
    confirmSubject: subject,
    confirmIntro: intro,
    confirmNextUrl: nextUrl,
  });
  const opened = ConfirmationMail.safeParse(was).data;
  await changeNewsletter(ctx, {
    newsletterId,
    changes: columnsOf(parse(ConfirmationMail, words)),
    was: opened && columnsOf(opened),
    action: "newsletter.confirmation_changed",
  });
}

type PreviewInput = { newsletter: NewsletterRow; words: ConfirmationMail };

export async function withSender(
  { mailService }: Pick<PreviewContext, "mailService">,
  { name, sender, replyTo }: NewsletterRow,
  mail: RenderedMail,
) {
  const from = formatSender(sender ?? (await mailService()).from, name);
  return { ...mail, from, replyTo: replyTo && headerLine(replyTo, 320) };
}

/** The confirmation with these words, rendered like a real one. @throws AppError validation_error */
export async function previewMail(ctx: PreviewContext, { newsletter, words }: PreviewInput) {
  const own = parse(ConfirmationMail, words);
  const { name: newsletterName, language } = newsletter;
  const mail = { kind: "confirmation", newsletterName, language, own } as const;
  return withSender(ctx, newsletter, await renderPersonMail(mail, ctx.links.exampleUrl));
}

const MAX_TESTS = 10;
const TEST_MINUTES = 10;

type TestMail = { newsletter: NewsletterRow; staff: { id: string; email: string }; mail: RenderedMail };

/**
 * Mails a preview to a staff member, at most ten in ten minutes.
 * @returns the mail's id
 * @throws AppError validation_error for the eleventh
 */
export function postTestMail(
  ctx: ActorContext & Pick<MailContext, "outbox">,
  { newsletter, staff, mail: { subject, html, text } }: TestMail,
): Promise<{ mailId: string }> {
  return withTransaction(ctx, async (tx) => {
    if ((await countTestMails(tx, staff.id, TEST_MINUTES)) >= MAX_TESTS) {
      throw new AppError(
        "validation_error",
        "You have sent ten tests in ten minutes. Wait a few minutes. The preview shows the same email.",
      );
    }
    const mailId = await ctx.outbox.postToStaff(tx, {
      kind: "test",
      newsletterId: newsletter.id,
      staffId: staff.id,
      toEmail: staff.email,
      subject,
      html,
      text,
    });
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "mail.test",
      subjectId: mailId,
    });
    return { mailId };
  });
}
