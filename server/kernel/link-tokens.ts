import { createHash, randomBytes } from "node:crypto";

// For links that claim the installation, invite, reset a password or confirm an address: each works once, and is stored as a digest.

/** What is stored of a link's token. */
export const linkDigest = (token: string) => createHash("sha256").update(token).digest("hex");

/** A token for a link, of 192 random bits. */
export const newLinkToken = () => randomBytes(24).toString("base64url");
