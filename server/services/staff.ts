import type { Role } from "../contract/settings";
import type { Tx } from "../db/client";
import { AppError } from "../errors";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

/** Who may sign in to an account. */
export async function listStaff({ db }: Pick<Ctx, "db">, accountId: string) {
  const staff = await db.staffMember.findMany({
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
  return staff.map(({ sessions, ...member }) => ({
    ...member,
    role: member.role as Role,
    lastSeenAt: sessions[0]?.updatedAt ?? null,
  }));
}

/** Holds the account's owners, so that two at once can't take the last one away. */
async function otherOwners(tx: Tx, accountId: string, staffId: string): Promise<number> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM staff_members WHERE account_id = ${accountId}::uuid AND role = 'owner' AND id <> ${staffId}::uuid
    ORDER BY id FOR UPDATE`;
  return rows.length;
}

async function memberOf(tx: Tx, accountId: string, staffId: string) {
  const member = await tx.staffMember.findFirst({ where: { id: staffId, accountId } });
  if (!member) throw new AppError("not_found", "There is no such person on the staff any more.");
  return member;
}

const lastOwner = () =>
  new AppError("validation_error", "The account needs an owner. Make somebody else one first.");

/** @throws AppError not_found, validation_error for the last owner */
export async function setRole(ctx: Acting, accountId: string, staffId: string, role: Role): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const member = await memberOf(tx, accountId, staffId);
    if (member.role === role) return;
    if (member.role === "owner" && (await otherOwners(tx, accountId, staffId)) === 0) throw lastOwner();
    await tx.staffMember.update({ where: { id: staffId }, data: { role } });
    await record(ctx, tx, {
      accountId,
      action: "staff.role",
      subjectId: staffId,
      detail: { from: member.role, to: role },
    });
  });
}

/** Ends a person's access at once: sessions go with the row. @throws AppError not_found, validation_error for the last owner */
export async function removeStaff(ctx: Acting, accountId: string, staffId: string): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const member = await memberOf(tx, accountId, staffId);
    if (member.role === "owner" && (await otherOwners(tx, accountId, staffId)) === 0) throw lastOwner();
    await tx.staffMember.delete({ where: { id: staffId } });
    await record(ctx, tx, {
      accountId,
      action: "staff.removed",
      subjectId: staffId,
      detail: { email: member.email },
    });
  });
}

/** Where a person is signed in. Tokens stay here. */
export async function listSessions({ db }: Pick<Ctx, "db">, staffId: string) {
  return db.staffSession.findMany({
    where: { staffId, expiresAt: { gt: new Date() } },
    orderBy: { updatedAt: "desc" },
    select: { id: true, createdAt: true, updatedAt: true, ipAddress: true, userAgent: true },
  });
}

/** Ends one of one's own sessions, or all but one. */
export async function endSessions(
  { db }: Pick<Ctx, "db">,
  staffId: string,
  which: { id: string } | { allBut: string },
): Promise<number> {
  const where = "id" in which ? { id: which.id } : { id: { not: which.allBut } };
  return (await db.staffSession.deleteMany({ where: { staffId, ...where } })).count;
}
