import type { Links } from "../auth/signed-links";
import { ConfirmationMail } from "../contract/confirmation-mail";
import { countTestMails } from "../db/mail-pages";
import { AppError } from "../errors";
import { formatSender, oneLine } from "../mail/sender";
import { defaultWords, renderConfirmation } from "../mail/templates/render-confirmation";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { getNewsletter } from "./newsletters";
import { parse } from "./parse";

type Newsletter = Awaited<ReturnType<typeof getNewsletter>>;
/** MAIL_FROM, and where a mail's link leads that asks nobody. */
type Sending = { mailFrom: string; links: Pick<Links, "exampleUrl"> };

/** A newsletter's own words, and those of the app that stand where it has none. */
export function wordsOf({ language, confirmSubject, confirmIntro, confirmNextUrl }: Newsletter) {
  return {
    own: { subject: confirmSubject, intro: confirmIntro, nextUrl: confirmNextUrl },
    defaults: defaultWords(language),
    language,
  };
}

/**
 * Changes a newsletter's words. Mails that are written already keep theirs, those still waiting get the new ones.
 * @throws AppError validation_error
 */
export async function saveWords(
  ctx: Pick<Ctx, "db" | "actor" | "requestId">,
  newsletterId: string,
  input: ConfirmationMail,
): Promise<void> {
  const { subject, intro, nextUrl } = parse(ConfirmationMail, input);
  const next = { confirmSubject: subject, confirmIntro: intro, confirmNextUrl: nextUrl };
  await withTransaction(ctx, async (tx) => {
    const before = await getNewsletter(tx, newsletterId);
    const changed = (Object.keys(next) as (keyof typeof next)[]).filter(
      (name) => next[name] !== before[name],
    );
    if (changed.length === 0) return;
    await tx.newsletter.update({ where: { id: newsletterId }, data: next });
    await record(ctx, tx, {
      accountId: before.accountId,
      newsletterId,
      action: "newsletter.confirmation_changed",
      subjectId: newsletterId,
      detail: { changed },
    });
  });
}

/** The mail as it would leave with these words, made by what makes the real ones. @throws AppError validation_error */
export async function previewMail(
  { mailFrom, links }: Sending,
  newsletter: Newsletter,
  input: ConfirmationMail,
) {
  const own = parse(ConfirmationMail, input);
  const { name, language, sender, replyTo } = newsletter;
  const mail = await renderConfirmation({
    newsletterName: name,
    language,
    own,
    confirmUrl: links.exampleUrl,
  });
  return { ...mail, from: formatSender(sender ?? mailFrom, name), replyTo: replyTo && oneLine(replyTo, 320) };
}

const MOST_TESTS = 10;
const TEST_MINUTES = 10;

/**
 * Sends who asks a test with these words, saved or not. @returns the mail's id
 * @throws AppError validation_error, also for the eleventh in ten minutes
 */
export async function sendTest(
  ctx: Ctx,
  sending: Sending,
  newsletter: Newsletter,
  staff: { id: string; email: string },
  input: ConfirmationMail,
): Promise<{ mailId: string }> {
  const { subject, html, text } = await previewMail(sending, newsletter, input);
  return withTransaction(ctx, async (tx) => {
    if ((await countTestMails(tx, staff.id, TEST_MINUTES)) >= MOST_TESTS) {
      throw new AppError(
        "validation_error",
        "You have sent ten tests in ten minutes. Wait a little; the preview shows the same mail.",
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
