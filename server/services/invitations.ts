import { createHash } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import type { Links } from "../auth/signed-links";
import { Invitation, Joining } from "../contract/settings";
import { type Db, isUniqueViolation, type Tx } from "../db/client";
import {
  deleteInvitation,
  findByDigest,
  type InvitationRow,
  insertInvitation,
  isBeingMailed,
  listInvitations,
  lockInvitation,
  prolongInvitation,
} from "../db/invitations";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { renderInvitation } from "../mail/templates/render-invitation";
import { record } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { parse } from "./parse";

type Acting = Pick<Ctx, "db" | "actor" | "requestId">;
type Posting = Acting & Pick<Ctx, "outbox">;
type LinkMaker = Pick<Links, "invitationUrl">;

const digestOf = (token: string) => createHash("sha256").update(token).digest("hex");
const tokenOf = (url: string) => url.slice(url.lastIndexOf("/") + 1);

const closed = () => new AppError("not_found", "There is no such invitation any more.");

/** Who has been invited and has not joined, with what became of the last mail to each. */
export async function invitationsOf({ db }: Pick<Ctx, "db">, accountId: string) {
  const rows = await listInvitations(db, accountId);
  const [staff, mails] = await Promise.all([
    db.staffMember.findMany({ where: { accountId }, select: { id: true, name: true } }),
    db.mail.findMany({
      where: { invitationId: { in: rows.map((row) => row.id) } },
      orderBy: { id: "desc" },
      distinct: ["invitationId"],
      omit: { html: true, text: true },
    }),
  ]);
  const names = new Map(staff.map(({ id, name }) => [id, name]));
  const mailOf = new Map(mails.map((mail) => [mail.invitationId, mail]));
  return rows.map(({ id, email, role, createdAt, expiresAt, expired, invitedBy }) => {
    const mail = mailOf.get(id);
    return {
      id,
      email,
      role,
      createdAt,
      expiresAt,
      expired,
      invitedBy: (invitedBy && names.get(invitedBy)) || null,
      mail: mail
        ? {
            state: mail.state,
            reason: mail.bounceReason ?? mail.errorMessage,
            at: mail.bouncedAt ?? mail.deliveredAt ?? mail.finishedAt ?? mail.createdAt,
            delayedAt: mail.delayedAt,
            deliveredAt: mail.deliveredAt,
            bouncedAt: mail.bouncedAt,
            complainedAt: mail.complainedAt,
          }
        : null,
    };
  });
}

/** Writes the invitation's mail into the outbox, in the transaction of what it tells of. */
async function post(
  ctx: Posting,
  tx: Tx,
  links: LinkMaker,
  row: Omit<InvitationRow, "digest" | "createdAt">,
) {
  const { id: invitationId, email, role, accountId, invitedBy, expiresAt } = row;
  const [account, by] = await Promise.all([
    tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { name: true } }),
    invitedBy
      ? tx.staffMember.findUnique({ where: { id: invitedBy }, select: { name: true, email: true } })
      : null,
  ]);
  const mail = await renderInvitation({
    accountName: account.name,
    role,
    by,
    url: links.invitationUrl(invitationId),
  });
  await ctx.outbox.postToStaff(tx, { kind: "invitation", invitationId, toEmail: email, expiresAt, ...mail });
}

/**
 * Invites somebody for 7 days, by mail. @returns the link in it, which is theirs alone
 * @throws AppError validation_error
 */
