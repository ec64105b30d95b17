import type { AppContext } from "../../app";
import { readForm } from "../../request-body";
import {
  askToReturn,
  type Subscription,
  showSubscription,
  unsubscribeByPerson,
} from "../../services/unsubscribe-links";
import { type FormAction, messagesFor, type PageName } from "./messages";
import { Buttons, type PageAnswer, type PageRequest, type PageTone, plainPage, Words } from "./page";

/** What a post asks for: a button of ours, or the one click of a mail program (RFC 8058). Null: neither. */
function actionOf(form: URLSearchParams): "unsubscribe" | "comeBack" | null {
  if (form.get("List-Unsubscribe") === "One-Click") return "unsubscribe";
  const action = form.get("action");
  return action === "unsubscribe" || action === "comeBack" ? action : null;
}

/** /unsubscribe/{token}: GET shows the status and changes nothing, since mail scanners open links; POST is a button or one click. */
export async function answerUnsubscribe(
  { db, queue, outbox, jobs, links }: AppContext,
  { request, method, address, requestId, messages }: PageRequest,
  token: string,
): Promise<PageAnswer> {
  const reading = links.readUnsubscribe(token);
  if (!reading.ok) return plainPage(messages.pages.notFound, messages.lang, { status: 404 });
  const { claims } = reading;
  const ctx = { db, queue, outbox, jobs, actor: { kind: "link", address } as const, requestId };
  if (method === "GET") return unsubscribePage(await showSubscription(ctx, claims));
  switch (actionOf(await readForm(request))) {
    case "unsubscribe":
      return unsubscribePage(await unsubscribeByPerson(ctx, claims));
    case "comeBack":
      return unsubscribePage(await askToReturn(ctx, claims), "comeBack");
    case null:
      return { ...unsubscribePage(await showSubscription(ctx, claims)), status: 422 };
  }
}

type Face = { name: PageName; tone: PageTone; main?: FormAction; second?: FormAction };

/** Which words and buttons a status has. @param action the button that led here */
function faceOf({ status, mayReturn }: Subscription, action: FormAction | null): Face {
  switch (status) {
    case "active":
      return { name: "mayUnsubscribe", tone: "active", main: "unsubscribe" };
    case "pending":
      return { name: "pendingMayUnsubscribe", tone: "pending", main: "unsubscribe" };
    case "unsubscribed":
      return { name: "isUnsubscribed", tone: "off", ...(mayReturn && { second: "comeBack" }) };
    case "returning":
      // No button where the pressed one was: a double click must not press the next one.
      return { name: "askedToReturn", tone: "pending", ...(action === null && { second: "unsubscribe" }) };
    case "gone":
      return { name: "notListed", tone: "off" };
  }
}

/** The page for a subscription, in the newsletter's language. The form needs no token of its own; see `confirmationPage`. */
export function unsubscribePage(subscription: Subscription, action: FormAction | null = null): PageAnswer {
  const { newsletter } = subscription;
  const messages = messagesFor(newsletter.language);
  const { name, tone, main, second } = faceOf(subscription, action);
  const message = messages.pages[name];
  const body = (
    <>
      <Words message={message} />
      <Buttons main={main} second={second} messages={messages} aside={message.aside} />
    </>
  );
  const status = { tone, word: message.status };
  const page = { lang: messages.lang, title: message.title, heading: newsletter.name, status, body };
  return { status: subscription.status === "gone" ? 410 : 200, page };
}
