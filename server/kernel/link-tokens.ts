import { randomBytes } from "node:crypto";
import { digestOf } from "./digest";

// Tokens of links that claim the installation, invite, reset a password or confirm an address. Each works once and is
// stored as a digest.

/** Returns the digest under which a token is stored. */
export const linkDigest = (token: string) => digestOf(token).toString("hex");

/** Makes a link token of 192 random bits. */
export const newLinkToken = () => randomBytes(24).toString("base64url");
