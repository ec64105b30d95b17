import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The token of the one-time setup link. Derived from AUTH_SECRET, so that every process prints the same link and none
 * is stored. It stops working once an account exists.
 */
export function setupToken(authSecret: string): string {
  return createHmac("sha256", authSecret).update("rollcall setup link").digest("base64url").slice(0, 32);
}

/** Compares in constant time. */
export function isSetupToken(authSecret: string, token: string): boolean {
  const expected = Buffer.from(setupToken(authSecret));
  const actual = Buffer.from(token);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
