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
  /** As entered by staff; made safe for a header here. */
  newsletterName: string;
  /** A tag such as `en` or `de-AT`; English for languages without a translation. */
  language: string;
  /** The person's own link; absolute http(s). */
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

/** The mail with a person's link to their preferences. Newsletters can't change its words. */
export const renderPreferences = (input: PreferencesInput) =>
  renderFixed("preferences", preferencesMessages, input);

/** The mail that asks the owner of a new address to confirm it. */
export const renderNewAddress = (input: PreferencesInput) =>
  renderFixed("new address", newAddressMessages, input);
