import type { Db, Tx } from "../../platform/db/client";
import type { Role } from "../../staff/schema/roles";

export function findAccount(db: Db | Tx, id: string) {
  return db.account.findUnique({ where: { id } });
}

/** Lists all accounts with their newsletters, oldest first. */
export function listAccounts(db: Db | Tx) {
  return db.account.findMany({
    orderBy: { id: "asc" },
    select: {
      id: true,
      name: true,
      apiAccess: true,
      createdAt: true,
      newsletters: { orderBy: { id: "asc" }, select: { id: true, name: true } },
    },
  });
}

/** Whether an account exists, so whether the installation has been set up. */
export async function hasAccount(db: Db | Tx): Promise<boolean> {
  return (await db.account.findFirst({ select: { id: true } })) !== null;
}

/** Returns the installation's only account; null with several accounts or none. */
export async function findOnlyAccount(db: Db): Promise<{ id: string } | null> {
  const [first, second] = await db.account.findMany({ select: { id: true }, take: 2 });
  return first && !second ? first : null;
}

/**
 * Stops other transactions from adding an account until this one ends. Without the lock, two simultaneous setups would
 * both find an empty table.
 */
export async function lockAccounts(tx: Tx): Promise<void> {
  // Prisma has no call that locks a table.
  await tx.$executeRaw`LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE`;
}

/** Stops other transactions from deleting one of the account's newsletters until this one ends. */
export async function lockAccount(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw<unknown[]>`SELECT 1 FROM accounts WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
}

export function insertAccount(tx: Tx, account: { id: string; name: string }) {
  return tx.account.create({ data: account });
}

/** @returns whether the value changed */
export async function updateSecondFactorRequired(tx: Tx, id: string, required: boolean): Promise<boolean> {
  const where = { id, requireSecondFactor: !required };
  return (await tx.account.updateMany({ where, data: { requireSecondFactor: required } })).count > 0;
}

export async function updateApiAccess(tx: Tx, id: string, apiAccess: boolean): Promise<void> {
  await tx.account.update({ where: { id }, data: { apiAccess } });
}

/** Lists an account's owners, in the order in which they joined. */
export function listOwners(tx: Tx, accountId: string): Promise<{ id: string; email: string }[]> {
  return tx.staffMember.findMany({
    where: { accountId, role: "owner" satisfies Role },
    orderBy: { id: "asc" },
    select: { id: true, email: true },
  });
}
