import { createHash, timingSafeEqual } from "node:crypto";

// Digests, since timingSafeEqual takes only equal lengths.
const sha256 = (text: string) => createHash("sha256").update(text).digest();

/** Whether a request carries this secret as its bearer token; compares in constant time. */
export const isBearer = (headers: Headers, secret: string) =>
  timingSafeEqual(sha256(headers.get("authorization") ?? ""), sha256(`Bearer ${secret}`));
