import { sessionLifeDays } from "../../kernel/durations";
import { newId } from "../../kernel/ids";
import type { Language } from "../../kernel/languages";
import { DAY_MS } from "../../kernel/time";
import type { Db, Tx } from "../../platform/db/client";
import type { Role } from "../schema/roles";

type NewStaffMember = {
  id: string;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  passwordHash: string;
};

/** Inserts a staff member who signs in with a password. Their address counts as verified. */
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

/** Whether the account requires a second factor, and which second factors the staff member has. */
type SecondFactorsRow = { required: boolean; app: boolean; passkeys: number };

/** @returns null when the staff member doesn't exist */
export async function findSecondFactors(db: Db | Tx, staffId: string): Promise<SecondFactorsRow | null> {
  // Every dashboard call runs this query: one statement here, three with Prisma's models.
  const [found] = await db.$queryRaw<SecondFactorsRow[]>`
    SELECT a.require_second_factor AS required, s.two_factor_enabled AS app,
      (SELECT count(*)::int FROM staff_passkeys p WHERE p.staff_id = s.id) AS passkeys
    FROM staff_members s JOIN accounts a ON a.id = s.account_id
    WHERE s.id = ${staffId}::uuid`;
  return found ?? null;
}

/** Lists a staff member's passkeys, oldest first, without their public keys. */
export function listPasskeys(db: Db, staffId: string) {
  return db.staffPasskey.findMany({
    where: { staffId },
    orderBy: { id: "asc" },
    select: { id: true, name: true, aaguid: true, createdAt: true },
  });
}

/** Removes a staff member's authenticator app and passkeys. Their password stays. */
export async function deleteSecondFactors(tx: Tx, staffId: string): Promise<void> {
  await tx.staffTwoFactor.deleteMany({ where: { staffId } });
  await tx.staffPasskey.deleteMany({ where: { staffId } });
  await tx.staffMember.update({ where: { id: staffId }, data: { twoFactorEnabled: false } });
}

/** @param email canonical */
export function findStaffByEmail(db: Db | Tx, email: string) {
  return db.staffMember.findUnique({ where: { email } });
}

/**
 * Locks a staff member until the transaction ends. Rows that refer to them, such as invitations, can't be inserted
 * meanwhile.
 */
export async function lockStaffMember(tx: Tx, id: string): Promise<void> {
  // Prisma has no FOR UPDATE.
  await tx.$executeRaw`SELECT FROM staff_members WHERE id = ${id}::uuid FOR UPDATE`;
}

/** Lists staff with their account, second factors and newest session. @param where empty for all of the installation */
export function listStaffMembers(db: Db, where: { accountId?: string }) {
  return db.staffMember.findMany({
    where,
    orderBy: { id: "asc" },
    select: {
      id: true,
      name: true,
      email: true,
      role: true,
      createdAt: true,
      twoFactorEnabled: true,
      account: { select: { name: true } },
      _count: { select: { passkeys: true } },
      sessions: { select: { updatedAt: true }, orderBy: { updatedAt: "desc" }, take: 1 },
    },
  });
}

/** Returns the names of staff members by id. Removed staff members have no entry. */
export async function staffNames(db: Db | Tx, ids: string[]): Promise<Map<string, string>> {
  const staff = await db.staffMember.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(staff.map(({ id, name }) => [id, name]));
}

/**
 * Counts an account's other owners and locks their rows. The lock stops two owners from removing each other at once.
 */
export async function countOtherOwners(tx: Tx, member: { accountId: string; id: string }): Promise<number> {
  // Prisma has no FOR UPDATE.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM staff_members
    WHERE account_id = ${member.accountId}::uuid AND role = ${"owner" satisfies Role} AND id <> ${member.id}::uuid
    ORDER BY id FOR UPDATE`;
  return rows.length;
}

/** @throws a unique violation when another staff member has the email, which is canonical */
export async function updateStaffMember(
  db: Db | Tx,
  id: string,
  data:
    | { role: Role }
    | { name: string }
    | { language: Language | null }
    | { email: string; emailVerified: true },
): Promise<void> {
  await db.staffMember.update({ where: { id }, data });
}

/** Deletes a staff member. Their sessions and credentials are deleted with the row. */
export async function deleteStaffMember(tx: Tx, id: string): Promise<void> {
  await tx.staffMember.delete({ where: { id } });
}

/** Sessions that started before this time have ended, even when they are in use. */
export const oldestSession = () => new Date(Date.now() - sessionLifeDays * DAY_MS);

/** Lists a staff member's live sessions, without the tokens. */
export function listLiveSessions(db: Db, staffId: string) {
  return db.staffSession.findMany({
    where: { staffId, expiresAt: { gt: new Date() }, createdAt: { gt: oldestSession() } },
    orderBy: { updatedAt: "desc" },
    select: { id: true, createdAt: true, updatedAt: true, ipAddress: true, userAgent: true },
  });
}

/** Without an id, all sessions of a staff member. @returns the number of ended sessions */
export async function deleteSessions(
  db: Db | Tx,
  where: { staffId: string; id?: string | { not: string } },
): Promise<number> {
  return (await db.staffSession.deleteMany({ where })).count;
}

/** Sets a staff member's password, even if they had none. */
export async function updatePassword(tx: Tx, staffId: string, passwordHash: string): Promise<void> {
  const where = { staffId, providerId: "credential" };
  const data = { password: passwordHash };
  if ((await tx.staffCredential.updateMany({ where, data })).count > 0) return;
  await tx.staffCredential.create({
    data: { id: newId(), ...where, providerAccountId: staffId, ...data },
  });
}
