import { createHmac, timingSafeEqual } from "node:crypto";

const OURS = /^(?:__Secure-|__Host-)?rollcall\./;
const SIGNATURE = /\.([A-Za-z0-9+/]{43}=)$/;

const signatureOf = (value: string, key: string) => createHmac("sha256", key).update(value).digest();

/**
 * Re-signs our cookies with the newest secret when an older secret signed them. The sign-in library verifies cookies
 * with one secret only, so a secret rotation would sign everybody out.
 * @param keys the library's keys, newest first
 */
export function resignCookies(headers: Headers, [newest, ...older]: readonly [string, ...string[]]): Headers {
  const cookies = headers.get("cookie");
  if (!cookies || older.length === 0) return headers;
  const resigned = cookies.split(/; */).map((cookie) => {
    const at = cookie.indexOf("=");
    const [name, text] = [cookie.slice(0, at), cookie.slice(at + 1)];
    const content = OURS.test(name) && decoded(text);
    const signature = content && SIGNATURE.exec(content)?.[1];
    if (!content || !signature) return cookie;
    const value = content.slice(0, -signature.length - 1);
    const given = Buffer.from(signature, "base64");
    if (!older.some((key) => timingSafeEqual(given, signatureOf(value, key)))) return cookie;
    return `${name}=${encodeURIComponent(`${value}.${signatureOf(value, newest).toString("base64")}`)}`;
  });
  const renewed = new Headers(headers);
  renewed.set("cookie", resigned.join("; "));
  return renewed;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
