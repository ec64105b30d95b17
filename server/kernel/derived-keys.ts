import { hkdfSync } from "node:crypto";

/** AUTH_SECRET as a list: the first signs, all verify. */
export type Secrets = readonly [string, ...string[]];

/** One key of each secret for one purpose alone, so that nothing else that AUTH_SECRET signs can pass for it. */
export function keysFor(secrets: Secrets, purpose: string): [Buffer, ...Buffer[]] {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", `rollcall ${purpose}`, 32));
  const [first, ...others] = secrets;
  return [keyOf(first), ...others.map(keyOf)];
}
