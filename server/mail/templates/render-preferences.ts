import { languageOf } from "../../contract/languages";
import { fillIn } from "../../domain/placeholders";
import { confirmationMessages, preferencesMessages } from "../messages";
import { nameInMail, renderLinked } from "./linked-letter";
import type { RenderedMail } from "./render-letter";

export type PreferencesInput = {
  /** As typed by the staff; made fit for a header here. */
  newsletterName: string;
  /** Tag such as `en` or `de-AT`; what we don't speak is written in English. */
  language: string;
  /** Absolute http(s) URL. */
  preferencesUrl: string;
};

/** The mail with a person's link to their preferences. Its words are ours alone. */
export function renderPreferences(input: PreferencesInput): Promise<RenderedMail> {
  const { language, newsletterName, preferencesUrl } = input;
  const tag = languageOf(language);
  const { subject, intro, button, expires, notYou } = preferencesMessages[tag];
  const newsletter = nameInMail(newsletterName);
  return renderLinked(["preferences", tag, newsletterName], preferencesUrl, (url) => ({
    tag,
    subject: fillIn(subject, { newsletter }),
    heading: newsletter,
    paragraphs: [fillIn(intro, { newsletter })],
    action: { url, button, orLink: confirmationMessages[tag].orLink, expires },
    aside: notYou,
  }));
}
