import { createHash, randomBytes } from "node:crypto";

/** What is stored of a set-up link's token. */
export const setupDigest = (token: string) => createHash("sha256").update(token).digest("hex");

/** A token for a set-up link, of 192 random bits. */
export const newSetupToken = () => randomBytes(24).toString("base64url");
