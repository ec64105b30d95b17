import { createHash } from "node:crypto";
import { throttleKey } from "../kernel/email";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Names a person for throttling without keeping who they are: one key for all spellings of an address, hashed. */
export function recipientHash(canonical: string): string {
  return hashOf(throttleKey(canonical));
}

/** The same person's, under which other mails than confirmations are counted: whoever asks for those delays no confirmation. */
export function otherMailHash(what: "preferences" | "address of" | "address to", canonical: string): string {
  return hashOf(`${what} ${recipientHash(canonical)}`);
}
