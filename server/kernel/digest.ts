import { createHash } from "node:crypto";

/** What is stored of a secret. A plain SHA-256 is enough: the secret is random, not a password. */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
