import { marked, type Token } from "marked";
import type { ReactNode } from "react";

/** A table row that explains a code or a setting. API errors link to the first row of their code. */
const CODE_ROW = /<tr>\n<td><code>(\w+)<\/code>/g;

/** Adds link targets to headings and code rows, and makes tables scrollable by keyboard on narrow screens. */
const withTargets = (markup: string): string =>
  markup
    .replace(
      /<h([23])>(.*?)<\/h\1>/g,
      (_, level, title: string) => `<h${level} id="${idOf(title)}">${title}</h${level}>`,
    )
    .replace(CODE_ROW, (row, code: string, at: number, all: string) =>
      all.indexOf(row) === at ? row.replace("<tr>", `<tr id="${code}">`) : row,
    )
    .replaceAll("<table>", '<table tabindex="0">')
    .replace(/<li><input[^>]*type="checkbox"[^>]*>/g, '<li class="box">☐');

const languageNames: Record<string, string> = {
  sh: "curl",
  js: "JavaScript",
  python: "Python",
  php: "PHP",
  ruby: "Ruby",
  go: "Go",
  json: "JSON",
  http: "HTTP",
  csv: "CSV",
};

/** One program in several languages, or one text. Scripts turn the blocks into tabs and copy them. */
export function CodeBlocks({ blocks }: { blocks: (readonly [language: string, code: string])[] }) {
  return (
    <div className="codes">
      {blocks.map(([language, code]) => {
        const name = languageNames[language] ?? language;
        return (
          <figure key={language} aria-label={name} data-language={name}>
            <figcaption>{name}</figcaption>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
            <pre tabIndex={0}>
              <code>{code}</code>
            </pre>
          </figure>
        );
      })}
    </div>
  );
}

/** Markup of our own texts. */
function Markup({ html, inline }: { html: string; inline?: boolean }) {
  const Tag = inline ? "span" : "div";
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the manual's text and our own descriptions, nothing of others
  return <Tag dangerouslySetInnerHTML={{ __html: html }} />;
}

/** A line of Markdown without a paragraph around it. */
export const MarkdownLine = ({ text }: { text: string }) => (
  <Markup inline html={marked.parseInline(text, { async: false })} />
);

/** A text, its code, and the text after the code. */
type Row = { before: Token[]; codes: [language: string, code: string][]; after: Token[] };

/**
 * Splits tokens into rows. A heading starts a row. Each further code of a chapter starts a row with the text before it.
 */
function rowsOf(tokens: Token[]): Row[] {
  const rows: Row[] = [];
  for (const token of tokens) {
    const last = rows.at(-1);
    if (token.type === "space") continue;
    if (token.type === "code" && last) {
      const code: [string, string] = [token.lang || "text", token.text];
      if (last.after.length === 0) last.codes.push(code);
      else rows.push({ before: last.after.splice(0), codes: [code], after: [] });
    } else if (!last || token.type === "heading") rows.push({ before: [token], codes: [], after: [] });
    else (last.codes.length === 0 ? last.before : last.after).push(token);
  }
  return rows;
}

/** Shows our own Markdown, with code beside its text. */
export function Markdown({ text }: { text: string }) {
  const tokens = marked.lexer(text);
  const htmlOf = (part: Token[]) => withTargets(marked.parser(Object.assign(part, { links: tokens.links })));
  return rowsOf(tokens).map(({ before, codes, after }) => {
    const html = htmlOf(before);
    return (
      <div key={html.slice(0, 200)} className="row">
        <Markup html={html} />
        {codes.length > 0 && <CodeBlocks blocks={codes} />}
        {after.length > 0 && <Markup html={htmlOf(after)} />}
      </div>
    );
  });
}

const idOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

/** Makes links to the chapters of a Markdown text. */
export function chapterLinks(text: string): ReactNode[] {
  return Array.from(text.matchAll(/^## (.+)$/gm), ([, title = ""]) => (
    <a key={title} href={`#${idOf(title)}`}>
      {title}
    </a>
  ));
}

type Props = { title: string; style: string; scripts?: string[]; contents: ReactNode; children: ReactNode };

/** A documentation page: the contents at the side, and the text. */
export function DocsDocument({ title, style, scripts = [], contents, children }: Props) {
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
        {["/docs/code.js", ...scripts].map((script) => (
          <script key={script} src={script} defer />
        ))}
      </body>
    </html>
  );
}
