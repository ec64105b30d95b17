import type { ActorContext } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import type { NewsletterRow } from "../accounts/shared-queries";
import { parse } from "../kernel/parse";
import { type PreviewContext, withSender } from "./confirmation-mail";
import { WelcomeMail } from "./schema/welcome-mail";
import { defaultWords, renderPersonMail } from "./templates/render-person-mail";

/** A newsletter's own welcome, and the defaults for the words that it does not set. */
export function getWelcome({ language, welcomeOn, welcomeSubject, welcomeText }: NewsletterRow) {
  const { subject, intro: text } = defaultWords("welcome", language);
  return {
    on: welcomeOn,
    own: { subject: welcomeSubject, text: welcomeText },
    defaults: { subject, text },
    language,
  };
}

/**
 * Changes a newsletter's welcome. Mails that are already written keep their words; waiting mails get the new ones.
 * Waiting welcomes are not sent after the welcome is switched off.
 * @throws AppError not_found, validation_error
 */
export async function saveWelcome(
  ctx: ActorContext,
  { newsletterId, welcome, was }: { newsletterId: string; welcome: WelcomeMail; was?: WelcomeMail },
): Promise<void> {
  const columnsOf = ({ on, subject, text }: WelcomeMail) => ({
    welcomeOn: on,
    welcomeSubject: subject,
    welcomeText: text,
  });
  const given = parse(WelcomeMail, welcome);
  const { on } = given;
  const opened = WelcomeMail.safeParse(was).data;
  await changeNewsletter(ctx, {
    newsletterId,
    changes: columnsOf(given),
    was: opened && columnsOf(opened),
    action: "newsletter.welcome_changed",
    detail: { on },
  });
}

type WelcomePreview = { newsletter: NewsletterRow; welcome: WelcomeMail };

/** The welcome with these words, rendered like a real one. @throws AppError validation_error */
export async function previewWelcome(ctx: PreviewContext, { newsletter, welcome }: WelcomePreview) {
  const { subject, text } = parse(WelcomeMail, welcome);
  const { name: newsletterName, language } = newsletter;
  const mail = { kind: "welcome", newsletterName, language, own: { subject, intro: text } } as const;
  return withSender(ctx, newsletter, await renderPersonMail(mail, ctx.links.exampleUrl));
}
