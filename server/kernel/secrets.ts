import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/**
 * Returns the digest under which a secret is stored. Plain SHA-256 is enough, because the secret is random, unlike a
 * password.
 */
export function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

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

/** Sizes for AES-256-GCM, in bytes. */
const NONCE = 12;
const TAG = 16;

/**
 * Encrypts a text, so that the database alone does not reveal it. @param purpose binds the ciphertext; another purpose
 * can't open it
 */
export function seal(secrets: Secrets, purpose: string, text: string): string {
  const [key] = keysFor(secrets, purpose);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
}

function open(key: Buffer, bytes: Buffer): string | null {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE));
    decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/**
 * Decrypts the output of `seal` with any of the secrets; null when none of them fits. isOld: not sealed with the first
 * secret, so seal it again.
 */
export function unseal(
  secrets: Secrets,
  purpose: string,
  sealed: string,
): { text: string; isOld: boolean } | null {
  const bytes = Buffer.from(sealed, "base64");
  for (const [index, key] of keysFor(secrets, purpose).entries()) {
    const text = open(key, bytes);
    if (text !== null) return { text, isOld: index > 0 };
  }
  return null;
}

/** Seals a text again with the first secret if an older one sealed it. Returns other texts as they are. */
export function reseal(secrets: Secrets, purpose: string, sealed: string): string {
  const found = unseal(secrets, purpose, sealed);
  return found?.isOld ? seal(secrets, purpose, found.text) : sealed;
}

/** Returns the digest under which the token of a link is stored, such as one that invites or resets a password. */
export const linkDigest = (token: string) => digestOf(token).toString("hex");
