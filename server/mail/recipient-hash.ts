import { createHash } from "node:crypto";
import { throttleKey } from "../domain/email";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Names a person for throttling without keeping who they are: one key for all spellings of an address, hashed. */
export function recipientHash(canonical: string): string {
  return hashOf(throttleKey(canonical));
}

/** The same person's, under which links to their preferences are counted: whoever asks for those delays no confirmation. */
export function preferencesHash(canonical: string): string {
  return hashOf(`preferences ${recipientHash(canonical)}`);
}
