import { toAppError } from "../errors";
import type { Limiter } from "../limits/limiter";
import { readBytes } from "../request-body";
import { foreignOrigin, isOurOrigin } from "./same-origin";
import { lockedOut, signInSubject } from "./sign-in-lock";
import { recordLockedSignIn, recordOwnSignIn } from "./staff-audit";
import {
  CALLER_HEADER,
  findSignedIn,
  readableHeaders,
  type StaffAuthContext,
  staffAuth,
} from "./staff-session";

type HandlerContext = StaffAuthContext & {
  limiter: Pick<Limiter, "authenticationLock" | "failedSignIn">;
};

/** Several times what our forms send. */
const maxBytes = 4 * 1024;

const SIGN_IN = "/api/auth/sign-in/email";
const SIGN_OUT = "/api/auth/sign-out";

/** The library's routes that are open. All others answer 404. */
const OPEN: Record<string, "GET" | "POST"> = {
  [SIGN_IN]: "POST",
  [SIGN_OUT]: "POST",
  "/api/auth/change-password": "POST",
};

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/**
 * Sign-in, sign-out and a new password. After too many failures an address has to wait, whether or not the next
 * password is right.
 * @param address the caller's, when it is known
 */
export async function handleStaffAuth(
  context: HandlerContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (OPEN[pathname] !== request.method) return answer(404, "There is nothing here.");
  if (!isOurOrigin(request, context.origins)) return answer(403, foreignOrigin);
  try {
    const body = Buffer.from(await readBytes(request, maxBytes)).toString("utf8");
    return await handleOpen(context, { pathname, body, headers: request.headers }, address);
  } catch (error) {
    const { status, message, headers, retryAfterSeconds, cause } = toAppError(error);
    if (status >= 500) context.log.warn({ err: cause, path: pathname }, "sign-in: an error of the service");
    const wait: Record<string, string> = retryAfterSeconds
      ? { "Retry-After": String(retryAfterSeconds) }
      : {};
    return answer(status, message, { ...wait, ...headers });
  }
}

type OpenRequest = { pathname: string; body: string; headers: Headers };

/** @throws AppError and what the database throws */
async function handleOpen(
  context: HandlerContext,
  { pathname, body, headers: sent }: OpenRequest,
  address: string | null,
): Promise<Response> {
  const subject = signInSubject(address);
  const wait = await context.limiter.authenticationLock(subject);
  if (wait > 0) throw lockedOut(wait);
  const headers = new Headers(readableHeaders(context, sent));
  headers.delete("content-length");
  headers.delete(CALLER_HEADER);
  if (address) headers.set(CALLER_HEADER, address);
  const signedIn = pathname === SIGN_IN ? null : await findSignedIn(context, sent);
  const response = await staffAuth(context).handler(
    new Request(new URL(pathname, context.appUrl), { method: "POST", headers, body }),
  );
  response.headers.set("Cache-Control", "no-store");
  if (response.ok && signedIn) {
    const action = pathname === SIGN_OUT ? "staff.signed_out" : "staff.password_changed";
    await recordOwnSignIn(context.db, signedIn, action, address);
  }
  if (response.ok || pathname === SIGN_OUT) return response;
  const code = await codeOf(response);
  if (!FAILURES.has(code))
    return answer(response.status, MESSAGES[code] ?? "This request is not valid. Nothing was changed.");
  const { lockedSeconds, begun, failures } = await context.limiter.failedSignIn(subject);
  if (begun) {
    const email = signedIn?.email ?? emailIn(body);
    await recordLockedSignIn(context.db, { email, failures, address });
  }
  if (lockedSeconds > 0) throw lockedOut(lockedSeconds);
  // The same answer for an unknown address, a wrong password and a malformed one.
  return pathname === SIGN_IN
    ? answer(401, "That email and password don't go together. Check both and try again.")
    : answer(422, "The current password is not right. Your password stays as it was.");
}

/** The library's codes for a wrong guess. */
const FAILURES = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_EMAIL",
  "INVALID_PASSWORD",
  "CREDENTIAL_ACCOUNT_NOT_FOUND",
]);

const MESSAGES: Record<string, string> = {
  PASSWORD_TOO_SHORT: "The new password needs at least 10 characters.",
  PASSWORD_TOO_LONG: "The new password may have at most 128 characters.",
  UNAUTHORIZED: "You are not signed in any more. Sign in again; nothing was changed.",
};

async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : response.status === 401 ? "UNAUTHORIZED" : "";
}

/** The address that a sign-in was tried with; "" when there is none. */
function emailIn(body: string): string {
  try {
    const { email } = JSON.parse(body);
    return typeof email === "string" ? email : "";
  } catch {
    return "";
  }
}
