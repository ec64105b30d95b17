import { endedInvitationDays, invitationDays, invitationPauseMinutes } from "../../kernel/durations";
import { DAY_MS, MINUTE_MS } from "../../kernel/time";
import type { Db, Tx } from "../../platform/db/client";
import { databaseNow } from "../../platform/db/clock";
import type { Role } from "../schema/roles";

type NewInvitation = {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  /** The digest of the link's token. */
  digest: string;
  invitedBy: string | null;
};

/** The names that an invitation email shows. */
const names = {
  account: { select: { name: true } },
  inviter: { select: { name: true, email: true, role: true } },
} as const;

export async function insertInvitation(tx: Tx, invitation: NewInvitation) {
  const expiresAt = await endFromNow(tx);
  return tx.invitation.create({ data: { ...invitation, expiresAt }, include: names });
}

/** Restarts an invitation's lifetime from now and locks its row. @returns null when the invitation doesn't exist */
export async function prolongInvitation(tx: Tx, where: { id: string; accountId: string }) {
  const expiresAt = await endFromNow(tx);
  const { count } = await tx.invitation.updateMany({ where, data: { expiresAt } });
  return count === 0 ? null : tx.invitation.findUnique({ where, include: names });
}

/** Replaces an invitation's token. The earlier token stops working. */
export async function updateInvitationDigest(tx: Tx, { id, digest }: { id: string; digest: string }) {
  await tx.invitation.update({ where: { id }, data: { digest } });
}

async function endFromNow(tx: Tx): Promise<Date> {
  return new Date((await databaseNow(tx)).getTime() + invitationDays * DAY_MS);
}

/** Lists an account's open and recently expired invitations, oldest first, each with its last email. */
export async function listOpenInvitations(
  db: Db | Tx,
  where: { accountId: string; id?: string; email?: string },
) {
  const now = await databaseNow(db);
  const listedSince = new Date(now.getTime() - endedInvitationDays * DAY_MS);
  const rows = await db.invitation.findMany({
    where: { ...where, expiresAt: { gt: listedSince } },
    orderBy: { id: "asc" },
    include: { ...names, mails: { orderBy: { id: "desc" }, take: 1 } },
  });
  return rows.map(({ mails, ...row }) => ({ ...row, expired: row.expiresAt <= now, mail: mails[0] ?? null }));
}

/** Returns the invitation of a link's token, unless it has expired. */
export async function findInvitationByDigest(db: Db | Tx, digest: string) {
  const now = await databaseNow(db);
  return db.invitation.findUnique({ where: { digest, expiresAt: { gt: now } }, include: names });
}

export type DeletedInvitation = { id: string; email: string; role: string };

/**
 * Deletes one invitation, or all invitations of one staff member, with their emails.
 * @returns the deleted invitations
 */
export async function deleteInvitations(
  tx: Tx,
  where: { accountId: string } & ({ id: string } | { invitedBy: string }),
): Promise<DeletedInvitation[]> {
  const found = await tx.invitation.findMany({ where, select: { id: true, email: true, role: true } });
  const deleted: DeletedInvitation[] = [];
  for (const row of found)
    if ((await tx.invitation.deleteMany({ where: { id: row.id } })).count > 0) deleted.push(row);
  return deleted;
}

/** Lists a staff member's invitations that can still be used. */
export async function listInvitationsBy(
  db: Db,
  accountId: string,
  staffId: string,
): Promise<DeletedInvitation[]> {
  const now = await databaseNow(db);
  return db.invitation.findMany({
    where: { accountId, invitedBy: staffId, expiresAt: { gt: now } },
    orderBy: { id: "asc" },
    select: { id: true, email: true, role: true },
  });
}

/** Whether an email with this invitation is waiting to be sent, or was written a moment ago. */
export async function isBeingMailed(tx: Tx, invitationId: string): Promise<boolean> {
  const since = new Date((await databaseNow(tx)).getTime() - invitationPauseMinutes * MINUTE_MS);
  const mail = await tx.mail.findFirst({
    where: {
      invitationId,
      OR: [{ state: { in: ["waiting", "deferred", "sending"] } }, { createdAt: { gt: since } }],
    },
    select: { id: true },
  });
  return mail !== null;
}
