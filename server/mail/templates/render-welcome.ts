import { languageOf } from "../../kernel/languages";
import { fillIn } from "../../kernel/placeholders";
import { welcomeMessages } from "../messages";
import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { nameInMail, type OwnWords, paragraphsOf, renderLinked } from "./linked-letter";
import type { RenderedMail } from "./render-letter";

export type WelcomeInput = {
  /** As typed by the staff; made fit for a header here. */
  newsletterName: string;
  /** Tag such as `en` or `de-AT`; what we don't speak is written in English. */
  language: string;
  /** Absolute http(s) URL. */
  unsubscribeUrl: string;
  own: OwnWords;
};

/** The mail that welcomes somebody who has confirmed. */
export function renderWelcome(input: WelcomeInput): Promise<RenderedMail> {
  const { language, newsletterName, own, unsubscribeUrl } = input;
  const key = ["welcome", language, newsletterName, own.subject, own.intro];
  return renderLinked(key, unsubscribeUrl, (url) => welcomeLetter(input, url));
}

/** The words that stand where a newsletter has none of its own, with their placeholders. */
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
