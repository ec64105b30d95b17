import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { resetLinkMinutes } from "../kernel/durations";
import { AppError, parse } from "../kernel/errors";
import type { Secrets } from "../kernel/secrets";
import type { NotifyStaff } from "../mail/notices";
import type { Db, Tx } from "../platform/db/client";
import { lockoutSubject } from "../platform/limits/caller-address";
import { checkOwnNewPassword } from "./password-rules";
import { deleteSessions, findStaffByEmail, findStaffMember, updatePassword } from "./queries/staff";
import { deleteStaffLink, deleteStaffLinks, findStaffLink, insertStaffLink } from "./queries/staff-links";
import { NewPassword } from "./schema/staff";
import { removeSecondFactors } from "./second-factors";
import { hashPassword } from "./sign-in/password-hashing";
import { countTryOf, forgetTriesOf } from "./sign-in/staff-tries";
import { getStaffByEmail } from "./staff";

type NotifyContext = ActorContext & { notify: NotifyStaff; authSecrets: Secrets; appUrl: string };

const purpose = "reset password";
const closed = () =>
  new AppError(
    "not_found",
    "This link was already used or has expired. Request a new one. Nothing was changed.",
  );

/**
 * Counts a request for a reset email, once for the caller's address and once for the named account. Unknown accounts
 * count too.
 * @throws AppError rate_limit_exceeded
 */
export async function countResetMail(
  ctx: { db: Db; authSecrets: Secrets },
  { email, address }: { email: string; address: string | null },
): Promise<void> {
  const tries = [
    await countTryOf(ctx, "mails from an address", lockoutSubject(address)),
    await countTryOf(ctx, "mails of an account", email.trim().toLowerCase()),
  ];
  const waits = tries.flatMap((tried) => ("waitSeconds" in tried ? [tried.waitSeconds] : []));
  if (waits.length === 0) return;
  const retryAfterSeconds = Math.max(...waits);
  const message = `This email was requested several times. Check your spam folder. You can request another one in ${Math.ceil(retryAfterSeconds / 60)} minutes.`;
  throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds });
}

/** Mails a password reset link. Does nothing when no staff member has the address. */
export async function mailReset(ctx: NotifyContext, { email }: { email: string }): Promise<void> {
  await withTransaction(ctx, async (tx) => {
    const staff = await findStaffByEmail(tx, email.trim().toLowerCase());
    if (!staff) return;
    const token = await insertStaffLink(tx, purpose, { staffId: staff.id, email: "" });
    const url = `${ctx.appUrl}/reset/${token}`;
    await ctx.notify(tx, staff, { kind: "reset", url, minutes: resetLinkMinutes });
    const { accountId, id, name } = staff;
    await record(ctx, tx, { accountId, action: "staff.reset_mailed", subjectId: id, detail: { name } });
  });
}

/** Returns the staff member of a reset link, or null when the link is used, withdrawn or expired. Changes nothing. */
export async function readReset({ db }: { db: Db }, { token }: { token: string }) {
  const link = await findStaffLink(db, { purpose, token });
  const staff = link && (await findStaffMember(db, { id: link.staffId }));
  return staff && { email: staff.email };
}

type Staff = NonNullable<Awaited<ReturnType<typeof findStaffMember>>>;

/** Sets a new password and deletes the staff member's sessions and pending links. */
async function setPassword(ctx: NotifyContext, tx: Tx, staff: Staff, passwordHash: string): Promise<void> {
  const { id, accountId, name } = staff;
  await updatePassword(tx, id, passwordHash);
  await deleteSessions(tx, { staffId: id });
  await deleteStaffLinks(tx, id);
  const by = ctx.actor.kind === "operator" ? "operator" : "you";
  await ctx.notify(tx, staff, { kind: "password_changed", by, at: new Date() });
  await record(ctx, tx, { accountId, action: "staff.password_reset", subjectId: id, detail: { name } });
}

/**
 * Sets a new password with a mailed reset link, which works once.
 * @throws AppError not_found, validation_error on `password`
 */
export async function resetPassword(
  ctx: NotifyContext,
  input: { token: string; password: string },
): Promise<{ email: string }> {
  const { password } = parse(NewPassword, { password: input.password });
  const link = { purpose, token: input.token } as const;
  const found = await findStaffLink(ctx.db, link);
  const staff = found && (await findStaffMember(ctx.db, { id: found.staffId }));
  if (!staff) throw closed();
  await checkOwnNewPassword(ctx.db, staff, password);
  const passwordHash = await hashPassword(password);
  await withTransaction(ctx, async (tx) => {
    // Only one of two simultaneous requests deletes the row.
    if (!(await deleteStaffLink(tx, link))) throw closed();
    await setPassword(ctx, tx, staff, passwordHash);
  });
  await forgetTriesOf(ctx, "password", staff.email);
  return { email: staff.email };
}

/**
 * Sets a staff member's password, for the operator.
 * @param withoutSecondFactor also removes their authenticator app and passkeys
 * @throws AppError not_found, validation_error on `password`
 */
export async function resetPasswordOf(
  ctx: NotifyContext,
  input: { email: string; password: string; withoutSecondFactor: boolean },
): Promise<{ id: string; email: string; name: string }> {
  const { password } = parse(NewPassword, { password: input.password });
  const staff = await getStaffByEmail(ctx, input);
  await checkOwnNewPassword(ctx.db, staff, password);
  const passwordHash = await hashPassword(password);
  await withTransaction(ctx, async (tx) => {
    await setPassword(ctx, tx, staff, passwordHash);
    if (input.withoutSecondFactor) await removeSecondFactors({ ...ctx, tx }, staff);
  });
  await forgetTriesOf(ctx, "password", staff.email);
  return { id: staff.id, email: staff.email, name: staff.name };
}
