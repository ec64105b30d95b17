import { createHash, timingSafeEqual } from "node:crypto";

// Digests have equal lengths, which timingSafeEqual requires.
const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Whether a request has this secret as its bearer token. Compares in constant time. */
export const isBearer = (headers: Headers, secret: string) =>
  timingSafeEqual(sha256(headers.get("authorization") ?? ""), sha256(`Bearer ${secret}`));
