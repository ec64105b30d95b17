import { hkdfSync } from "node:crypto";

/** AUTH_SECRET as a list: the first signs, all verify. */
export type Secrets = readonly [string, ...string[]];

/**
 * Derives one key per secret for a single purpose. A signature for another purpose of AUTH_SECRET is then never valid.
 */
export function keysFor(secrets: Secrets, purpose: string): [Buffer, ...Buffer[]] {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", `rollcall ${purpose}`, 32));
  const [first, ...others] = secrets;
  return [keyOf(first), ...others.map(keyOf)];
}
