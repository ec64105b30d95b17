import { createHmac, timingSafeEqual } from "node:crypto";
import { keysFor, type Secrets } from "../../kernel/secrets";

const LIFE_SECONDS = 365 * 86_400;

const nameOf = (staffId: string) => `rollcall.known_${staffId.replaceAll("-", "")}`;
const signatureOf = (staffId: string, since: string, key: Buffer) =>
  createHmac("sha256", key).update(`${staffId} ${since}`).digest();

type DeviceContext = { appUrl: string; authSecrets: Secrets };

/**
 * Returns a Set-Cookie value that marks a browser as known to a staff member. The cookie grants no access. It only
 * spares the owner the waits that strangers' failed guesses cause. In a shared browser each staff member has their own
 * cookie.
 * SameSite is Lax, so that the browser sends the cookie after the organisation's sign-in.
 */
export function knownDeviceCookie({ appUrl, authSecrets }: DeviceContext, staffId: string): string {
  const since = String(Date.now());
  const [key] = keysFor(authSecrets, "known devices");
  const value = `${since}.${signatureOf(staffId, since, key).toString("base64url")}`;
  const [prefix, secure] = appUrl.startsWith("https:") ? ["__Host-", "; Secure"] : ["", ""];
  return `${prefix}${nameOf(staffId)}=${value}; Max-Age=${LIFE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the identifier of the staff member's known browser. Null without a sign-in from it within a year. */
export function findKnownDevice(
  { authSecrets }: DeviceContext,
  headers: Headers,
  staffId: string,
): string | null {
  const name = nameOf(staffId);
  for (const cookie of (headers.get("cookie") ?? "").split(/; */)) {
    const [, found, since = "", signature = ""] =
      /^(?:__Host-)?([^=]+)=(\d{1,15})\.([\w-]{43})$/.exec(cookie) ?? [];
    if (found !== name || Date.now() - Number(since) > LIFE_SECONDS * 1000) continue;
    const given = Buffer.from(signature, "base64url");
    const isOurs = keysFor(authSecrets, "known devices").some((key) =>
      timingSafeEqual(given, signatureOf(staffId, since, key)),
    );
    if (isOurs) return `${staffId} ${since}`;
  }
  return null;
}
