import { newId } from "../../kernel/ids";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** What a link that is mailed to a staff member is for. */
export type StaffLinkPurpose = "reset password" | "confirm email";

export type StaffLink = {
  staffId: string;
  /** The address that the link is to confirm; "" of others. */
  email: string;
};

type OfLink = { purpose: StaffLinkPurpose; digest: string };

// In the library's table of things that are verified once.
const identifierOf = ({ purpose, digest }: OfLink) => `${purpose} ${digest}`;

/** Stores the digest of a link's token, for so many minutes. */
export async function insertStaffLink(
  tx: Tx,
  { staffId, email, minutes, ...link }: OfLink & StaffLink & { minutes: number },
): Promise<void> {
  const expiresAt = new Date((await databaseNow(tx)).getTime() + minutes * 60_000);
  const data = { id: newId(), identifier: identifierOf(link), value: `${staffId} ${email}`, expiresAt };
  await tx.staffVerification.create({ data });
}

/** What a link is about, or null when it has been used, was withdrawn or is too old. */
export async function findStaffLink(db: Db | Tx, link: OfLink): Promise<StaffLink | null> {
  const where = { identifier: identifierOf(link), expiresAt: { gt: await databaseNow(db) } };
  const found = await db.staffVerification.findFirst({ where, select: { value: true } });
  if (!found) return null;
  const [staffId = "", email = ""] = found.value.split(" ");
  return { staffId, email };
}

/** Uses a link up. @returns false when another request was quicker */
export async function deleteStaffLink(tx: Tx, link: OfLink): Promise<boolean> {
  return (await tx.staffVerification.deleteMany({ where: { identifier: identifierOf(link) } })).count > 0;
}

/** Withdraws all that waits for a staff member: links that were mailed, and sign-ins that wait for a second factor. */
export async function deleteStaffLinks(tx: Tx, staffId: string): Promise<void> {
  await tx.staffVerification.deleteMany({ where: { value: { startsWith: staffId } } });
}
