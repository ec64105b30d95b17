import { findAccount } from "../../accounts/shared-queries";
import type { Db } from "../../platform/db/client";
import { checkNewPassword } from "../password-rules";
import { deleteStaffLinks } from "../queries/staff-links";
import type { NoticeContext } from "./staff-notices";

type Who = { email: string; name: string; accountId: string };

/** Rejects a staff member's new password that attackers try first. @throws AppError validation_error on `field` */
export async function checkOwnNewPassword(
  db: Db,
  { email, name, accountId }: Who,
  { password, field }: { password: string; field: string },
): Promise<void> {
  const account = await findAccount(db, accountId);
  checkNewPassword(password, [email, name, account?.name ?? ""], field);
}

/** Ends pending reset links after a password change, and notifies the staff member by email. */
export async function endOldPassword(
  { db, notify }: Pick<NoticeContext, "db" | "notify">,
  staff: { id: string; email: string },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await deleteStaffLinks(tx, staff.id);
    await notify(tx, staff, { kind: "password_changed", by: "you", at: new Date() });
  });
}
