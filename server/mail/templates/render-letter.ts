import type { LetterProps } from "./letter";

export type RenderedMail = { subject: string; html: string; text: string };

/** A whole mail, as HTML and as plain text. */
export async function renderLetter(letter: LetterProps): Promise<RenderedMail> {
  return { subject: letter.subject, html: await renderLetterHtml(letter), text: writeText(letter) };
}

export async function renderLetterHtml(letter: LetterProps): Promise<string> {
  // 0.1 s and some MB to load, which a process that only posts need not spend.
  const [{ render }, { createElement }, { Letter }] = await Promise.all([
    import("@react-email/render"),
    import("react"),
    import("./letter"),
  ]);
  return render(createElement(Letter, letter));
}

// Written by hand: made out of the HTML it would repeat the link and lose its lines.
function writeText({ heading, paragraphs, action, aside, asideLink }: LetterProps): string {
  const parts = [
    heading,
    ...paragraphs,
    ...(action ? [`${action.button}:\n${action.url}`, action.expires] : []),
    aside,
    ...(asideLink ? [`${asideLink.word}:\n${asideLink.url}`] : []),
  ];
  return `${parts.join("\n\n").trimEnd()}\n`;
}
