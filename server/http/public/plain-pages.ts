import { html, type Piece } from "./html";
import type { Answer, Tone } from "./page";
import type { Sentences } from "./sentences";

type Words = { title: string; status: string; lead: Piece; more?: Piece };

function plain(
  lang: string,
  tone: Tone,
  status: number,
  words: Words,
  headers?: Record<string, string>,
): Answer {
  const body = html`<p class="lead">${words.lead}</p>${words.more && html`<p class="more">${words.more}</p>`}`;
  return {
    status,
    headers,
    page: { lang, title: words.title, heading: words.title, status: { tone, word: words.status }, body },
  };
}

export const notFoundPage = (words: Sentences) => plain(words.lang, "off", 404, words.notFound);

/** Where the link of a test mail leads. */
export const examplePage = (words: Sentences) => plain(words.lang, "pending", 200, words.example);

/** For a post that no form of ours makes. */
export const notUnderstoodPage = (words: Sentences, status: number, headers?: Record<string, string>) =>
  plain(words.lang, "off", status, words.notUnderstood, headers);

export const awayPage = (words: Sentences, retryAfterSeconds: number) =>
  plain(words.lang, "failed", 503, words.away, { "Retry-After": String(retryAfterSeconds) });

export const failedPage = (words: Sentences, requestId: string) =>
  plain(words.lang, "failed", 500, words.failed(requestId));

/** One page for a wrong set-up link and a used one: a stranger learns nothing from it. */
export const setupClosedPage = () =>
  plain("en", "off", 404, {
    title: "This set-up link doesn’t work",
    status: "Closed",
    lead: "Nothing was changed. A set-up link works once, on the installation that printed it.",
    more: "If Rollcall isn’t set up yet, copy the whole link from the terminal where it was started.",
  });
