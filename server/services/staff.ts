import type { Role } from "../contract/roles";
import type { Tx } from "../db/client";
import {
  countOtherOwners,
  deleteSessions,
  deleteStaffMember,
  findStaffMember,
  listLiveSessions,
  listStaffMembers,
  updateRole,
} from "../db/staff";
import { AppError } from "../errors";
import { record } from "./audit";
import { type ActorContext, withTransaction } from "./context";

type OfMember = { accountId: string; staffId: string };

/** Who may sign in to an account. */
export async function listStaff({ db }: Pick<ActorContext, "db">, { accountId }: { accountId: string }) {
  const staff = await listStaffMembers(db, accountId);
  return staff.map(({ sessions, ...member }) => ({
    ...member,
    role: member.role as Role,
    lastSeenAt: sessions[0]?.updatedAt ?? null,
  }));
}

async function getStaffMember(tx: Tx, { accountId, staffId }: OfMember) {
  const member = await findStaffMember(tx, { id: staffId, accountId });
  if (!member) throw new AppError("not_found", "There is no such person on the staff any more.");
  return member;
}

async function checkNotLastOwner(tx: Tx, { accountId, staffId }: OfMember, role: string): Promise<void> {
  if (role === "owner" && (await countOtherOwners(tx, accountId, staffId)) === 0) {
    throw new AppError("validation_error", "The account needs an owner. Make somebody else one first.");
  }
}

/** @throws AppError not_found, validation_error for the last owner */
export async function setRole(ctx: ActorContext, input: OfMember & { role: Role }): Promise<void> {
  const { accountId, staffId, role } = input;
  await withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, input);
    if (member.role === role) return;
    await checkNotLastOwner(tx, input, member.role);
    await updateRole(tx, staffId, role);
    await record(ctx, tx, {
      accountId,
      action: "staff.role",
      subjectId: staffId,
      detail: { from: member.role, to: role },
    });
  });
}

/** Ends a person's access at once: their sessions are deleted too. @throws AppError not_found, validation_error for the last owner */
export async function removeStaff(ctx: ActorContext, input: OfMember): Promise<void> {
  const { accountId, staffId } = input;
  await withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, input);
    await checkNotLastOwner(tx, input, member.role);
    await deleteStaffMember(tx, staffId);
    await record(ctx, tx, {
      accountId,
      action: "staff.removed",
      subjectId: staffId,
      detail: { email: member.email },
    });
  });
}

/** Where a staff member is signed in, newest first; their tokens are not shown. */
export async function listSessions(
  { db }: Pick<ActorContext, "db">,
  { staffId, sessionId }: { staffId: string; sessionId: string },
) {
  const sessions = await listLiveSessions(db, staffId);
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }));
}

/** Ends one of a staff member's own sessions, or all but one. @returns how many ended */
export function endSessions(
  { db }: Pick<ActorContext, "db">,
  { staffId, ...which }: { staffId: string } & ({ id: string } | { allBut: string }),
): Promise<number> {
  return deleteSessions(db, staffId, which);
}
