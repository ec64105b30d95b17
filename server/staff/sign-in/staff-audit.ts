import type { AuditAction } from "../../accounts/schema/audit-actions";
import { findOnlyAccount, insertAudit } from "../../accounts/shared-queries";
import { maskEmail } from "../../kernel/email";
import type { Db } from "../../platform/db/client";
import { findStaffByEmail } from "../queries/staff";

type Who = { id: string; accountId: string | null };

/** Notes what somebody did with their own sign-in. The library has committed it by then: its tables take no transaction of ours. */
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
 * Notes that failed sign-ins from one address have locked it. It is an entry of the account whose staff member was tried
 * last, and of the installation's only account when nobody has that address.
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
