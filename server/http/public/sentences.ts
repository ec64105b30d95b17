import { type Html, html } from "./html";
import { german } from "./sentences.de";
import { spanish } from "./sentences.es";
import { french } from "./sentences.fr";

/** A status word, the one sentence, and what else may help; some pages have a button. */
type Words = { title: string; status: string; lead: Html | string; more?: Html | string | null };
type Dated = { email: string; date: string | null };

/**
 * Every sentence of the public pages in one language. Each says what happened, what is still safe, what to do.
 * `write` links to the newsletter's own address; null where it has not given one.
 */
export type Sentences = {
  lang: string;
  buttons: { confirm: string; deny: string; unsubscribe: string; renew: string };
  /** The link onwards to a page that the newsletter names. */
  next(host: string): string;
  ask(email: string): Words & { aside: string };
  confirmed(email: string): Words;
  already(facts: Dated): Words & { aside: string };
  /** "This wasn't me" came after the address had been confirmed. */
  deniedTooLate(facts: Dated): Words;
  removed(): Words;
  removedAlready(): Words;
  left(email: string): Words;
  leftEarlier(email: string, write: Html | null): Words;
  suppressed(email: string, write: Html | null): Words;
  expired(email: string): Words;
  renewed(email: string): Words;
  renewedAlready(email: string): Words;
  outdated(): Words;
  gone(): Words;
  /** Pages that know of no newsletter; the first is where a test mail's link leads. */
  example: Words;
  notFound: Words;
  notUnderstood: Words;
  away: Words;
  failed(requestId: string): Words;
};

const writeTo = (write: Html | null) => write && html` Write to ${write}.`;

