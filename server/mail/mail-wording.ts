import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import type { NewsletterRow } from "../accounts/shared-queries";
import { AppError, parse } from "../kernel/errors";
import type { MailContext } from "./context";
import type { ReadMailService } from "./delivery/provider";
import { countTestMails } from "./queries/new-mails";
import { MailWording } from "./schema/mail-wording";
import type { WordedMail } from "./schema/mail-words";
import { formatSender, headerLine } from "./sender";
import type { SignedLinks } from "./signed-links";
import { defaultWords, renderPersonMail } from "./templates/render-person-mail";

/** The installation's sender, and the link of a test mail. */
type PreviewContext = { mailService: ReadMailService; links: Pick<SignedLinks, "exampleUrl"> };

const wordingOf: Record<WordedMail, (newsletter: NewsletterRow) => MailWording> = {
  confirmation: ({ confirmSubject: subject, confirmIntro: intro, confirmNextUrl: nextUrl }) => ({
    ...{ on: true, subject, intro, nextUrl },
  }),
  welcome: ({ welcomeOn: on, welcomeSubject: subject, welcomeText: intro }) => ({
    ...{ on, subject, intro, nextUrl: null },
  }),
};

const columnsOf: Record<WordedMail, (wording: MailWording) => Partial<NewsletterRow>> = {
  confirmation: ({ subject, intro, nextUrl }) => ({
    confirmSubject: subject,
    confirmIntro: intro,
    confirmNextUrl: nextUrl,
  }),
  welcome: ({ on, subject, intro }) => ({ welcomeOn: on, welcomeSubject: subject, welcomeText: intro }),
};

type OfKind = { kind: WordedMail };

/** A newsletter's own words of an email, and the defaults for the words that it does not set. */
export const getMailWording = (newsletter: NewsletterRow, { kind }: OfKind) => ({
  own: wordingOf[kind](newsletter),
  defaults: defaultWords(kind, newsletter.language),
  language: newsletter.language,
});

/**
 * Changes the words of an email. Emails that are already written keep the old words; waiting ones get the new ones.
 * Waiting welcomes are not sent after the welcome is switched off.
 * @throws AppError not_found, validation_error
 */
export async function saveMailWording(
  ctx: ActorContext,
  {
    newsletterId,
    kind,
    wording,
    was,
  }: OfKind & { newsletterId: string; wording: MailWording; was?: MailWording },
): Promise<void> {
  const given = parse(MailWording[kind], wording);
  const opened = MailWording[kind].safeParse(was).data;
  await changeNewsletter(ctx, {
    newsletterId,
    changes: columnsOf[kind](given),
    was: opened && columnsOf[kind](opened),
    action: `newsletter.${kind}_changed`,
    ...(kind === "welcome" && { detail: { on: given.on } }),
  });
}

type PreviewInput = OfKind & { newsletter: NewsletterRow; wording: MailWording };

/** An email with these words, rendered like a real one. @throws AppError validation_error */
export async function previewMail(ctx: PreviewContext, { newsletter, kind, wording }: PreviewInput) {
  const own = parse(MailWording[kind], wording);
  const { name: newsletterName, language, sender, replyTo } = newsletter;
  const mail = await renderPersonMail({ kind, newsletterName, language, own }, ctx.links.exampleUrl);
  const from = formatSender(sender ?? (await ctx.mailService()).from, newsletterName);
  return { ...mail, from, replyTo: replyTo && headerLine(replyTo, 320) };
}

const MAX_TESTS = 10;
const TEST_MINUTES = 10;

/**
 * Mails a preview to a staff member, at most ten in ten minutes.
 * @returns the mail's id
 * @throws AppError validation_error, also for the eleventh
 */
export async function postTestMail(
  ctx: ActorContext & PreviewContext & Pick<MailContext, "outbox">,
  { staff, ...input }: PreviewInput & { staff: { id: string; email: string } },
): Promise<{ mailId: string }> {
  const { newsletter } = input;
  const { subject, html, text } = await previewMail(ctx, input);
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
