import { createHash } from "node:crypto";

/**
 * Returns the digest under which a secret is stored. Plain SHA-256 is enough, because the secret is random, unlike a
 * password.
 */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