const english: Sentences = {
  lang: "en",
  buttons: {
    confirm: "Confirm subscription",
    deny: "This wasn’t me",
    unsubscribe: "Unsubscribe",
    renew: "Send a new link",
  },
  next: (host) => `Go to ${host}`,
  ask: (email) => ({
    title: "Confirm your subscription",
    status: "Not confirmed yet",
    lead: html`Do you want to receive this newsletter at <b>${email}</b>?`,
    aside:
      "If you didn’t ask for it, say so: your address is taken off the list, and this newsletter won’t write to it again.",
  }),
  confirmed: (email) => ({
    title: "Confirmed",
    status: "Confirmed",
    lead: html`You’re on the list. This newsletter will come to <b>${email}</b>.`,
    more: "There is nothing else to do; you can close this page.",
  }),
  already: ({ email, date }) => ({
    title: "Confirmed already",
    status: "Confirmed",
    lead: html`You’re on the list already: <b>${email}</b>${date && html` was confirmed on ${date}`}.`,
    more: "There is nothing else to do; you can close this page.",
    aside: "Was it somebody else, or don’t you want it any more?",
  }),
  deniedTooLate: ({ email, date }) => ({
    title: "Confirmed already",
    status: "Confirmed",
    lead: html`Nothing was changed: <b>${email}</b> was confirmed ${date ? `on ${date}` : "earlier"}.`,
    more: "If that wasn’t you, unsubscribe. It takes effect at once.",
  }),
  removed: () => ({
    title: "Address removed",
    status: "Removed",
    lead: "Thank you. Your address is off the list, and this newsletter won’t write to it again.",
    more: "There is nothing else to do; you can close this page.",
  }),
  removedAlready: () => ({
    title: "Address removed",
    status: "Removed",
    lead: "This has been done already: your address is off the list, and this newsletter won’t write to it again.",
    more: "Did you want the newsletter after all? Ask for it on its own website.",
  }),
  left: (email) => ({
    title: "Unsubscribed",
    status: "Unsubscribed",
    lead: html`You’re off the list. This newsletter won’t come to <b>${email}</b> any more.`,
    more: "There is nothing else to do; you can close this page.",
  }),
  leftEarlier: (email, write) => ({
    title: "Unsubscribed",
    status: "Unsubscribed",
    lead: html`<b>${email}</b> has been unsubscribed, so this link no longer does anything.`,
    more: html`Nothing was changed. To come back, ask the newsletter for a new confirmation email.${writeTo(write)}`,
  }),
  suppressed: (email, write) => ({
    title: "Not on the list",
    status: "Not on the list",
    lead: html`<b>${email}</b> said “this wasn’t me” earlier, so it can’t be confirmed with this link.`,
    more: html`Nothing was changed, and nothing will be sent. If you do want it, tell the newsletter.${writeTo(write)}`,
  }),
  expired: (email) => ({
    title: "This link has expired",
    status: "Expired",
    lead: html`This link was too old to use, so <b>${email}</b> isn’t confirmed yet.`,
    more: "Nothing was changed. A new link comes by email and works for seven days.",
  }),
  renewed: (email) => ({
    title: "A new link is on its way",
    status: "Not confirmed yet",
    lead: html`A new link is on its way to <b>${email}</b>.`,
    more: "It can take a few minutes. You can close this page.",
  }),
  renewedAlready: (email) => ({
    title: "This link has expired",
    status: "Expired",
    lead: html`This link is too old, but a newer one has been sent to <b>${email}</b>.`,
    more: "Use the button in the latest email; it can take a few minutes to arrive.",
  }),
  outdated: () => ({
    title: "This link has been replaced",
    status: "Replaced",
    lead: "This link no longer works: the newsletter has changed the address that it was sent to.",
    more: "Nothing was changed. If you expect a confirmation, use the latest email.",
  }),
  gone: () => ({
    title: "Not on the list",
    status: "Not on the list",
    lead: "This address is no longer on the list, so there is nothing to confirm.",
    more: "Nothing was changed, and nothing will be sent. If you want the newsletter, ask for it on its own website.",
  }),
  example: {
    title: "A test mail",
    status: "Test",
    lead: "This link comes from a test mail: it confirms nobody, and nothing was changed.",
    more: "In the real mail it opens the page where people confirm their subscription.",
  },
  notFound: {
    title: "This link doesn’t work",
    status: "Not found",
    lead: "Nothing was changed. Perhaps the link was cut in two on its way here.",
    more: "Open it again from the email, or copy it whole, from https to its last character.",
  },
  notUnderstood: {
    title: "That didn’t reach us whole",
    status: "Not understood",
    lead: "Nothing was changed. Open the link from the email again and press one of its buttons.",
  },
  away: {
    title: "Back in a moment",
    status: "Not available",
    lead: "We can’t reach our records right now, so nothing was changed.",
    more: "Try again in a minute. Your link keeps working, and pressing a button twice does no harm.",
  },
  failed: (requestId) => ({
    title: "A fault on our side",
    status: "Failed",
    lead: "This page failed because of a fault in our program, which has been noted.",
    more: html`Your link keeps working: try again in a few minutes. If you report it, give this number: ${requestId}`,
  }),
};

const languages: Record<string, Sentences> = { en: english, de: german, fr: french, es: spanish };

/** Every language there is, English first. */
export const allSentences: readonly Sentences[] = Object.values(languages);

/** The sentences for a language tag such as `de-AT`; English where there are none. */
export function sentencesFor(tag: string): Sentences {
  const language = tag.toLowerCase().split(/[-_]/, 1)[0] ?? "";
  return Object.hasOwn(languages, language) ? (languages[language] as Sentences) : english;
}

/** The reader's own language, for pages that know of no newsletter: the first of `Accept-Language` that there is. */
export function sentencesForReader(acceptLanguage: string | null): Sentences {
  const tags = (acceptLanguage ?? "").split(",", 20).map((part) => part.split(";")[0]?.trim() ?? "");
  const known = tags.find((tag) => Object.hasOwn(languages, tag.toLowerCase().split(/[-_]/, 1)[0] ?? ""));
  return sentencesFor(known ?? "en");
}
