import { AppError, toAppError } from "../../kernel/errors";
import type { GuardedPool } from "../../platform/db/breaker";
import { readBytes } from "../../platform/http/request-body";
import { foreignOrigin, isOurOrigin } from "../../platform/http/same-origin";
import { checkOwnNewPassword } from "../password-rules";
import { findSecondFactors, findStaffMember } from "../queries/staff";
import { deleteStaffLinks } from "../queries/staff-links";
import { type AuthRoute, authMessages, authRoutes, wrongGuesses } from "./auth-routes";
import { beforeTimeout, oidcRequest } from "./oidc";
import { beginGuess, endGuess, failGuess, type Guess, type GuessContext } from "./password-guesses";
import { checkRecentSignIn } from "./recent-sign-in";
import { recordOwnSignIn } from "./staff-audit";
import { rememberDevice } from "./staff-notices";
import {
  CALLER_HEADER,
  endSessionOf,
  findSignedIn,
  oidcAuth,
  type SignedIn,
  type StaffAuthContext,
  staffAuth,
  withoutSession,
} from "./staff-session";

type HandlerContext = StaffAuthContext & GuessContext & { pool: Pick<GuardedPool, "isAway"> };

/** Several times the size of our forms' requests. */
const maxBytes = 4 * 1024;

const BASE = "/api/auth/";

function answer(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/**
 * Handles sign-in, sign-out and changes to a staff member's own sign-in methods. After too many failures an address has
 * to wait, even with the right password.
 * @param address the caller's address, when known
 */
export async function handleStaffAuth(
  context: HandlerContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice(BASE.length);
  const route = Object.hasOwn(authRoutes, path) ? authRoutes[path] : undefined;
  if (route?.method !== request.method) return answer(404, { message: "Not found." });
  // Browsers send no Origin with a GET request. OAuth's state protects callback/oidc; the others only make challenges.
  if (request.method !== "GET" && !isOurOrigin(request, context.origins))
    return answer(403, { message: foreignOrigin });
  const wasAway = context.pool.isAway;
  try {
    const body = Buffer.from(await readBytes(request, maxBytes)).toString("utf8");
    const asked = { path, search, route, body, headers: request.headers, address };
    return await handleOpen(context, asked);
  } catch (error) {
    const failed = toAppError(error, request.method === "GET" ? "reader" : "person", !wasAway);
    const { status, code, message, headers, retryAfterSeconds, cause } = failed;
    if (status >= 500) context.log.warn({ err: cause, path: pathname }, "sign-in: an error of the service");
    const wait: Record<string, string> = retryAfterSeconds
      ? { "Retry-After": String(retryAfterSeconds) }
      : {};
    return answer(status, { message, code }, { ...wait, ...headers });
  }
}

type OpenRequest = {
  path: string;
  search: string;
  route: AuthRoute;
  body: string;
  headers: Headers;
  address: string | null;
};

/** @throws AppError, and database errors */
async function handleOpen(context: HandlerContext, request: OpenRequest): Promise<Response> {
  const { path, route, headers, address } = request;
  const signedIn = await findSignedIn(context, headers);
  if (route.recent) {
    if (!signedIn) throw new AppError("unauthorized", authMessages.UNAUTHORIZED as string);
    checkRecentSignIn(signedIn);
  }
  if (path === "change-password" && signedIn) {
    const field = "newPassword";
    await checkOwnNewPassword(context.db, signedIn, textIn(request.body, field), field);
  }
  const email = route.signsIn ? textIn(request.body, "email") : signedIn?.email;
  const guess = await beginGuess(context, {
    email: (route.wrong && email) || "",
    headers,
    address,
    signedIn: !route.signsIn && signedIn !== null,
  });
  const response = await askLibrary(context, request);
  if (path === "callback/oidc") return await finishOidc(context, request, response, signedIn);
  const said = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!response.ok && path !== "sign-out")
    return reject(context, route, { guess, said, status: response.status });
  await endGuess(context, guess);
  const cookies = response.headers.getSetCookie();
  if (route.signsIn && !said?.twoFactorRedirect) {
    const { id } = (said as { user: { id: string } }).user;
    const problem = path === "sign-in/email" ? await endWithoutPasskey(context, id, cookies) : null;
    if (problem) return answer(403, { message: problem });
    const staff = await findStaffMember(context.db, { id });
    cookies.push(await noteSignIn(context, request, { id, accountId: staff?.accountId ?? null }, signedIn));
  }
  if (path === "change-password" && signedIn) await endOldPassword(context, signedIn);
  if (route.action && signedIn) await recordOwnSignIn(context.db, signedIn, route.action, address);
  const kept = route.returns === "all" ? said : pick(said, route.returns);
  const result = answer(200, kept ?? {});
  for (const cookie of cookies) {
    // When a second factor is due, the library deletes this browser's session cookie. We keep that session until a new
    // one starts.
    if (said?.twoFactorRedirect && signedIn && /session_token=;/.test(cookie)) continue;
    result.headers.append("Set-Cookie", cookie);
  }
  return result;
}

