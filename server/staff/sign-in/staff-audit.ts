import type { AuditAction } from "../../accounts/schema/audit-actions";
import { findOnlyAccount, insertAudit } from "../../accounts/shared-queries";
import { maskEmail } from "../../kernel/email";
import type { Db } from "../../platform/db/client";
import { findStaffByEmail } from "../queries/staff";

type Who = { id: string; accountId: string | null };

/**
 * Records a staff member's change to their own sign-in. The entry follows the library's commit, because the library's
 * tables can't join our transactions.
 */
export function recordOwnSignIn(
  db: Db,
  staff: Who,
  action: AuditAction,
  address: string | null,
): Promise<void> {
  const { id, accountId } = staff;
  return insertAudit(db, { accountId, actorKind: "staff", actorId: id, action, subjectId: id, address });
}

/**
 * Records that failed sign-ins have locked an address. The entry belongs to the account of the staff member who was
 * tried last. For an unknown address, the entry belongs to the installation's only account.
 */
export async function recordLockedSignIn(
  db: Db,
  { email, failures, address }: { email: string; failures: number; address: string | null },
): Promise<void> {
  const staff = await findStaffByEmail(db, email.trim().toLowerCase());
  const accountId = staff?.accountId ?? (await findOnlyAccount(db))?.id ?? null;
  await insertAudit(db, {
    accountId,
    actorKind: "visitor",
    action: "staff.sign_in_locked",
    subjectId: staff?.id ?? null,
    detail: { failures, email: maskEmail(email.slice(0, 320)) },
    address,
  });
}
