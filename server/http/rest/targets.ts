import type { ServerResponse } from "node:http";

const REST = /^(?:[A-Za-z]+:\/\/[^/?#\\]*)?\/{1,2}api\/v1(?:[/?#\\]|$)/;

/** Whether a request's target, as it stands in the request line, is the API's: then our envelope answers, and no page. */
export function isRest(target: string): boolean {
  return REST.test(target);
}

/** Whether it is a page for strangers: Next would answer a token with a broken %-escape itself, with a plain 500. */
export function isPublicPage(target: string): boolean {
  return /^\/(?:confirm\/|setup(?:[?]|$))/.test(target);
}

/** Whether it is where the mail provider reports. */
export function isWebhook(target: string): boolean {
  return /^\/api\/webhooks\/resend(?:[?]|$)/.test(target);
}

/** Those a Next route can export. */
const NEXT_VERBS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const PLAIN = /^\/api\/v1(?:\/(?!\.{1,2}(?:[/?]|$))[\w.~-]+)*\/?(?:\?|$)/;

/**
 * Whether Next's routes can be trusted with a request to the API. Any other verb or path it answers itself: doubled
 * slashes and backslashes with a redirect, a broken %-escape with a plain 500, dot segments with a page.
 */
export function isForNext(method: string | undefined, target: string): boolean {
  return NEXT_VERBS.has(method ?? "") && PLAIN.test(target);
}

/** Keeps off an answer of the API what Next adds for its own pages: `Vary` on headers that only its router sends. */
export function withoutVary(response: ServerResponse): ServerResponse {
  const writeHead = response.writeHead;
  response.writeHead = ((...args: Parameters<typeof writeHead>) => {
    response.removeHeader("vary");
    return writeHead.apply(response, args);
  }) as typeof writeHead;
  return response;
}