/** Ends pending reset links after a password change, and notifies the staff member by email. */
async function endOldPassword({ db, notify }: HandlerContext, staff: SignedIn): Promise<void> {
  await db.$transaction(async (tx) => {
    await deleteStaffLinks(tx, staff.id);
    await notify(tx, staff, { kind: "password_changed", by: "you", at: new Date() });
  });
}

const pick = (from: Record<string, unknown> | null, names: readonly string[] = []) =>
  Object.fromEntries(names.flatMap((name) => (from && name in from ? [[name, from[name]]] : [])));

async function askLibrary(context: HandlerContext, asked: OpenRequest): Promise<Response> {
  const { path, search, route, body, headers: sent, address } = asked;
  const headers = new Headers(route.signsIn ? withoutSession(sent) : sent);
  headers.delete("content-length");
  headers.delete(CALLER_HEADER);
  if (address) headers.set(CALLER_HEADER, address);
  const { method, library = path } = route;
  const url = new URL(BASE + library + search, context.appUrl);
  const sentOn = path === "sign-in/social" ? oidcRequest(textIn(body, "next")) : body;
  const request = new Request(url, { method, headers, body: method === "POST" ? sentOn : null });
  if (!route.byOidc) return staffAuth(context).handler(request);
  return beforeTimeout((await oidcAuth(context)).handler(request));
}

/**
 * Redirects the browser after the organisation's sign-in: to the requested page, or back to the sign-in page on
 * failure.
 */
async function finishOidc(
  context: HandlerContext,
  request: OpenRequest,
  response: Response,
  replaced: SignedIn | null,
): Promise<Response> {
  const cookies = response.headers.getSetCookie();
  const begun = await findSignedIn(context, new Headers({ cookie: asSent(cookies) }));
  const answered = new Response(null, { status: 302, headers: { "Cache-Control": "no-store" } });
  answered.headers.set(
    "Location",
    begun ? (response.headers.get("location") ?? "/") : "/sign-in?oidc=failed",
  );
  if (begun) cookies.push(await noteSignIn(context, request, begun, replaced));
  for (const cookie of cookies) answered.headers.append("Set-Cookie", cookie);
  return answered;
}

const asSent = (cookies: string[]) => cookies.map((set) => set.split(";")[0]).join("; ");

/** Records a sign-in and ends the session that it replaces. @returns the cookie that remembers the device */
async function noteSignIn(
  context: HandlerContext,
  { headers, address }: OpenRequest,
  staff: { id: string; accountId: string | null },
  replaced: SignedIn | null,
): Promise<string> {
  await recordOwnSignIn(context.db, staff, "staff.signed_in", address);
  if (replaced) await endSessionOf(context, replaced);
  return rememberDevice(context, { staffId: staff.id, headers, address });
}

/** Ends a new session by password when the person's only second factor is a passkey. @returns the reason, or null */
async function endWithoutPasskey(
  context: HandlerContext,
  id: string,
  cookies: string[],
): Promise<string | null> {
  const factors = await findSecondFactors(context.db, id);
  if (!factors?.required || factors.app || factors.passkeys === 0) return null;
  const begun = await findSignedIn(context, new Headers({ cookie: asSent(cookies) }));
  if (begun) await endSessionOf(context, begun);
  return "Your account requires two-factor authentication, and your second factor is a passkey. Sign in with the passkey.";
}

type Rejected = { guess: Guess; said: Record<string, unknown> | null; status: number };

/** Answers a request that the library rejected. Counts a wrong guess. @throws AppError */
async function reject(
  context: HandlerContext,
  { wrong }: AuthRoute,
  { guess, said, status }: Rejected,
): Promise<Response> {
  const code = typeof said?.code === "string" ? said.code : status === 401 ? "UNAUTHORIZED" : "";
  if (!wrongGuesses.has(code) || !wrong) {
    const message = authMessages[code] ?? "This request is not valid. Nothing was changed.";
    return answer(status, code === "UNAUTHORIZED" ? { message, code: "unauthorized" } : { message });
  }
  await failGuess(context, guess);
  const [wrongStatus, message] = wrong;
  return answer(wrongStatus, { message });
}

/** Returns a text member of a JSON body; "" when the member is missing or has another type. */
function textIn(body: string, name: string): string {
  try {
    const value = JSON.parse(body)?.[name];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
