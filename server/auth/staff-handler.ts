import type { AppContext } from "../app";
import { isOurOrigin } from "./same-origin";
import { CALLER_HEADER, staffAuth } from "./staff-session";

/** What of the library's routes is open; anything else of it does not exist here. */
const OPEN: Record<string, "GET" | "POST"> = {
  "/api/auth/sign-in/email": "POST",
  "/api/auth/sign-out": "POST",
  "/api/auth/change-password": "POST",
};

function answer(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ message }, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/**
 * Sign-in, sign-out and a new password, throttled: too many failures from one address and it has to wait, whether or
 * not the next password is right.
 * @param address where the request comes from, as far as anybody can tell
 */
export async function handleStaffAuth(
  app: AppContext,
  request: Request,
  address: string | null,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (OPEN[pathname] !== request.method) return answer(404, "There is nothing here.");
  if (!isOurOrigin(request, app.appUrl))
    return answer(403, "This request did not come from a page of Rollcall.");
  // A subject of its own: failing here must not lock an integration out, nor the other way round.
  const subject = `staff ${address ?? "unknown"}`;
  const wait = await app.limiter.authenticationLock(subject);
  if (wait > 0) return tooMany(wait);
  const headers = new Headers(request.headers);
  headers.delete(CALLER_HEADER);
  if (address) headers.set(CALLER_HEADER, address);
  const response = await staffAuth(app).handler(new Request(request, { headers }));
  response.headers.set("Cache-Control", "no-store");
  if (response.ok || pathname === "/api/auth/sign-out") return response;
  const code = await codeOf(response);
  if (!FAILURES.has(code))
    return answer(response.status, SENTENCES[code] ?? "This was not understood. Nothing was changed.");
  const locked = await app.limiter.failedAuthentication(subject);
  if (locked > 0) return tooMany(locked);
  // One answer for an unknown address, a wrong password and a malformed one.
  return pathname === "/api/auth/sign-in/email"
    ? answer(401, "That email and password don't go together. Check both and try again.")
    : answer(422, "The current password is not right. Your password stays as it was.");
}

/** The library's names for a guess that was wrong. */
const FAILURES = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_EMAIL",
  "INVALID_PASSWORD",
  "CREDENTIAL_ACCOUNT_NOT_FOUND",
]);

const SENTENCES: Record<string, string> = {
  PASSWORD_TOO_SHORT: "The new password needs at least 10 characters.",
  PASSWORD_TOO_LONG: "The new password may have at most 128 characters.",
  UNAUTHORIZED: "You are not signed in any more. Sign in again; nothing was changed.",
};

async function codeOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const code = (body as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : response.status === 401 ? "UNAUTHORIZED" : "";
}

function tooMany(seconds: number): Response {
  const minutes = Math.ceil(seconds / 60);
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return answer(429, `Too many failed attempts from your address. Try again in ${when}.`, {
    "Retry-After": String(seconds),
  });
}
