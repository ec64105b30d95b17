import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { type RenderedMail, renderLetter } from "./render-letter";

/** A newsletter's own words, with placeholders; null where ours stand. */
export type OwnWords = { subject: string | null; intro: string | null };

/** Stands for the link in what is remembered; no words can hold it, since they lose their control characters. */
export const LINK = "https://link.invalid/\u0001";
const MAX_REMEMBERED = 500;

type Shape = { subject: string; html: string[]; text: string[] };
const shapes = new Map<string, Promise<Shape>>();

/**
 * A mail that differs from person to person by its link alone. Rendering costs some 2 ms, so what is the same for all readers of
 * a newsletter is rendered once and the link put in afterwards, which gives the same bytes.
 * @param key what else the letter depends on
 */
export async function renderLinked(
  key: unknown[],
  url: string,
  letter: (url: string) => LetterProps,
): Promise<RenderedMail> {
  // Percent-encodes whatever could end the line in the text.
  const href = new URL(url).href;
  const name = JSON.stringify(key);
  let shape = shapes.get(name);
  if (!shape) {
    shape = renderShape(letter(LINK));
    shape.catch(() => shapes.delete(name));
    if (shapes.size >= MAX_REMEMBERED) shapes.clear();
    shapes.set(name, shape);
  }
  const { subject, html, text } = await shape;
  return { subject, html: html.join(escapeHtml(href)), text: text.join(href) };
}

async function renderShape(letter: LetterProps): Promise<Shape> {
  const { subject, html, text } = await renderLetter(letter);
  return { subject, html: html.split(LINK), text: text.split(LINK) };
}

/** What React escapes in an attribute and in text alike. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#x27;",
  );
}

/** Own words as paragraphs, without control characters; none where there are no words. */
export const paragraphsOf = (text: string): string[] =>
  text
    .replace(/[^\P{Cc}\n]/gu, " ")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "");

/** A newsletter's name as a mail has it. */
export const nameInMail = (newsletterName: string) => oneLine(newsletterName) || "Newsletter";
