import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { AppError, noLongerExists } from "../kernel/errors";
import type { Tx } from "../platform/db/client";
import { withdraw } from "./invitations";
import {
  countOtherOwners,
  deleteSessions,
  deleteStaffMember,
  findStaffByEmail,
  findStaffMember,
  listLiveSessions,
  listStaffMembers,
  lockStaffMember,
  updateStaffMember,
} from "./queries/staff";
import { hasRight, type Role } from "./schema/roles";

type OfMember = { accountId: string; id: string };

/** Lists an account's staff, with their roles and second factors. */
export async function listStaff({ db }: Pick<ActorContext, "db">, { accountId }: { accountId: string }) {
  const staff = await listStaffMembers(db, { accountId });
  return staff.map(({ account: _, sessions, twoFactorEnabled, _count, ...member }) => ({
    ...member,
    hasSecondFactor: twoFactorEnabled || _count.passkeys > 0,
    role: member.role as Role,
    lastSeenAt: sessions[0]?.updatedAt ?? null,
  }));
}

/** Lists all staff of this installation, for the operator. */
export async function listAllStaff({ db }: Pick<ActorContext, "db">) {
  const staff = await listStaffMembers(db, {});
  return staff.map(({ id, email, name, role, account, sessions, twoFactorEnabled, _count }) => ({
    ...{ id, email, name, role, account: account.name },
    second_factors: [
      ...(twoFactorEnabled ? ["authenticator app"] : []),
      ...(_count.passkeys > 0 ? [`${_count.passkeys} passkey${_count.passkeys === 1 ? "" : "s"}`] : []),
    ],
    last_seen_at: sessions[0]?.updatedAt ?? null,
  }));
}

/** @throws AppError not_found */
export async function getStaffByEmail({ db }: Pick<ActorContext, "db">, { email }: { email: string }) {
  const found = await findStaffByEmail(db, email.trim().toLowerCase());
  if (!found)
    throw new AppError(
      "not_found",
      `No staff member has the address ${email}. Nothing was changed. \`staff list\` shows all addresses.`,
    );
  return found;
}

/** @throws AppError not_found */
export async function getStaffMember(tx: Tx, member: OfMember) {
  const found = await findStaffMember(tx, member);
  if (!found) throw noLongerExists("staff member");
  return found;
}

async function checkNotLastOwner(tx: Tx, member: OfMember & { role: string }): Promise<void> {
  if (member.role === "owner" && (await countOtherOwners(tx, member)) === 0) {
    throw new AppError(
      "validation_error",
      "The account needs at least one owner. Make someone else an owner first.",
    );
  }
}

/**
 * Changes a role. Losing the right to invite also withdraws the person's invitations.
 * @throws AppError not_found, validation_error for the last owner
 */
export function setRole(
  ctx: ActorContext,
  { accountId, id, role }: OfMember & { role: Role },
): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, { accountId, id });
    if (member.role === role) return;
    await checkNotLastOwner(tx, member);
    await lockStaffMember(tx, id);
    await updateStaffMember(tx, id, { role });
    const detail = { from: member.role, to: role };
    await record(ctx, tx, { accountId, action: "staff.role", subjectId: id, detail });
    if (!hasRight(role, "manage")) await withdraw(ctx, tx, { accountId, invitedBy: id });
  });
}

/**
 * Ends a person's access at once: deletes their sessions and withdraws their invitations. Their API keys keep working.
 * @throws AppError not_found, validation_error for the last owner
 */
export function removeStaff(ctx: ActorContext, { accountId, id }: OfMember): Promise<void> {
  return withTransaction(ctx, async (tx) => {
    const member = await getStaffMember(tx, { accountId, id });
    await checkNotLastOwner(tx, member);
    await lockStaffMember(tx, id);
    await withdraw(ctx, tx, { accountId, invitedBy: id });
    await deleteStaffMember(tx, id);
    const detail = { email: member.email };
    await record(ctx, tx, { accountId, action: "staff.removed", subjectId: id, detail });
  });
}

type OwnSession = { id: string; accountId: string; sessionId: string };

/** Lists a staff member's live sessions, newest first, without their tokens. */
export async function listSessions({ db }: Pick<ActorContext, "db">, { id, sessionId }: OwnSession) {
  const sessions = await listLiveSessions(db, id);
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }));
}

/** Ends one of a staff member's own sessions, or all except the current one. @returns the number of ended sessions */
export function endSessions(
  ctx: ActorContext,
  { id: staffId, accountId, sessionId, which }: OwnSession & { which: { id: string } | "others" },
): Promise<number> {
  const id = which === "others" ? { not: sessionId } : which.id;
  return withTransaction(ctx, async (tx) => {
    const sessions = await deleteSessions(tx, { staffId, id });
    const entry = { accountId, action: "staff.session_ended", subjectId: staffId } as const;
    if (sessions > 0) await record(ctx, tx, { ...entry, detail: { sessions } });
    return sessions;
  });
}
