import { randomUUID } from "node:crypto";
import type { AppContext } from "../app";
import { toAppError } from "../kernel/errors";
import { answerConfirmation } from "./confirmation";
import { fillNodes, messagesForReader } from "./pages/messages";
import { notePage, type PageAnswer, type PageRequest, pageResponse } from "./pages/page";
import { answerPreferences } from "./preferences";
import { answerSetup } from "./setup";
import { answerSignIn } from "./sign-in";
import { answerSignUp } from "./sign-up";
import { answerConfirmEmail, answerForgot, answerJoin, answerReset } from "./staff-links";
import { answerUnsubscribe } from "./unsubscribe";

/** Whether the path segments after a newsletter's id name a part of its sign-up page. */
const isSignUpPart = ([part, ...more]: string[]) =>
  more.length === 0 && (part === undefined || part === "time" || part === "form.js");

type Answer = Promise<PageAnswer | Response>;

/** The handler of each path. A token follows the slash at the end of a path. */
const answers = new Map<string, (app: AppContext, request: PageRequest, token: string) => Answer>(
  Object.entries({
    setup: answerSetup,
    "sign-in": answerSignIn,
    forgot: answerForgot,
    "confirm/": answerConfirmation,
    "unsubscribe/": answerUnsubscribe,
    "preferences/": answerPreferences,
    "join/": answerJoin,
    "reset/": answerReset,
    "confirm-email/": answerConfirmEmail,
  }),
);

async function answer(app: AppContext, request: PageRequest): Answer {
  const [, first = "", token = "", ...rest] = request.url.pathname.replace(/\/$/, "").split("/");
  if (first === "s" && token && isSignUpPart(rest)) return answerSignUp(app, request, [token, ...rest]);
  const page = rest.length === 0 ? answers.get(token ? `${first}/` : first) : undefined;
  if (page) return page(app, request, token);
  return notePage(request.messages.pages.notFound, request.messages.lang, { status: 404 });
}

function errorPage(thrown: unknown, asked: PageRequest, log: AppContext["log"]): PageAnswer {
  const { requestId, request } = asked;
  const { lang, pages } = asked.messages;
  const error = toAppError(thrown, request.method === "POST" ? "person" : "reader");
  const { code, status, headers, retryAfterSeconds = 5 } = error;
  if (status === 404) return notePage(pages.notFound, lang, { status });
  if (status < 500) return notePage(pages.notUnderstood, lang, { status, headers });
  // The path is never logged: its token grants access.
  const facts = { requestId, method: request.method, err: error.cause ?? error };
  log[code === "internal_error" ? "error" : "warn"](facts, `public page: ${code}`);
  if (status !== 503) {
    const more = fillNodes(pages.failed.more, { requestId });
    return notePage(pages.failed, lang, { status: 500, tone: "failed", more });
  }
  const retryAfter = { "Retry-After": String(retryAfterSeconds) };
  const page = error.isUnknown ? pages.unanswered : pages.away;
  return notePage(page, lang, { status, tone: "failed", headers: retryAfter });
}

/**
 * Answers the public pages as one fetch handler. Never rejects, and always answers with a page.
 * @param address the caller's address, or null when unknown
 */
export async function handlePublic(
  app: AppContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  const requestId = randomUUID();
  const messages = messagesForReader(request.headers);
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== "GET" && method !== "POST") {
    const headers = { Allow: "GET, HEAD, POST" };
    const page = notePage(messages.pages.notUnderstood, messages.lang, { status: 405, headers });
    return pageResponse(page, request.method, requestId);
  }
  const url = new URL(request.url);
  const asked: PageRequest = { request, url, method, address, requestId, messages };
  const page = await answer(app, asked).catch((thrown) => errorPage(thrown, asked, app.log));
  if (page instanceof Response) return request.method === "HEAD" ? new Response(null, page) : page;
  return pageResponse(page, request.method, requestId);
}
