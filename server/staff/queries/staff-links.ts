import { newId } from "../../kernel/ids";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

export type StaffLink = {
  /** "" for the link that sets up the installation. */
  staffId: string;
  /** The address that the link confirms; "" for other purposes. */
  email: string;
};

type OfLink = { purpose: "reset password" | "confirm email" | "set up"; digest: string };

// The links share the library's verification table.
const identifierOf = ({ purpose, digest }: OfLink) => `${purpose} ${digest}`;

/** Stores the digest of a link's token, for `minutes`. */
export async function insertStaffLink(
  tx: Tx,
  { staffId, email, minutes, ...link }: OfLink & StaffLink & { minutes: number },
): Promise<void> {
  const expiresAt = new Date((await databaseNow(tx)).getTime() + minutes * 60_000);
  const data = { id: newId(), identifier: identifierOf(link), value: `${staffId} ${email}`, expiresAt };
  await tx.staffVerification.create({ data });
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
