import { languageOf } from "../../kernel/languages";
import { fillIn } from "../../kernel/placeholders";
import { confirmationMessages } from "../messages";
import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { LINK, nameInMail, type OwnWords, paragraphsOf, renderLinked } from "./linked-letter";
import { type RenderedMail, renderLetterHtml } from "./render-letter";

export type ConfirmationInput = {
  /** As entered by staff; made safe for a header here. */
  newsletterName: string;
  /** A tag such as `en` or `de-AT`; English for languages without a translation. */
  language: string;
  /** Absolute http(s) URL. */
  confirmUrl: string;
  own?: OwnWords;
  /** Whether the mail is a reminder. */
  isReminder?: boolean;
};

/** The confirmation email. */
export function renderConfirmation(input: ConfirmationInput): Promise<RenderedMail> {
  const { language, newsletterName, own, confirmUrl, isReminder = false } = input;
  const key = ["confirmation", language, newsletterName, own?.subject, own?.intro, isReminder];
  return renderLinked(key, confirmUrl, (url) => confirmationLetter(input, url));
}

/** The default words, with their placeholders. */
export function defaultWords(language: string): { subject: string; intro: string } {
  const { subject, intro } = confirmationMessages[languageOf(language)];
  return { subject, intro };
}

/** Loads the rendering modules, so that the first mail doesn't wait for them. */
export async function warmUp(): Promise<void> {
  await renderLetterHtml(
    confirmationLetter({ newsletterName: "Newsletter", language: "en", confirmUrl: LINK }, LINK),
  );
}

/** The text of the mail, with a placeholder as the link. */
export function confirmationLetter(
  { newsletterName, language, own, isReminder = false }: ConfirmationInput,
  url: string,
): LetterProps {
  const tag = languageOf(language);
  const messages = confirmationMessages[tag];
  const newsletter = nameInMail(newsletterName);
  const filled = (text: string) => fillIn(text, { newsletter });
  const paragraphs = paragraphsOf(filled(own?.intro ?? ""));
  const { button, orLink, expires } = messages;
  const subject = oneLine(filled(own?.subject ?? ""), 250) || filled(messages.subject);
  return {
    tag,
    subject: isReminder ? fillIn(messages.reminder, { subject }) : subject,
    heading: newsletter,
    paragraphs: paragraphs.length > 0 ? paragraphs : [filled(messages.intro)],
    action: { url, button, orLink, expires },
    aside: messages.notYou,
  };
}
