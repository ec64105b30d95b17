import { newId } from "../../kernel/ids";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";

/** Names set-up links in the table of things that are verified once. */
const identifier = "set-up link";
const lifeMs = 3_600_000;

/** Stores the digest of another set-up link's token, for an hour. Those made before, by other processes too, stay. */
export async function insertSetupLink(tx: Tx, digest: string): Promise<void> {
  const now = await databaseNow(tx);
  await tx.staffVerification.deleteMany({ where: { identifier, expiresAt: { lte: now } } });
  const expiresAt = new Date(now.getTime() + lifeMs);
  await tx.staffVerification.create({ data: { id: newId(), identifier, value: digest, expiresAt } });
}

/** Whether a set-up link with this digest can still be used. */
export async function hasSetupLink(db: Db | Tx, digest: string): Promise<boolean> {
  const now = await databaseNow(db);
  const where = { identifier, value: digest, expiresAt: { gt: now } };
  return (await db.staffVerification.findFirst({ where, select: { id: true } })) !== null;
}

/** Ends all set-up links. */
export async function deleteSetupLinks(tx: Tx): Promise<void> {
  await tx.staffVerification.deleteMany({ where: { identifier } });
}
