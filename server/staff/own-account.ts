import { record } from "../accounts/audit";
import { type ActorContext, withTransaction } from "../accounts/context";
import { emailLinkMinutes } from "../kernel/durations";
import { AppError, invalidField, parse } from "../kernel/errors";
import type { Language } from "../kernel/languages";
import type { Secrets } from "../kernel/secrets";
import type { ReadMailService } from "../mail/delivery/provider";
import type { NotifyStaff } from "../mail/notices";
import { type Db, isUniqueViolation } from "../platform/db/client";
import { findStaffByEmail, findStaffMember, updateStaffMember } from "./queries/staff";
import { deleteStaffLink, deleteStaffLinks, findStaffLink, insertStaffLink } from "./queries/staff-links";
import { NewEmail, OwnName } from "./schema/staff";
import { countTryOf } from "./sign-in/staff-tries";

type OwnContext = ActorContext & {
  notify: NotifyStaff;
  authSecrets: Secrets;
  appUrl: string;
  mailService: ReadMailService;
};
type Own = { id: string; accountId: string };

const purpose = "confirm email";
const emailError = (message: string) => invalidField("email", message);
const isTaken = () => emailError("Another staff member already uses this address. Nothing was changed.");

/** Changes a staff member's name. @throws AppError validation_error on `name` */
export async function rename(
  ctx: ActorContext,
  { id, accountId, name }: Own & { name: string },
): Promise<void> {
  const given = parse(OwnName, { name });
  await withTransaction(ctx, async (tx) => {
    await updateStaffMember(tx, id, { name: given.name });
    const detail = { name: given.name };
    await record(ctx, tx, { accountId, action: "staff.renamed", subjectId: id, detail });
  });
}

/** Sets the language of the dashboard; null means the browser's language. */
export const setLanguage = (
  { db }: Pick<ActorContext, "db">,
  { id, language }: { id: string; language: Language | null },
): Promise<void> => updateStaffMember(db, id, { language });

/**
 * Mails a confirmation link to a staff member's new sign-in address. The old address works until the link is confirmed.
 * @throws AppError validation_error on `email`, rate_limit_exceeded
 */
export async function askForEmail(
  ctx: OwnContext,
  { id, accountId, email }: Own & { email: string },
): Promise<void> {
  const { email: given } = parse(NewEmail, { email });
  if (!(await ctx.mailService()).transport)
    throw emailError("Email is not set up, so you can't confirm another address. Nothing was changed.");
  const taken = await findStaffByEmail(ctx.db, given.canonical);
  if (taken) throw taken.id === id ? emailError("This is already your sign-in address.") : isTaken();
  const tried = await countTryOf(ctx, "mails of an account", id);
  if ("waitSeconds" in tried) {
    const message = `You have requested several such emails. Try again in ${Math.ceil(tried.waitSeconds / 60)} minutes.`;
    throw new AppError("rate_limit_exceeded", message, { retryAfterSeconds: tried.waitSeconds });
  }
  await withTransaction(ctx, async (tx) => {
    const token = await insertStaffLink(tx, purpose, { staffId: id, email: given.canonical });
    const url = `${ctx.appUrl}/confirm-email/${token}`;
    const to = { id, email: given.canonical };
    await ctx.notify(tx, to, { kind: "confirm_email", url, minutes: emailLinkMinutes });
    const detail = { email: given.canonical };
    await record(ctx, tx, { accountId, action: "staff.email_asked", subjectId: id, detail });
  });
}

/** Returns the address that a link confirms, or null when the link is used, withdrawn or expired. Changes nothing. */
export async function readEmailLink({ db }: { db: Db }, { token }: { token: string }) {
  const link = await findStaffLink(db, { purpose, token });
  return link && { email: link.email };
}

/**
 * Makes the link's address the sign-in address and notifies the old address. All other links of the staff member end.
 * @throws AppError not_found, validation_error when another staff member has the address by now
 */
export async function confirmEmail(
  ctx: OwnContext,
  { token }: { token: string },
): Promise<{ email: string }> {
  const link = { purpose, token } as const;
  const closed = new AppError("not_found", "This link was already used or has expired. Nothing was changed.");
  try {
    return await withTransaction(ctx, async (tx) => {
      const found = await findStaffLink(tx, link);
      const staff = found && (await findStaffMember(tx, { id: found.staffId }));
      if (!staff || !(await deleteStaffLink(tx, link))) throw closed;
      const { id, accountId, email: old, name } = staff;
      await updateStaffMember(tx, id, { email: found.email, emailVerified: true });
      // The first owner's name is their address, so the name changes with the address.
      if (name.toLowerCase() === old) await updateStaffMember(tx, id, { name: found.email });
      await deleteStaffLinks(tx, id);
      await ctx.notify(tx, staff, { kind: "email_changed", to: found.email });
      const detail = { from: old, to: found.email };
      await record(ctx, tx, { accountId, action: "staff.email_changed", subjectId: id, detail });
      return { email: found.email };
    });
  } catch (error) {
    throw isUniqueViolation(error) ? isTaken() : error;
  }
}
