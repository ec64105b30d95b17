import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { customProperties, palette } from "../kernel/palette";
import { projectRoot } from "../kernel/project-root";
import { renderDocument } from "../platform/http/render-document";
import { chapterLinks, DocsDocument, Markdown } from "./document";
import { manualForPrograms } from "./llms";
import { guides } from "./manual";
import { openApiText } from "./openapi";
import { ReferencePage } from "./reference";

const style = `:root{color-scheme:light dark;${customProperties(palette.light)}}
@media(prefers-color-scheme:dark){:root{${customProperties(palette.dark)}}}
${readFileSync(join(projectRoot(), "server/docs/reference.css"), "utf8")}`;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-cache",
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "font-src 'self'",
    "img-src data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
};

const notRead = () => new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
const reads = ({ method }: Request) => method === "GET" || method === "HEAD";

const pages = new Map<string, string>();
const manuals = new Map<string, string>();
const operatorsGuide = readFileSync(join(projectRoot(), "server/docs/operators.md"), "utf8");

/** Answers the API reference with its "Try it" forms. The page is made once, from the OpenAPI document. */
export function handleDocs({ appUrl }: { appUrl: string }, request: Request): Response {
  if (!reads(request)) return notRead();
  const document = JSON.parse(openApiText(appUrl));
  const page =
    pages.get(appUrl) ?? renderDocument(<ReferencePage document={document} style={style} url={appUrl} />);
  pages.set(appUrl, page);
  return new Response(page, { headers: HEADERS });
}

let operatorsPage: string | undefined;

/** Answers the guide for operators. The guide is public and contains no data of this instance. */
export function handleOperatorsGuide(_app: unknown, request: Request): Response {
  if (!reads(request)) return notRead();
  operatorsPage ??= renderDocument(
    <DocsDocument title="Running Rollcall" style={style} contents={chapterLinks(operatorsGuide)}>
      <p className="quiet">
        For developers: <a href="/docs">the API</a>
      </p>
      <Markdown text={operatorsGuide} />
    </DocsDocument>,
  );
  return new Response(operatorsPage, { headers: HEADERS });
}

const guidePages = new Map<string, string>();

/** Answers the guides for moving to Rollcall, sending, webhooks and going live. */
export function handleGuides({ appUrl }: { appUrl: string }, request: Request): Response {
  if (!reads(request)) return notRead();
  const text = guides(appUrl);
  const page =
    guidePages.get(appUrl) ??
    renderDocument(
      <DocsDocument title="Guides" style={style} contents={chapterLinks(text)}>
        <p className="quiet">
          For developers: <a href="/docs">the API</a>. For operators:{" "}
          <a href="/docs/operators">the operators’ guide</a>
        </p>
        <Markdown text={text} />
      </DocsDocument>,
    );
  guidePages.set(appUrl, page);
  return new Response(page, { headers: HEADERS });
}

/** Answers the manual as plain Markdown, for programs. */
export function handleManual({ appUrl }: { appUrl: string }, request: Request): Response {
  if (!reads(request)) return notRead();
  const text = manuals.get(appUrl) ?? manualForPrograms(appUrl);
  manuals.set(appUrl, text);
  return new Response(text, { headers: { "Content-Type": "text/markdown; charset=utf-8" } });
}
