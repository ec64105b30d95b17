import { languageOf } from "../../kernel/languages";
import { fillIn } from "../../kernel/placeholders";
import { welcomeMessages } from "../messages";
import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { nameInMail, type OwnWords, paragraphsOf, renderLinked } from "./linked-letter";
import type { RenderedMail } from "./render-letter";

export type WelcomeInput = {
  /** As entered by staff; made safe for a header here. */
  newsletterName: string;
  /** A tag such as `en` or `de-AT`; English for languages without a translation. */
  language: string;
  /** Absolute http(s) URL. */
  unsubscribeUrl: string;
  own: OwnWords;
};

/** The welcome after a confirmation. */
export function renderWelcome(input: WelcomeInput): Promise<RenderedMail> {
  const { language, newsletterName, own, unsubscribeUrl } = input;
  const key = ["welcome", language, newsletterName, own.subject, own.intro];
  return renderLinked(key, unsubscribeUrl, (url) => welcomeLetter(input, url));
}

/** The default words, with their placeholders. */
export function defaultWelcome(language: string): { subject: string; text: string } {
  const { subject, text } = welcomeMessages[languageOf(language)];
  return { subject, text };
}

function welcomeLetter({ newsletterName, language, own }: WelcomeInput, url: string): LetterProps {
  const tag = languageOf(language);
  const messages = welcomeMessages[tag];
  const newsletter = nameInMail(newsletterName);
  const filled = (text: string) => fillIn(text, { newsletter });
  const paragraphs = paragraphsOf(filled(own.intro ?? ""));
  return {
    tag,
    subject: oneLine(filled(own.subject ?? ""), 250) || filled(messages.subject),
    heading: newsletter,
    paragraphs: paragraphs.length > 0 ? paragraphs : paragraphsOf(filled(messages.text)),
    aside: filled(messages.why),
    asideLink: { word: messages.unsubscribe, url },
  };
}
