import type { ReactNode } from "react";
import type { AppContext } from "../app";
import { parseEmail } from "../kernel/email";
import { EXAMPLE_TOKEN } from "../mail/signed-links";
import { readForm } from "../platform/http/request-body";
import {
  activateByLink,
  type Confirmation,
  type ConfirmationResult,
  confirmByLink,
  denyByLink,
  renewLink,
  showConfirmation,
  unsubscribeByLink,
} from "../subscribers/confirmations";
import { day, fillNodes, type Messages, messagesFor, type PageName } from "./pages/messages";
import { Buttons, notePage, type PageAnswer, type PageRequest, type PageTone } from "./pages/page";

const verbs = {
  confirm: confirmByLink,
  activate: activateByLink,
  deny: denyByLink,
  unsubscribe: unsubscribeByLink,
  renew: renewLink,
};
type ConfirmationAction = keyof typeof verbs;
export const formActions = Object.keys(verbs) as ConfirmationAction[];

/**
 * Answers /confirm/{token}. GET shows the status and changes nothing, since mail scanners open links. POST is a button.
 */
export async function answerConfirmation(
  { db, outbox, links }: AppContext,
  { request, method, address, requestId, messages }: PageRequest,
  token: string,
): Promise<PageAnswer> {
  if (token === EXAMPLE_TOKEN) return notePage(messages.pages.example, messages.lang, { tone: "pending" });
  const claims = links.readConfirmation(token);
  // A truncated link and a forged link get the same page. The page is written for readers with a truncated link.
  if (!claims) return notePage(messages.pages.notFound, messages.lang, { status: 404 });
  const ctx = { db, outbox, actor: { kind: "link", address } as const, requestId };
  if (method === "GET") return confirmationPage(await showConfirmation(ctx, claims));
  const given = (await readForm(request)).get("action");
  const action = formActions.find((name) => name === given);
  // A POST without a button does not come from our page. It changes nothing and shows the buttons.
  if (!action) return { ...confirmationPage(await showConfirmation(ctx, claims)), status: 422 };
  return confirmationPage(await verbs[action](ctx, claims), action);
}

function MailLink({ address }: { address: string }) {
  return <a href={`mailto:${encodeURIComponent(address).replace("%40", "@")}`}>{address}</a>;
}

/** The link to the newsletter's next page. A link instead of a redirect, so that readers see its target first. */
function NextLink({ view, messages }: { view: Confirmation; messages: Messages }) {
  const { nextUrl } = view.newsletter;
  if (view.linkStatus !== "active" || nextUrl === null || !URL.canParse(nextUrl)) return null;
  const { protocol, host, href } = new URL(nextUrl);
  if (protocol !== "https:") return null;
  return (
    <p>
      <a className="main" href={href}>
        {fillNodes(messages.next, { host })}
      </a>
    </p>
  );
}

type PageState = {
  name: PageName;
  tone: PageTone;
  status?: number;
  main?: ConfirmationAction;
  second?: ConfirmationAction;
};

/** Chooses the texts and buttons for a status, for a first view or for the result of a button. */
function pageStateOf(
  { linkStatus, fresh, renewed, mailed, confirmedAt }: Confirmation,
  action: ConfirmationAction | null,
  done: boolean,
): PageState {
  switch (linkStatus) {
    case "pending":
      if (!mailed) return { name: "askUnmailed", tone: "pending", main: "activate" };
      return { name: "ask", tone: "pending", main: "confirm", second: "deny" };
    case "active":
      if (!mailed) return { name: confirmedAt ? "already" : "activated", tone: "active" };
      if (action === "deny" && fresh) return { name: "deniedTooLate", tone: "active", main: "unsubscribe" };
      // This page has no button in the same place: a double click must not activate a second button.
      if (done) return { name: "confirmed", tone: "active" };
      return { name: "already", tone: "active", ...(action === null && fresh && { second: "unsubscribe" }) };
    case "denied":
      return { name: done ? "removed" : "removedAlready", tone: "off" };
    case "unsubscribed":
      return { name: done ? "unsubscribed" : "unsubscribedEarlier", tone: "off" };
    case "suppressed":
      return { name: "suppressed", tone: "off" };
    case "expired":
      if (done) return { name: "renewed", tone: "pending" };
      if (renewed) return { name: "renewedAlready", tone: "off", status: 410 };
      return { name: "expired", tone: "off", status: 410, main: "renew" };
    case "outdated":
    case "void":
    case "gone":
      return { name: linkStatus, tone: "off", status: 410 };
  }
}

/** The pages that end with the newsletter's contact address, if it has one. */
const writable: PageName[] = ["unsubscribedEarlier", "suppressed"];

/**
 * Returns the page for a person's status. With an action, the page shows the result of that action.
 * The form posts to the page's own URL, whose token grants the right to do so. No right comes from a cookie, so
 * cross-site requests gain nothing and a CSRF token isn't needed.
 */
export function confirmationPage(
  view: Confirmation | ConfirmationResult,
  action: ConfirmationAction | null = null,
): PageAnswer {
  const { newsletter, confirmedAt } = view;
  const messages = messagesFor(newsletter.language);
  const state = pageStateOf(view, action, "done" in view && view.done);
  const message = messages.pages[state.name];
  const values: Record<string, ReactNode> = {
    email: <b>{view.email}</b>,
    date: confirmedAt && day(confirmedAt, messages.lang, newsletter.timeZone),
  };
  const replyTo = newsletter.replyTo === null ? null : parseEmail(newsletter.replyTo);
  const more = replyTo?.ok && writable.includes(state.name) && (
    <>
      {message.more} {fillNodes(messages.writeTo, { address: <MailLink address={replyTo.email} /> })}
    </>
  );
  const lead = fillNodes((confirmedAt && message.leadDated) || message.lead, values);
  const rest = (
    <>
      {/* Not above a button that ends what was just confirmed: that is what this reader came for. */}
      {!state.main && <NextLink view={view} messages={messages} />}
      <Buttons
        main={state.main}
        asides={state.second ? [{ words: message.aside, action: state.second }] : []}
        messages={messages}
      />
    </>
  );
  const { status, tone } = state;
  return notePage(message, messages.lang, { status, heading: newsletter.name, tone, lead, more, rest });
}
