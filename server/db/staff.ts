import type { Role } from "../contract/roles";
import { newId } from "../domain/ids";
import type { Db, Tx } from "./client";

type NewStaffMember = {
  id: string;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
};

/** A staff member who signs in with a password. Their address counts as verified. */
export async function insertStaffMember(tx: Tx, { passwordHash, ...member }: NewStaffMember): Promise<void> {
  const credential = {
    id: newId(),
    providerId: "credential",
    providerAccountId: member.id,
    password: passwordHash,
  };
  await tx.staffMember.create({
    data: { ...member, emailVerified: true, credentials: { create: credential } },
  });
}

export function findStaffMember(db: Db | Tx, where: { id: string; accountId?: string }) {
  return db.staffMember.findUnique({ where });
}

/** @param email canonical */
export function findStaffByEmail(db: Db | Tx, email: string) {
  return db.staffMember.findUnique({ where: { email }, select: { id: true, accountId: true } });
}

/** Locks a staff member against everything that refers to them, such as an invitation of theirs, until the transaction ends. */
export async function lockStaffMember(tx: Tx, id: string): Promise<void> {
  // Prisma has no FOR UPDATE.
  await tx.$executeRaw`SELECT FROM staff_members WHERE id = ${id}::uuid FOR UPDATE`;
}

/** An account's staff, with their newest session. */
export function listStaffMembers(db: Db, accountId: string) {
  return db.staffMember.findMany({
    where: { accountId },
    orderBy: { id: "asc" },
    select: {
      id: true,
      name: true,
      email: true,
      role: true,
      createdAt: true,
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: "desc" }, take: 1 },
    },
  });
}

/** Names of staff members by id; whoever has been removed has none. */
export async function staffNames(db: Db | Tx, ids: string[]): Promise<Map<string, string>> {
  const staff = await db.staffMember.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(staff.map(({ id, name }) => [id, name]));
}

/** How many other owners an account has. Locks their rows, so that two owners cannot remove each other at once. */
export async function countOtherOwners(tx: Tx, member: { accountId: string; id: string }): Promise<number> {
  // Prisma has no FOR UPDATE.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM staff_members
    WHERE account_id = ${member.accountId}::uuid AND role = ${"owner" satisfies Role} AND id <> ${member.id}::uuid
    ORDER BY id FOR UPDATE`;
  return rows.length;
}

export async function updateRole(tx: Tx, id: string, role: Role): Promise<void> {
  await tx.staffMember.update({ where: { id }, data: { role } });
}

/** Their sessions and credentials are deleted with the row. */
export async function deleteStaffMember(tx: Tx, id: string): Promise<void> {
  await tx.staffMember.delete({ where: { id } });
}

/** Where a staff member is signed in, without the tokens. */
export function listLiveSessions(db: Db, staffId: string) {
  return db.staffSession.findMany({
    where: { staffId, expiresAt: { gt: new Date() } },
    orderBy: { updatedAt: "desc" },
    select: { id: true, createdAt: true, updatedAt: true, ipAddress: true, userAgent: true },
  });
}

/** @returns how many ended */
export async function deleteSessions(
  db: Db | Tx,
  where: { staffId: string; id: string | { not: string } },
): Promise<number> {
  return (await db.staffSession.deleteMany({ where })).count;
}
