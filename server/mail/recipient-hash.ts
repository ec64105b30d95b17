import { createHash } from "node:crypto";
import { throttleKey } from "../domain/email";

/** Names a person for throttling without keeping who they are: one key for all spellings of an address, hashed. */
export function recipientHash(canonical: string): string {
  return createHash("sha256").update(throttleKey(canonical)).digest("hex");
}
