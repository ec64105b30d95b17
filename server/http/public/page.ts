import { type Html, html, type Piece, trusted } from "./html";
import { stylesheet, stylesheetHash } from "./stylesheet";

/** What the status line stands for; its colour is look.md's, its word the page's own. */
export type Tone = "active" | "pending" | "off" | "failed";

export type Page = {
  lang: string;
  /** The browser tab's; `heading` follows it. */
  title: string;
  /** A newsletter's name, or our own sentence. */
  heading: string;
  status?: { tone: Tone; word: string };
  body: Piece;
  /** note (the default): a sentence and a button. form: fields, so it begins higher up. wide: shows code. */
  shape?: "note" | "form" | "wide";
};

const STYLE = trusted(`<style>${stylesheet}</style>`);

// A ring like the status line's: the tab's icon, without another request.
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="5.5" fill="none" stroke="#5b73ea" stroke-width="4"/></svg>',
)}`;

/** From here on a heading no longer fits two lines of its size. */
const LONG_HEADING = 48;

/** A whole document. A newsletter's name is set apart (`bdi`), so that a right-to-left one leaves the rest in order. */
export function render({ lang, title, heading, status, body, shape = "note" }: Page): Html {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title === heading ? title : `${title} · ${heading}`}</title>
<link rel="icon" href="${ICON}">
${STYLE}
</head>
<body>
<main class="${shape}">
${status && html`<p class="status ${status.tone}">${status.word}</p>`}
<h1 class="${Array.from(heading).length > LONG_HEADING ? "long" : "short"}"><bdi>${heading}</bdi></h1>
${body}
</main>
</body>
</html>
`;
}

/**
 * Sent with every page. No script may run at all; styles are ours by hash; the page can't be framed; the address bar,
 * which holds a capability, is told to nobody, kept by no cache and no index.
 */
const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src '${stylesheetHash}'`,
    "font-src 'self'",
    "img-src data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

export type Answer = { status: number; page: Page; headers?: Record<string, string> };

/** The answer as HTTP; a HEAD gets what a GET would, without the page. */
export function toResponse({ status, page, headers }: Answer, method: string, requestId: string): Response {
  const body = new TextEncoder().encode(render(page).markup);
  return new Response(method === "HEAD" ? null : body, {
    status,
    headers: { ...HEADERS, "Content-Length": String(body.byteLength), "X-Request-Id": requestId, ...headers },
  });
}
