import { createHmac, timingSafeEqual } from "node:crypto";

/** How far a webhook's time may be from ours, either way: an old one that somebody has kept is not to be played again. */
export const toleranceSeconds = 300;

const SECRET = /^whsec_([A-Za-z0-9+/]{20,}={0,2})$/;
/** Far more than a sender who is changing secrets puts side by side. */
const MOST_SIGNATURES = 16;

/** The key in a secret as Svix writes it, `whsec_` and base64; null when it is none. */
export function readWebhookSecret(secret: string): Buffer | null {
  const encoded = SECRET.exec(secret)?.[1];
  return encoded ? Buffer.from(encoded, "base64") : null;
}

/** What a webhook is signed with and what is signed: its headers, and its body byte for byte. */
export type SignedWebhook = {
  id: string | null;
  timestamp: string | null;
  signature: string | null;
  body: Uint8Array;
};

/**
 * Whether a webhook comes from whoever holds the secret (https://docs.svix.com/receiving/verifying-payloads/how-manual).
 * @returns its id and its time in seconds since 1970, of which the caller validates whether it is too old; null: not signed
 */
export function verifyWebhook(
  secret: string,
  { id, timestamp, signature, body }: SignedWebhook,
): { id: string; sentAtSeconds: number } | null {
  const key = readWebhookSecret(secret);
  if (!key || !id || !timestamp || !signature || !/^\d{1,12}$/.test(timestamp)) return null;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // One for each secret that is valid just now.
  const given = signature.split(" ", MOST_SIGNATURES);
  let isOurs = false;
  for (const one of given) {
    if (!one.startsWith("v1,")) continue;
    const bytes = Buffer.from(one.slice("v1,".length), "base64");
    if (bytes.length === expected.length && timingSafeEqual(bytes, expected)) isOurs = true;
  }
  return isOurs ? { id, sentAtSeconds: Number(timestamp) } : null;
}

/** Whether a webhook is of now, as far as clocks agree. */
export function isTimely(sentAtSeconds: number, nowSeconds: number): boolean {
  return Math.abs(nowSeconds - sentAtSeconds) <= toleranceSeconds;
}
