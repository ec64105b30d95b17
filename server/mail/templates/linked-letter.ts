import { oneLine } from "../sender";
import type { LetterProps } from "./letter";
import { type RenderedMail, renderLetter } from "./render-letter";

/** A newsletter's own words, with placeholders; null for the default words. */
export type OwnWords = { subject: string | null; intro: string | null };

/** Replaces the link in cached mails. Words can't contain it, since their control characters are removed. */
export const LINK = "https://link.invalid/\u0001";
const MAX_REMEMBERED = 500;

type Shape = { subject: string; html: string[]; text: string[] };
const shapes = new Map<string, Promise<Shape>>();

/**
 * Renders a mail that differs between people only by its link. Rendering takes about 2 ms. The common part for all
 * readers of a newsletter is therefore rendered once and cached. Inserting the link afterwards gives the same bytes.
 * @param key the other values that the letter depends on
 */
export async function renderLinked(
  key: unknown[],
  url: string,
  letter: (url: string) => LetterProps,
): Promise<RenderedMail> {
  // Percent-encodes every character that could end the line in the text.
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

/** Escapes the characters that React escapes, in attributes and text. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#x27;",
  );
}

/** A newsletter's own words as paragraphs, without control characters; empty without words. */
export const paragraphsOf = (text: string): string[] =>
  text
    .replace(/[^\P{Cc}\n]/gu, " ")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "");

/** A newsletter's name in the form used in mails. */
export const nameInMail = (newsletterName: string) => oneLine(newsletterName) || "Newsletter";
