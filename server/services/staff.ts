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

type OfMember = { accountId: string; id: string };

/** Who may sign in to an account. */
export async function listStaff({ db }: Pick<ActorContext, "db">, { accountId }: { accountId: string }) {
  const staff = await listStaffMembers(db, accountId);
  return staff.map(({ sessions, ...member }) => ({
    ...member,
    role: member.role as Role,
    lastSeenAt: sessions[0]?.updatedAt ?? null,
  }));
}

async function getStaffMember(tx: Tx, member: OfMember) {
  const found = await findStaffMember(tx, member);
  if (!found) throw new AppError("not_found", "There is no such person on the staff any more.");
  return found;
}

async function checkNotLastOwner(tx: Tx, member: OfMember & { role: string }): Promise<void> {
  if (member.role === "owner" && (await countOtherOwners(tx, member)) === 0) {
    throw new AppError("validation_error", "The account needs an owner. Make somebody else one first.");
  }
}

/** @throws AppError not_found, validation_error for the last owner */
export function setRole(
  ctx: ActorContext,
  { accountId, id, role }: OfMember & { role: Role },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, { accountId, id });
    if (member.role === role) return;
    await checkNotLastOwner(tx, member);
    await updateRole(tx, id, role);
    const detail = { from: member.role, to: role };
    await record(ctx, tx, { accountId, action: "staff.role", subjectId: id, detail });
  });
}

/** Ends a person's access at once: their sessions are deleted too. @throws AppError not_found, validation_error for the last owner */
export function removeStaff(ctx: ActorContext, { accountId, id }: OfMember): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, { accountId, id });
    await checkNotLastOwner(tx, member);
    await deleteStaffMember(tx, id);
    const detail = { email: member.email };
    await record(ctx, tx, { accountId, action: "staff.removed", subjectId: id, detail });
  });
}

type OwnSession = { id: string; sessionId: string };

/** Where a staff member is signed in, newest first; their tokens are not shown. */
export async function listSessions({ db }: Pick<ActorContext, "db">, { id, sessionId }: OwnSession) {
  const sessions = await listLiveSessions(db, id);
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }));
}

/** Ends one of a staff member's own sessions. @returns how many ended */
export function endSession({ db }: Pick<ActorContext, "db">, session: { staffId: string; id: string }) {
  return deleteSessions(db, session);
}

/** Ends all sessions of a staff member but this one. @returns how many ended */
export function endOtherSessions({ db }: Pick<ActorContext, "db">, { id, sessionId }: OwnSession) {
  return deleteSessions(db, { staffId: id, id: { not: sessionId } });
}
