import { parseEmail } from "../../domain/email";
import type { Confirmation, Outcome } from "../../services/confirmations";
import { type Html, html, type Piece } from "./html";
import type { Answer, Tone } from "./page";
import { sentencesFor } from "./sentences";

/** The buttons of the confirmation page, by the name that the form posts. */
export const presses = ["confirm", "deny", "unsubscribe", "renew"] as const;
export type Press = (typeof presses)[number];

type Words = { title: string; status: string; lead: Piece; more?: Piece; aside?: string };
type Buttons = { main?: Press; second?: Press };
type Face = { status: number; tone: Tone; words: Words } & Buttons;

/** A day as the newsletter's readers write it; in UTC where the newsletter's zone is none that we know. */
function day(at: Date, language: string, timeZone: string): string {
  const write = (zone: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: zone }).format(at);
  try {
    return write(timeZone);
  } catch {
    return write("UTC");
  }
}

function mailLink(address: string | null): Html | null {
  const validation = address === null ? null : parseEmail(address);
  if (!validation?.ok) return null;
  const target = encodeURIComponent(validation.email).replace("%40", "@");
  return html`<a href="mailto:${target}">${validation.email}</a>`;
}

/** The way on to the page that the newsletter's staff have named: a link, since a reader should see where it leads. */
function wayOn(view: Confirmation): Html | null {
  const { nextUrl, language } = view.newsletter;
  if (view.standing !== "active" || nextUrl === null || !URL.canParse(nextUrl)) return null;
  const { protocol, host, href } = new URL(nextUrl);
  if (protocol !== "https:") return null;
  return html`<p><a class="main" href="${href}">${sentencesFor(language).next(host)}</a></p>`;
}

/** Which words and buttons a standing has, seen anew or as what a press led to. */
function faceOf(view: Confirmation, press: Press | null, done: boolean): Face {
  const { standing, newsletter, confirmedAt } = view;
  const words = sentencesFor(newsletter.language);
  const email = view.email ?? "";
  const date = confirmedAt && day(confirmedAt, words.lang, newsletter.timeZone);
  const write = mailLink(newsletter.replyTo);
  switch (standing) {
    case "pending":
      return { status: 200, tone: "pending", words: words.ask(email), main: "confirm", second: "deny" };
    case "active":
      if (press === "deny" && view.fresh) {
        return {
          status: 200,
          tone: "active",
          words: words.deniedTooLate({ email, date }),
          main: "unsubscribe",
        };
      }
      // No button where the pressed one was: a double click must not press the next one.
      if (done) return { status: 200, tone: "active", words: words.confirmed(email) };
      if (press !== null || !view.fresh) {
        return {
          status: 200,
          tone: "active",
          words: { ...words.already({ email, date }), aside: undefined },
        };
      }
      return { status: 200, tone: "active", words: words.already({ email, date }), second: "unsubscribe" };
    case "denied":
      return { status: 200, tone: "off", words: done ? words.removed() : words.removedAlready() };
    case "unsubscribed":
      return { status: 200, tone: "off", words: done ? words.left(email) : words.leftEarlier(email, write) };
    case "suppressed":
      return { status: 200, tone: "off", words: words.suppressed(email, write) };
    case "expired":
      if (done) return { status: 200, tone: "pending", words: words.renewed(email) };
      if (view.renewed) return { status: 410, tone: "off", words: words.renewedAlready(email) };
      return { status: 410, tone: "off", words: words.expired(email), main: "renew" };
    case "outdated":
      return { status: 410, tone: "off", words: words.outdated() };
    case "gone":
      return { status: 410, tone: "off", words: words.gone() };
  }
}

/**
 * The page for how things stand; with a press, for what it did or why it did nothing.
 * The form posts to the page's own address, whose token is the right to press: nothing of it is in a cookie, so another
 * site has nothing to borrow, and a token against cross-site posts would protect nothing.
 */
export function confirmationPage(view: Confirmation | Outcome, press: Press | null = null): Answer {
  const { status, tone, words, main, second } = faceOf(view, press, "done" in view && view.done);
  const { lang, buttons } = sentencesFor(view.newsletter.language);
  // Not above a button that ends what was just confirmed: that is what this reader came for.
  const onward = main ? null : wayOn(view);
  const button = (name: Press, look: string) =>
    html`<button class="${look}" name="press" value="${name}">${buttons[name]}</button>`;
  const body = html`<p class="lead">${words.lead}</p>
${words.more && html`<p class="more">${words.more}</p>`}
${onward}
${
  (main || second) &&
  html`<form method="post">
${main && button(main, "main")}
${second && html`<div class="aside"><p>${words.aside}</p>${button(second, "second")}</div>`}
</form>`
}`;
  const page = {
    lang,
    title: words.title,
    heading: view.newsletter.name,
    status: { tone, word: words.status },
    body,
  };
  return { status, page };
}
