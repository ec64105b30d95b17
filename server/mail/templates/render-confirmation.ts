import { languageOf } from "../../contract/languages";
import { fillIn } from "../../domain/placeholders";
import { confirmationMessages } from "../messages";
import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { type RenderedMail, renderLetter, renderLetterHtml } from "./render-letter";

/** Stands for the link in what is remembered; no words can hold it, since they lose their control characters. */
const LINK = "https://link.invalid/\u0001";
const MAX_REMEMBERED = 500;

/** A newsletter's own words, with placeholders; null where ours stand. */
export type OwnWords = { subject: string | null; intro: string | null };

export type ConfirmationInput = {
  /** As typed by the staff; made fit for a header here. */
  newsletterName: string;
  /** Tag such as `en` or `de-AT`; what we don't speak is written in English. */
  language: string;
  /** Absolute http(s) URL. */
  confirmUrl: string;
  own?: OwnWords;
};

type Shape = { subject: string; html: string[]; text: string[] };
const shapes = new Map<string, Promise<Shape>>();

/**
 * The mail that asks whether somebody wants a newsletter. Rendering costs some 2 ms, so what is the same for all readers of a
 * newsletter is rendered once and the link put in afterwards, which gives the same bytes.
 */
export async function renderConfirmation(input: ConfirmationInput): Promise<RenderedMail> {
  // Percent-encodes whatever could end the line in the text.
  const url = new URL(input.confirmUrl).href;
  const key = JSON.stringify([input.language, input.newsletterName, input.own?.subject, input.own?.intro]);
  let shape = shapes.get(key);
  if (!shape) {
    shape = renderShape(input);
    shape.catch(() => shapes.delete(key));
    if (shapes.size >= MAX_REMEMBERED) shapes.clear();
    shapes.set(key, shape);
  }
  const { subject, html, text } = await shape;
  return { subject, html: html.join(escapeHtml(url)), text: text.join(url) };
}

/** The words that stand where a newsletter has none of its own, with their placeholders. */
export function defaultWords(language: string): { subject: string; intro: string } {
  const { subject, intro } = confirmationMessages[languageOf(language)];
  return { subject, intro };
}

/** Loads what rendering needs, so that the first mail doesn't wait for it. */
export async function warmUp(): Promise<void> {
  await renderLetterHtml(
    confirmationLetter({ newsletterName: "Newsletter", language: "en", confirmUrl: LINK }, LINK),
  );
}

async function renderShape(input: ConfirmationInput): Promise<Shape> {
  const { subject, html, text } = await renderLetter(confirmationLetter(input, LINK));
  return { subject, html: html.split(LINK), text: text.split(LINK) };
}

/** What the mail says, with a link in place that is not looked at. */
export function confirmationLetter(
  { newsletterName, language, own }: ConfirmationInput,
  url: string,
): LetterProps {
  const tag = languageOf(language);
  const messages = confirmationMessages[tag];
  const newsletter = oneLine(newsletterName) || "Newsletter";
  const filled = (text: string) => fillIn(text, { newsletter });
  const paragraphs = filled(own?.intro ?? "")
    .replace(/[^\P{Cc}\n]/gu, " ")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "");
  return {
    tag,
    subject: oneLine(filled(own?.subject ?? ""), 250) || filled(messages.subject),
    heading: newsletter,
    paragraphs: paragraphs.length > 0 ? paragraphs : [filled(messages.intro)],
    url,
    button: messages.button,
    orLink: messages.orLink,
    expires: messages.expires,
    aside: messages.notYou,
  };
}

/** What React escapes in an attribute and in text alike. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#x27;",
  );
}
