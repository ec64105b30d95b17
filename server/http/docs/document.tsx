import { marked } from "marked";
import type { ReactNode } from "react";

/** A table row that explains a code or a setting. Errors of the API link to the first row of their code. */
const CODE_ROW = /<tr>\n<td><code>(\w+)<\/code>/g;

/** Markdown of our own, as markup; `inline`: without a paragraph around it. */
export function Markdown({ text, inline = false }: { text: string; inline?: boolean }) {
  const markup = inline ? marked.parseInline(text, { async: false }) : marked.parse(text, { async: false });
  const withIds = markup
    .replace(/<h2>(.*?)<\/h2>/g, (_, title: string) => `<h2 id="${idOf(title)}">${title}</h2>`)
    .replace(CODE_ROW, (row, code: string, at: number, all: string) =>
      all.indexOf(row) === at ? row.replace("<tr>", `<tr id="${code}">`) : row,
    )
    // On a phone wide tables scroll, by the keyboard as well.
    .replaceAll("<table>", '<table tabindex="0">');
  const Tag = inline ? "span" : "div";
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the manual's text and our own descriptions, nothing of others
  return <Tag dangerouslySetInnerHTML={{ __html: withIds }} />;
}

const idOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

/** Links to the chapters of a Markdown text. */
export function chapterLinks(text: string): ReactNode[] {
  return Array.from(text.matchAll(/^## (.+)$/gm), ([, title = ""]) => (
    <a key={title} href={`#${idOf(title)}`}>
      {title}
    </a>
  ));
}

type Props = { title: string; style: string; script?: string; contents: ReactNode; children: ReactNode };

/** A page of documents: what it contains at the side, and the text. */
export function DocsDocument({ title, style, script, contents, children }: Props) {
  return (
    <html lang="en">
      {/* biome-ignore lint/style/noHeadElement: rendered here, without Next */}
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{style}</style>
      </head>
      <body>
        <nav aria-label="Contents">{contents}</nav>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
        {script && <script src={script} defer />}
      </body>
    </html>
  );
}
