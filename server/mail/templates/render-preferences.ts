import { type Language, languageOf } from "../../kernel/languages";
import { fillIn } from "../../kernel/placeholders";
import {
  confirmationMessages,
  newAddressMessages,
  type PreferencesMessages,
  preferencesMessages,
} from "../messages";
import { nameInMail, renderLinked } from "./linked-letter";
import type { RenderedMail } from "./render-letter";

export type PreferencesInput = {
  /** As typed by the staff; made fit for a header here. */
  newsletterName: string;
  /** Tag such as `en` or `de-AT`; what we don't speak is written in English. */
  language: string;
  /** Of their own link; absolute http(s). */
  url: string;
};

function renderFixed(
  kind: string,
  words: Record<Language, PreferencesMessages>,
  { language, newsletterName, url: own }: PreferencesInput,
): Promise<RenderedMail> {
  const tag = languageOf(language);
  const { subject, intro, button, expires, notYou } = words[tag];
  const newsletter = nameInMail(newsletterName);
  return renderLinked([kind, tag, newsletterName], own, (url) => ({
    tag,
    subject: fillIn(subject, { newsletter }),
    heading: newsletter,
    paragraphs: [fillIn(intro, { newsletter })],
    action: { url, button, orLink: confirmationMessages[tag].orLink, expires },
    aside: notYou,
  }));
}

/** The mail with a person's link to their preferences. Its words are ours alone. */
export const renderPreferences = (input: PreferencesInput) =>
  renderFixed("preferences", preferencesMessages, input);

/** The mail to a new address, which asks whether it is a person's. */
export const renderNewAddress = (input: PreferencesInput) =>
  renderFixed("new address", newAddressMessages, input);
