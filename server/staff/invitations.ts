import { record } from "../accounts/audit";
import { type ActorContext, actorOf, staffIdOf, withTransaction } from "../accounts/context";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { AppError, invalidField, noLongerExists, parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { linkDigest } from "../kernel/secrets";
import type { MailContext } from "../mail/context";
import type { SignedLinks } from "../mail/signed-links";
import { renderInvitation } from "../mail/templates/render-invitation";
import { type Db, isUniqueViolation, type Tx } from "../platform/db/client";
import { checkNewPassword } from "./password-rules";
import {
  type DeletedInvitation,
  deleteInvitations,
  findInvitationByDigest,
  insertInvitation,
  isBeingMailed,
  listOpenInvitations,
  prolongInvitation,
  updateInvitationDigest,
} from "./queries/invitations";
import { findStaffByEmail, insertStaffMember } from "./queries/staff";
import { hasRight, type Role } from "./schema/roles";
import { Invitation, Joining } from "./schema/staff";
import { hashPassword } from "./sign-in/password-hashing";

type LinkContext = { links: Pick<SignedLinks, "invitationLink" | "findInvitationUrl"> };
type InvitationContext = ActorContext & LinkContext & Pick<MailContext, "outbox">;
type OfInvitation = { accountId: string; id: string };

const usedUp = () =>
  new AppError("not_found", "This invitation was used or withdrawn, or has expired. Ask for a new one.");
const alreadyStaff = () => invalidField("email", "Another staff member already uses this address.");

/** Lists open and recently expired invitations, with the delivery status of the last email to each person. */
export async function listInvitations(
  { db }: Pick<InvitationContext, "db">,
  { accountId }: { accountId: string },
) {
  const rows = await listOpenInvitations(db, { accountId });
  return rows.map(({ id, email, role, createdAt, expiresAt, expired, inviter, mail }) => ({
    id,
    email,
    role: role as Role,
    createdAt,
    expiresAt,
    expired,
    invitedBy: inviter?.name ?? null,
    mail: mail && {
      state: mail.state,
      reason: mail.bounceReason ?? mail.errorMessage,
      at: mail.bouncedAt ?? mail.deliveredAt ?? mail.finishedAt ?? mail.createdAt,
      delayedAt: mail.delayedAt,
      deliveredAt: mail.deliveredAt,
      bouncedAt: mail.bouncedAt,
      complainedAt: mail.complainedAt,
    },
  }));
}

type InvitationToMail = Awaited<ReturnType<typeof insertInvitation>>;

/** Writes the invitation email into the outbox, in the caller's transaction. */
async function postInvitation(
  ctx: InvitationContext,
  tx: Tx,
  { invitation, url }: { invitation: InvitationToMail; url: string },
): Promise<void> {
  const { id, email, role, account, inviter, expiresAt } = invitation;
  const mail = await renderInvitation({ accountName: account.name, role: role as Role, by: inviter, url });
  await ctx.outbox.postToStaff(tx, {
    kind: "invitation",
    invitationId: id,
    toEmail: email,
    linkExpiresAt: expiresAt,
    ...mail,
  });
}

/**
 * Invites a person by email, for 7 days. @returns the link in the email
 * @throws AppError validation_error
 */
export async function invite(
  ctx: InvitationContext,
  { accountId, invitation }: { accountId: string; invitation: Invitation },
): Promise<{ url: string }> {
  const { email, role } = parse(Invitation, invitation);
  return withTransaction(ctx, async (tx) => {
    if (await findStaffByEmail(tx, email.canonical)) throw alreadyStaff();
    if ((await listOpenInvitations(tx, { accountId, email: email.canonical })).length > 0)
      throw invalidField(
        "email",
        "This address is already invited. Send that invitation again or withdraw it.",
      );
    const id = newId();
    const { url, digest } = ctx.links.invitationLink(id);
    const row = { id, accountId, email: email.canonical, role, digest, invitedBy: staffIdOf(ctx) };
    const made = await insertInvitation(tx, row);
    await postInvitation(ctx, tx, { invitation: made, url });
    await recordInvitation(ctx, tx, "staff.invited", made);
    return { url };
  });
}

/**
 * Mails an invitation again, for another 7 days. The link stays the same, unless AUTH_SECRET was rotated.
 * @throws AppError not_found, validation_error
 */
export async function inviteAgain(ctx: InvitationContext, { accountId, id }: OfInvitation): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const invitation = await prolongInvitation(tx, { id, accountId });
    if (!invitation) throw noLongerExists("invitation");
    if (await isBeingMailed(tx, id)) {
      throw new AppError(
        "validation_error",
        "The invitation is queued or was sent less than a minute ago. Wait a minute, then send it again.",
      );
    }
    const { url, digest } = ctx.links.invitationLink(id);
    await updateInvitationDigest(tx, { id, digest });
    await postInvitation(ctx, tx, { invitation, url });
    await recordInvitation(ctx, tx, "staff.invited_again", invitation);
  });
}

