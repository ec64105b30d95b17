import { createHash, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 26;
const CHECKSUM_LENGTH = 6;
const SHAPE = /^sk_[0-9A-Za-z]{32}$/;

/** Six base62 characters from the SHA-256 of the others. 1 in 57 billion typos stays undetected. */
function checksum(random: string): string {
  let number = createHash("sha256").update(`rollcall key ${random}`).digest().readBigUInt64BE();
  let text = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text += ALPHABET[Number(number % 62n)];
    number /= 62n;
  }
  return text;
}

/** Returns a new secret: `sk_` and 32 base62 characters, the last six a checksum. About 155 bits from the CSPRNG. */
export function makeSecret(): string {
  let random = "";
  for (let i = 0; i < RANDOM_LENGTH; i++) random += ALPHABET[randomInt(62)];
  return `sk_${random}${checksum(random)}`;
}

/** Whether a secret has the shape and checksum of our keys. Detects typos without a database query. */
export function isWellFormed(secret: string): boolean {
  return (
    SHAPE.test(secret) && checksum(secret.slice(3, 3 + RANDOM_LENGTH)) === secret.slice(3 + RANDOM_LENGTH)
  );
}

/** Returns the part of a secret that the dashboard shows to identify a key: `sk_` and five characters. */
export function prefixOf(secret: string): string {
  return secret.slice(0, 8);
}
