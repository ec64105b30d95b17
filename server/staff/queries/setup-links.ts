import { newId } from "../../kernel/ids";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** The key of setup links in the library's verification table. */
const identifier = "set-up link";
const lifeMs = 3_600_000;

/**
 * Stores the digest of a new setup link's token, for an hour. Earlier links stay valid, even those of other processes.
 */
export async function insertSetupLink(tx: Tx, digest: string): Promise<void> {
  const now = await databaseNow(tx);
  await tx.staffVerification.deleteMany({ where: { identifier, expiresAt: { lte: now } } });
  const expiresAt = new Date(now.getTime() + lifeMs);
  await tx.staffVerification.create({ data: { id: newId(), identifier, value: digest, expiresAt } });
}

/** Whether a setup link with this digest is still valid. */
export async function hasSetupLink(db: Db | Tx, digest: string): Promise<boolean> {
  const now = await databaseNow(db);
  const where = { identifier, value: digest, expiresAt: { gt: now } };
  return (await db.staffVerification.findFirst({ where, select: { id: true } })) !== null;
}

export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx.staffVerification.deleteMany({ where: { identifier } });
}
