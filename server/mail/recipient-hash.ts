import { createHash } from "node:crypto";
import { throttleKey } from "../kernel/email";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Identifies a person for throttling without storing the address: one hashed key for all spellings of an address. */
export function recipientHash(canonical: string): string {
  return hashOf(throttleKey(canonical));
}

/** The same person's key for mails other than confirmations. Requests for those mails then delay no confirmation. */
export function otherMailHash(what: "preferences" | "address of" | "address to", canonical: string): string {
  return hashOf(`${what} ${recipientHash(canonical)}`);
}
