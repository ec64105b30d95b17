import { languageOf } from "../../kernel/languages";
import { fillIn } from "../../kernel/placeholders";
import { personMailWords, sharedWords } from "../messages";
import type { PersonMailKind } from "../schema/mail-states";
import { headerLine } from "../sender";
import type { LetterProps } from "./letter";
import { type RenderedMail, renderLetter } from "./render-letter";

export type PersonMail = {
  kind: PersonMailKind;
  /** As entered by staff; made safe for a header here. */
  newsletterName: string;
  /** A tag such as `en` or `de-AT`; English for languages without a translation. */
  language: string;
  /** The newsletter's own words, with placeholders; null for the default words. */
  own?: { subject: string | null; intro: string | null };
  isReminder?: boolean;
};

/** Replaces the link in cached mails. Words can't contain it, since their control characters are removed. */
const LINK = "https://link.invalid/\u0001";
const MAX_CACHED = 500;
const cache = new Map<string, Promise<RenderedMail>>();

/**
 * Renders a mail to a person. The mails of one newsletter differ only by their link, and rendering takes about 2 ms.
 * The common part is therefore rendered once and cached. Inserting the link afterwards gives the same bytes.
 * @param url the person's own link; absolute http(s)
 */
export async function renderPersonMail(mail: PersonMail, url: string): Promise<RenderedMail> {
  const { kind, newsletterName, language, own, isReminder = false } = mail;
  // Percent-encodes every character that could end the line in the text.
  const href = new URL(url).href;
  const key = JSON.stringify([kind, newsletterName, language, own?.subject, own?.intro, isReminder]);
  let rendered = cache.get(key);
  if (!rendered) {
    rendered = renderLetter(personLetter(mail, LINK));
    rendered.catch(() => cache.delete(key));
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(key, rendered);
  }
  const { subject, html, text } = await rendered;
  const inHtml = escapeHtml(href);
  return { subject, html: html.replaceAll(LINK, () => inHtml), text: text.replaceAll(LINK, () => href) };
}

/** Escapes the characters that React escapes, in attributes and text. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#x27;",
  );
}

/** The default words, with their placeholders. */
export function defaultWords(kind: PersonMailKind, language: string): { subject: string; intro: string } {
  const { subject, intro } = personMailWords[kind][languageOf(language)];
  return { subject, intro };
}

/** Loads the rendering modules, so that the first mail doesn't wait for them. */
export async function warmUp(): Promise<void> {
  await renderLetter(
    personLetter({ kind: "confirmation", newsletterName: "Newsletter", language: "en" }, LINK),
  );
}

/** Words as paragraphs, without control characters; empty without words. */
const paragraphsOf = (text: string): string[] =>
  text
    .replace(/[^\P{Cc}\n]/gu, " ")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "");

/** The text of a mail to a person, with this link. */
export function personLetter(mail: PersonMail, url: string): LetterProps {
  const tag = languageOf(mail.language);
  const words = personMailWords[mail.kind][tag];
  const { orLink, reminder } = sharedWords[tag];
  const newsletter = headerLine(mail.newsletterName) || "Newsletter";
  const filled = (text: string) => fillIn(text, { newsletter });
  const subject = headerLine(filled(mail.own?.subject ?? ""), 250) || filled(words.subject);
  const paragraphs = paragraphsOf(filled(mail.own?.intro ?? ""));
  return {
    tag,
    subject: mail.isReminder ? fillIn(reminder, { subject }) : subject,
    heading: newsletter,
    paragraphs: paragraphs.length > 0 ? paragraphs : [filled(words.intro)],
    aside: filled(words.aside),
    ...("button" in words
      ? { action: { url, button: words.button, orLink, expires: words.expires } }
      : { asideLink: { word: words.unsubscribe, url } }),
  };
}