/** Returns an invitation's link and last email. @throws AppError not_found, validation_error */
export async function getInvitation(
  ctx: Pick<InvitationContext, "db"> & LinkContext,
  { accountId, id }: OfInvitation,
) {
  const [invitation] = await listOpenInvitations(ctx.db, { accountId, id });
  if (!invitation) throw noLongerExists("invitation");
  const url = ctx.links.findInvitationUrl(id, invitation.digest);
  if (!url) {
    throw new AppError(
      "validation_error",
      "AUTH_SECRET has changed since this link was created, so the link can't be shown. The link in the email still works. Send the invitation again to create a new link.",
    );
  }
  const { mail } = invitation;
  return {
    url,
    mail: mail && { subject: mail.subject, html: mail.html, text: mail.text, sender: mail.sender },
  };
}

/** Withdraws an invitation and deletes its emails. @throws AppError not_found */
export async function withdrawInvitation(ctx: ActorContext, { accountId, id }: OfInvitation): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    if ((await withdraw(ctx, tx, { id, accountId })).length === 0) throw noLongerExists("invitation");
  });
}

/**
 * Withdraws one invitation, or all invitations of one staff member, in the caller's transaction.
 * @returns the withdrawn invitations
 */
export async function withdraw(
  ctx: Pick<InvitationContext, "actor" | "requestId">,
  tx: Tx,
  which: Parameters<typeof deleteInvitations>[1],
): Promise<DeletedInvitation[]> {
  const withdrawn = await deleteInvitations(tx, which);
  for (const one of withdrawn)
    await recordInvitation(ctx, tx, "staff.invitation_withdrawn", { ...one, accountId: which.accountId });
  return withdrawn;
}

const recordInvitation = (
  ctx: Pick<InvitationContext, "actor" | "requestId">,
  tx: Tx,
  action: AuditAction,
  { id, accountId, email, role }: DeletedInvitation & { accountId: string },
) => record(ctx, tx, { accountId, action, subjectId: id, detail: { email, role } });

/** Returns a link's invitation, or null when it is used, withdrawn or expired. */
export async function findInvitation({ db }: { db: Db | Tx }, { token }: { token: string }) {
  const found = await findInvitationByDigest(db, linkDigest(token));
  if (!found) return null;
  // The invitation may be made just as the inviter loses the right to invite. Such an invitation is invalid.
  if (found.inviter && !hasRight(found.inviter.role as Role, "manage")) return null;
  const { id, accountId, email, role, account } = found;
  return { id, accountId, email, role: role as Role, accountName: account.name };
}

/** Makes the invited person a staff member, once. @throws AppError not_found, validation_error */
export async function join(
  ctx: ActorContext,
  { token, joining }: { token: string; joining: Joining },
): Promise<{ email: string }> {
  const { name, password } = parse(Joining, joining);
  const open = await findInvitation(ctx, { token });
  if (!open) throw usedUp();
  checkNewPassword(password, [name, open.email, open.accountName]);
  const passwordHash = await hashPassword(password);
  try {
    return await withTransaction(ctx, async (tx) => {
      const invitation = await findInvitation({ db: tx }, { token });
      // Only one of two simultaneous requests deletes the row.
      const used = invitation && { id: invitation.id, accountId: invitation.accountId };
      if (!used || (await deleteInvitations(tx, used)).length === 0) throw usedUp();
      const { accountId, email, role } = invitation;
      const id = newId();
      await insertStaffMember(tx, { id, accountId, email, name, role, passwordHash });
      // From here the new staff member is the actor.
      const { address } = actorOf(ctx);
      const joined = { ...ctx, actor: { kind: "staff", id, accountId, role, address } as const };
      await record(joined, tx, { accountId, action: "staff.joined", subjectId: id, detail: { role } });
      return { email };
    });
  } catch (error) {
    throw isUniqueViolation(error) ? alreadyStaff() : error;
  }
}