export async function invite(
  ctx: Posting,
  links: LinkMaker,
  accountId: string,
  input: Invitation,
): Promise<{ url: string }> {
  const { email, role } = parse(Invitation, input);
  const reject = (message: string) =>
    new AppError("validation_error", message, { errors: { email: [message] } });
  return withTransaction(ctx, async (tx) => {
    if (await tx.staffMember.findUnique({ where: { email: email.canonical }, select: { id: true } }))
      throw reject(KNOWN);
    const open = await listInvitations(tx, accountId);
    if (open.some((row) => row.email === email.canonical))
      throw reject("This address is invited already. Send that invitation again, or withdraw it.");
    const id = newId();
    const url = links.invitationUrl(id);
    const invitedBy = ctx.actor.kind === "staff" ? ctx.actor.id : null;
    const invited = { accountId, email: email.canonical, role, invitedBy };
    const expiresAt = await insertInvitation(tx, id, digestOf(tokenOf(url)), invited);
    await post(ctx, tx, links, { id, ...invited, expiresAt, expired: false });
    await record(ctx, tx, {
      accountId,
      action: "staff.invited",
      subjectId: id,
      detail: { email: email.canonical, role },
    });
    return { url };
  });
}

/** Mails an invitation again, for another 7 days, with the same link. @throws AppError not_found, validation_error */
export async function inviteAgain(
  ctx: Posting,
  links: LinkMaker,
  accountId: string,
  id: string,
): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const row = await lockInvitation(tx, accountId, id);
    if (!row) throw closed();
    if (!isDerived(links, row)) throw madeEarlier();
    if (await isBeingMailed(tx, id)) {
      throw new AppError(
        "validation_error",
        "The invitation is on its way, or left less than a minute ago. Wait a minute, then send it again.",
      );
    }
    await post(ctx, tx, links, { ...row, expiresAt: await prolongInvitation(tx, id) });
    await record(ctx, tx, {
      accountId,
      action: "staff.invited_again",
      subjectId: id,
      detail: { email: row.email, role: row.role },
    });
  });
}

/** Whether the link can be made again out of the id; those of older invitations were random, and kept nowhere. */
function isDerived(links: LinkMaker, row: InvitationRow): boolean {
  return digestOf(tokenOf(links.invitationUrl(row.id))) === row.digest;
}

const madeEarlier = () =>
  new AppError(
    "validation_error",
    "This invitation's link was shown once and is kept nowhere. Withdraw it and invite them anew.",
  );

/** The link of an invitation, and its last mail as it looks. @throws AppError not_found, validation_error */
export async function getInvitation(ctx: Pick<Ctx, "db">, links: LinkMaker, accountId: string, id: string) {
  const row = (await listInvitations(ctx.db, accountId)).find((one) => one.id === id);
  if (!row) throw closed();
  if (!isDerived(links, row)) throw madeEarlier();
  const mail = await ctx.db.mail.findFirst({
    where: { invitationId: id },
    orderBy: { id: "desc" },
    select: { subject: true, html: true, text: true, sender: true },
  });
  return { url: links.invitationUrl(id), mail };
}

/** Takes an invitation back, and its mails that have not left. @throws AppError not_found */
export async function withdraw(ctx: Acting, accountId: string, id: string): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const row = await lockInvitation(tx, accountId, id);
    if (!row || !(await deleteInvitation(tx, id))) throw closed();
    await record(ctx, tx, { accountId, action: "staff.invitation_withdrawn", subjectId: id });
  });
}

/** Whom a link invites, or null when it is used, withdrawn or too old. */
export async function findInvitation(db: Db | Tx, token: string) {
  const row = await findByDigest(db, digestOf(token));
  if (!row) return null;
  const { id, accountId, email, role } = row;
  const account = await db.account.findUnique({ where: { id: accountId }, select: { name: true } });
  return account && { id, accountId, email, role, accountName: account.name };
}

const KNOWN = "Somebody signs in with this address already.";

/** Makes the invited person a staff member, once. @throws AppError not_found, validation_error */
export async function join(ctx: Acting, token: string, input: Joining): Promise<{ email: string }> {
  const { name, password } = parse(Joining, input);
  const passwordHash = await hashPassword(password);
  try {
    return await withTransaction(ctx, async (tx) => {
      const invitation = await findInvitation(tx, token);
      // Deleting is what decides between two who come at once.
      if (!invitation || !(await deleteInvitation(tx, invitation.id))) {
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
    if (!isUniqueViolation(error)) throw error;
    throw new AppError("validation_error", KNOWN, { errors: { email: [KNOWN] } });
  }
}
