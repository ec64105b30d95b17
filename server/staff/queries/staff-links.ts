import { randomBytes } from "node:crypto";
import { emailLinkMinutes, resetLinkMinutes, setupLinkMinutes } from "../../kernel/durations";
import { newId } from "../../kernel/ids";
import { linkDigest } from "../../kernel/secrets";
import { MINUTE_MS } from "../../kernel/time";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** How long the links of each purpose work. */
const minutes = {
  "reset password": resetLinkMinutes,
  "confirm email": emailLinkMinutes,
  "set up": setupLinkMinutes,
};
type Purpose = keyof typeof minutes;

type StaffLink = {
  /** "" for the link that sets up the installation. */
  staffId: string;
  /** The address that the link confirms; "" for other purposes. */
  email: string;
};

type OfLink = { purpose: Purpose; token: string };

// The links share the library's verification table. It has the digests of their tokens.
const identifierOf = ({ purpose, token }: OfLink) => `${purpose} ${linkDigest(token)}`;

/** Makes a link that works once. @returns its token, of 192 random bits */
export async function insertStaffLink(
  tx: Tx,
  purpose: Purpose,
  { staffId, email }: StaffLink,
): Promise<string> {
  const token = randomBytes(24).toString("base64url");
  const identifier = identifierOf({ purpose, token });
  const expiresAt = new Date((await databaseNow(tx)).getTime() + minutes[purpose] * MINUTE_MS);
  const data = { id: newId(), identifier, value: `${staffId} ${email}`, expiresAt };
  await tx.staffVerification.create({ data });
  return token;
}

/** Returns a link's data, or null when the link is used, withdrawn or expired. */
export async function findStaffLink(db: Db | Tx, link: OfLink): Promise<StaffLink | null> {
  const where = { identifier: identifierOf(link), expiresAt: { gt: await databaseNow(db) } };
  const found = await db.staffVerification.findFirst({ where, select: { value: true } });
  if (!found) return null;
  const [staffId = "", email = ""] = found.value.split(" ");
  return { staffId, email };
}

/** Uses a link. @returns false when another request used it first */
export async function deleteStaffLink(tx: Tx, link: OfLink): Promise<boolean> {
  return (await tx.staffVerification.deleteMany({ where: { identifier: identifierOf(link) } })).count > 0;
}

/** Deletes a staff member's mailed links, and their sign-ins that wait for a second factor. */
export async function deleteStaffLinks(tx: Tx, staffId: string): Promise<void> {
  await tx.staffVerification.deleteMany({ where: { value: { startsWith: staffId } } });
}
