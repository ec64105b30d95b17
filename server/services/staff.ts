import { createHash, randomBytes } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { type Ctx, withTransaction } from "../context";
import { Invitation, Joining, type Role } from "../contract/settings";
import { type Db, isUniqueViolation, type Tx } from "../db/client";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { record } from "./audit";
import { parse } from "./parse";

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;

const INVITATION = "invitation";
const WEEK_MS = 7 * 86_400_000;

const digest = (token: string) => createHash("sha256").update(token).digest("hex");

/** Who may sign in to an account, and who has been invited to. */
export async function listStaff({ db }: Pick<Ctx, "db">, accountId: string) {
  const [staff, invited] = await Promise.all([
    db.staffMember.findMany({
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
    }),
    db.staffVerification.findMany({
      where: { identifier: { startsWith: `${INVITATION}:` }, expiresAt: { gt: new Date() } },
    }),
  ]);
  return {
    staff: staff.map(({ sessions, ...member }) => ({
      ...member,
      role: member.role as Role,
      lastSeenAt: sessions[0]?.updatedAt ?? null,
    })),
    invitations: invited
      .map((row) => ({ id: row.id, expiresAt: row.expiresAt, ...readInvitation(row.value) }))
      .filter((invitation) => invitation.accountId === accountId)
      .map(({ id, expiresAt, email, role }) => ({ id, expiresAt, email, role })),
  };
}

type Invited = { accountId: string; email: string; role: Role };
const readInvitation = (value: string) => JSON.parse(value) as Invited;

/** Invites somebody for a week. @returns the token of the link, kept nowhere. @throws AppError validation_error */
export async function invite(ctx: Acting, accountId: string, input: Invitation): Promise<{ token: string }> {
  const { email, role } = parse(Invitation, input);
  const token = randomBytes(24).toString("base64url");
  return withTransaction(ctx, async (tx) => {
    if (await tx.staffMember.findUnique({ where: { email: email.canonical }, select: { id: true } }))
      throw known();
    const id = newId();
    await tx.staffVerification.create({
      data: {
        id,
        identifier: `${INVITATION}:${digest(token)}`,
        value: JSON.stringify({ accountId, email: email.canonical, role } satisfies Invited),
        expiresAt: new Date(Date.now() + WEEK_MS),
      },
    });
    await record(ctx, tx, {
      accountId,
      action: "staff.invited",
      subjectId: id,
      detail: { email: email.canonical, role },
    });
    return { token };
  });
}

function known(): AppError {
  const message = "Somebody signs in with this address already.";
  return new AppError("validation_error", message, { errors: { email: [message] } });
}

/** Takes an invitation back. @throws AppError not_found */
export async function withdraw(ctx: Acting, accountId: string, id: string): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const row = await tx.staffVerification.findUnique({ where: { id } });
    if (!row?.identifier.startsWith(`${INVITATION}:`) || readInvitation(row.value).accountId !== accountId) {
      throw new AppError("not_found", "There is no such invitation any more.");
    }
    await tx.staffVerification.delete({ where: { id } });
    await record(ctx, tx, { accountId, action: "staff.invitation_withdrawn", subjectId: id });
  });
}

/** Whom a link invites, or null when it is used, withdrawn or too old. */
export async function findInvitation(db: Db | Tx, token: string) {
  const row = await db.staffVerification.findFirst({
    where: { identifier: `${INVITATION}:${digest(token)}`, expiresAt: { gt: new Date() } },
  });
  if (!row) return null;
  const { accountId, email, role } = readInvitation(row.value);
  const account = await db.account.findUnique({ where: { id: accountId }, select: { name: true } });
  return account && { id: row.id, accountId, email, role, accountName: account.name };
}

/** Makes the invited person a staff member, once. @throws AppError not_found, validation_error */
export async function join(ctx: Acting, token: string, input: Joining): Promise<{ email: string }> {
  const { name, password } = parse(Joining, input);
  const passwordHash = await hashPassword(password);
  try {
    return await withTransaction(ctx, async (tx) => {
      const invitation = await findInvitation(tx, token);
      // Deleting is what decides between two who come at once.
      const taken = invitation && (await tx.staffVerification.deleteMany({ where: { id: invitation.id } }));
      if (!invitation || taken?.count !== 1) {
        throw new AppError(
          "not_found",
          "This invitation has been used, withdrawn or is too old. Ask for another one.",
        );
      }
      const id = newId();
      await tx.staffMember.create({
        data: {
          id,
          accountId: invitation.accountId,
          email: invitation.email,
          name,
          role: invitation.role,
          emailVerified: true,
          credentials: {
            create: { id: newId(), providerId: "credential", providerAccountId: id, password: passwordHash },
          },
        },
      });
      await record(ctx, tx, {
        accountId: invitation.accountId,
        action: "staff.joined",
        subjectId: id,
        detail: { role: invitation.role },
      });
      return { email: invitation.email };
    });
  } catch (error) {
    throw isUniqueViolation(error) ? known() : error;
  }
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
