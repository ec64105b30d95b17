import { oneLine } from "../sender";
import { type ConfirmationWords, wordsOf } from "./words";

export type RenderedMail = { subject: string; html: string; text: string };

/** Stands for the link in what is remembered; no name can hold it, since names lose their control characters. */
const LINK = "https://link.invalid/\u0001";
const MAX_REMEMBERED = 500;

type Shape = { subject: string; html: string[]; text: string[] };
const shapes = new Map<string, Promise<Shape>>();

/**
 * The mail that asks whether somebody wants a newsletter. Rendering costs some 2 ms, so what is the same for all readers of a
 * newsletter is rendered once and the link put in afterwards, which gives the same bytes.
 * @param newsletterName as typed by the staff; made fit for a header here
 * @param confirmUrl absolute http(s) URL
 * @param language tag such as `en` or `de-AT`; what we don't speak is written in English
 */
export async function renderConfirmation(input: {
  newsletterName: string;
  confirmUrl: string;
  language: string;
}): Promise<RenderedMail> {
  const name = oneLine(input.newsletterName) || "Newsletter";
  const { tag, words } = wordsOf(input.language);
  // Percent-encodes whatever could end the line in the text.
  const url = new URL(input.confirmUrl).href;
  const key = `${tag} ${name}`;
  let shape = shapes.get(key);
  if (!shape) {
    shape = renderShape(name, tag, words);
    shape.catch(() => shapes.delete(key));
    if (shapes.size >= MAX_REMEMBERED) shapes.clear();
    shapes.set(key, shape);
  }
  const { subject, html, text } = await shape;
  return { subject, html: html.join(escapeHtml(url)), text: text.join(url) };
}

/** Loads what rendering needs, so that the first mail doesn't wait for it. */
export async function warmUp(): Promise<void> {
  const { tag, words } = wordsOf("en");
  await renderHtml({ name: "Newsletter", url: LINK, tag, words });
}

async function renderShape(name: string, tag: string, words: ConfirmationWords): Promise<Shape> {
  const html = await renderHtml({ name, url: LINK, tag, words });
  const text = writeText({ name, url: LINK, words });
  return { subject: words.subject(name), html: html.split(LINK), text: text.split(LINK) };
}

/** The whole HTML with the link in place; what `renderConfirmation` does in two steps. */
export async function renderHtml(props: {
  name: string;
  url: string;
  tag: string;
  words: ConfirmationWords;
}): Promise<string> {
  // 0.3 s and 40 MB to load, which a process that only posts need not spend.
  const [{ render }, { createElement }, { Confirmation }] = await Promise.all([
    import("@react-email/render"),
    import("react"),
    import("./confirmation"),
  ]);
  return render(createElement(Confirmation, props));
}

// Written by hand: made out of the HTML it would repeat the link and lose its lines.
function writeText({ name, url, words }: { name: string; url: string; words: ConfirmationWords }): string {
  return [name, words.why(name), `${words.button}:\n${url}`, words.expires, words.notYou, ""]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

/** What React escapes in an attribute and in text alike. */
function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c] ?? "&#x27;",
  );
}
