// server/public: the adapter for strangers — pages that a mail's link opens, made here, without client JavaScript. Imports services, auth, domain, errors and app; no Prisma, no Next, no components.
import { randomUUID } from "node:crypto";
import { type AppContext, app } from "../../app";
import { toAppError } from "../../errors";
import { answerConfirmation } from "./confirmation";
import { type Answer, toResponse } from "./page";
import { awayPage, failedPage, notFoundPage, notUnderstoodPage } from "./plain-pages";
import { type Sentences, sentencesForReader } from "./sentences";
import { answerSetup } from "./setup";

/** A request as the pages need it; `words` are in the reader's language, for pages that know of no newsletter. */
export type Visit = {
  request: Request;
  url: URL;
  /** HEAD reads as GET: it changes nothing either. */
  method: "GET" | "POST";
  address: string | null;
  requestId: string;
  words: Sentences;
};

const ALLOW = { Allow: "GET, HEAD, POST" };

async function answer(opened: AppContext, visit: Visit): Promise<Answer> {
  const [, first, second, ...rest] = visit.url.pathname.replace(/\/$/, "").split("/");
  if (first === "confirm" && second && rest.length === 0) return answerConfirmation(opened, visit, second);
  if (first === "setup" && second === undefined) return answerSetup(opened, visit);
  return notFoundPage(visit.words);
}

function rejection(
  thrown: unknown,
  { words, requestId, request }: Visit,
  log: AppContext["log"] | undefined,
): Answer {
  const error = toAppError(thrown);
  if (error.status < 500) {
    return error.status === 404 ? notFoundPage(words) : notUnderstoodPage(words, error.status, error.headers);
  }
  // Never the path: the token in it is a capability.
  const facts = { requestId, method: request.method, err: error.cause ?? error };
  log?.[error.code === "internal_error" ? "error" : "warn"](facts, `public page: ${error.code}`);
  return error.status === 503 ? awayPage(words, error.retryAfterSeconds ?? 5) : failedPage(words, requestId);
}

/**
 * The public pages as one fetch handler; never rejects, and always answers with a page.
 * @param peer where the request comes from, as far as anybody can tell
 */
export async function handlePublic(request: Request, peer: { address: string | null }): Promise<Response> {
  const requestId = randomUUID();
  const words = sentencesForReader(request.headers.get("accept-language"));
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (method !== "GET" && method !== "POST") {
    return toResponse(notUnderstoodPage(words, 405, ALLOW), request.method, requestId);
  }
  const visit: Visit = {
    request,
    url: new URL(request.url),
    method,
    address: peer.address,
    requestId,
    words,
  };
  let opened: AppContext | undefined;
  try {
    opened = await app();
    return toResponse(await answer(opened, visit), request.method, requestId);
  } catch (thrown) {
    return toResponse(rejection(thrown, visit, opened?.log), request.method, requestId);
  }
}
