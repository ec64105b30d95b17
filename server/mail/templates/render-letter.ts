import type { LetterProps } from "./letter";

export type RenderedMail = { subject: string; html: string; text: string };

export async function renderLetter(letter: LetterProps): Promise<RenderedMail> {
  // Loaded on demand: the modules take 0.1 s and some MB, which a process that only posts mails does not need.
  const [{ render }, { createElement }, { Letter }] = await Promise.all([
    import("@react-email/render"),
    import("react"),
    import("./letter"),
  ]);
  const html = await render(createElement(Letter, letter));
  return { subject: letter.subject, html, text: writeText(letter) };
}

// The text is not derived from the HTML: the result would repeat the link and lose line breaks.
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
