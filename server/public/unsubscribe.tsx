import type { AppContext } from "../app";
import { readForm } from "../platform/http/request-body";
import { askForPreferences } from "../sign-up/preferences";
import {
  followMerges,
  type Subscription,
  sendResubscribeLink,
  showSubscription,
  unsubscribeByPerson,
  unsubscribeFromAll,
} from "../subscribers/unsubscribe-links";
import { type AsideName, type FormAction, fillNodes, messagesFor, type PageName } from "./pages/messages";
import { Buttons, notePage, type PageAnswer, type PageRequest, type PageTone } from "./pages/page";

const verbs = {
  unsubscribe: unsubscribeByPerson,
  unsubscribeAll: unsubscribeFromAll,
  comeBack: sendResubscribeLink,
  preferences: askForPreferences,
} satisfies Partial<Record<FormAction, typeof sendResubscribeLink>>;
type LinkAction = keyof typeof verbs;
const actions = Object.keys(verbs) as LinkAction[];

/**
 * Returns a POST's action: one of our buttons, or a mail program's one-click unsubscribe (RFC 8058); else undefined.
 */
function actionOf(form: URLSearchParams): LinkAction | undefined {
  if (form.get("List-Unsubscribe") === "One-Click") return "unsubscribe";
  return actions.find((action) => action === form.get("action"));
}

/**
 * Answers /unsubscribe/{token}. GET shows the status and changes nothing, since mail scanners open links. POST is a
 * button or a one-click unsubscribe.
 */
export async function answerUnsubscribe(
  { db, queue, outbox, jobs, links, mailService }: AppContext,
  { request, method, address, requestId, messages }: PageRequest,
  token: string,
): Promise<PageAnswer> {
  const own = links.readUnsubscribe(token);
  if (!own) return notePage(messages.pages.notFound, messages.lang, { status: 404 });
  const claims = await followMerges(db, own);
  const ctx = { db, queue, outbox, jobs, actor: { kind: "link", address } as const, requestId };
  if (method === "GET") return unsubscribePage(await showSubscription(ctx, claims));
  const action = actionOf(await readForm(request));
  if (!action) return { ...unsubscribePage(await showSubscription(ctx, claims)), status: 422 };
  if (action === "preferences" && !(await mailService()).transport)
    return unmailedPage(await showSubscription(ctx, claims));
  return unsubscribePage(await verbs[action](ctx, claims), action);
}

/** The page shown when no mail provider is configured, so no preferences link can be mailed. */
function unmailedPage({ newsletter }: Subscription): PageAnswer {
  const { pages, lang } = messagesFor(newsletter.language);
  return notePage(pages.preferencesUnmailed, lang, { over: newsletter.name });
}

type PageState = {
  name: PageName;
  tone: PageTone;
  main?: FormAction;
  asides?: readonly (readonly [AsideName | "own", FormAction])[];
};

/** Chooses the texts and buttons for a status. @param action the button that was used */
function pageStateOf(subscription: Subscription, action: LinkAction | null): PageState {
  const { status, mayReturn, mayBeMailed, elsewhere } = subscription;
  if (action === "preferences" && status !== "gone") return { name: "preferencesAsked", tone: "pending" };
  const details = mayBeMailed ? [["details", "preferences"] as const] : [];
  switch (status) {
    case "active":
      return { name: "mayUnsubscribe", tone: "active", main: "unsubscribe", asides: details };
    case "pending":
      return { name: "pendingMayUnsubscribe", tone: "pending", main: "unsubscribe", asides: details };
    case "unsubscribed":
      if (action === "unsubscribeAll") return { name: "isUnsubscribedFromAll", tone: "off", asides: details };
      return {
        name: "isUnsubscribed",
        tone: "off",
        asides: [
          ...(mayReturn ? [["comeBack", "comeBack"] as const] : []),
          ...(elsewhere ? [["elsewhere", "unsubscribeAll"] as const] : []),
          ...details,
        ],
      };
    case "returning":
      return {
        name: "askedToReturn",
        tone: "pending",
        asides: action === null ? [["own", "unsubscribe"], ...details] : [],
      };
    case "gone":
      return { name: "notListed", tone: "off" };
  }
}

/**
 * Returns the page of a subscription, in the newsletter's language. The form needs no CSRF token; see
 * `confirmationPage`.
 */
export function unsubscribePage(subscription: Subscription, action: LinkAction | null = null): PageAnswer {
  const { newsletter } = subscription;
  const messages = messagesFor(newsletter.language);
  const { name, tone, main, asides = [] } = pageStateOf(subscription, action);
  const message = messages.pages[name];
  const fill = (words?: string) => fillNodes(words, { account: <bdi>{newsletter.accountName}</bdi> });
  const described = asides.map(([words, button]) => ({
    words: fill(words === "own" ? message.aside : messages.asides[words]),
    action: button,
  }));
  return notePage(message, messages.lang, {
    status: subscription.status === "gone" ? 410 : 200,
    heading: newsletter.name,
    tone,
    lead: fill(message.lead),
    rest: <Buttons main={main} asides={described} messages={messages} />,
  });
}
