import type { BulkActionKind } from "../../bulk-actions/schema/bulk-actions";

/** The filters of the audit log. Each filter lists the first parts of its actions' names. */
export const auditAreas = {
  people: ["people", "subscriber", "suppressions", "suppression"],
  imports: ["import"],
  mails: ["mails", "mail", "mail_service"],
  api: ["api_key", "api_access", "webhook"],
  newsletter: ["newsletter", "field", "tag", "segment"],
  staff: ["staff", "second_factor", "account"],
} as const;
export type AuditArea = keyof typeof auditAreas;
export const auditAreaNames = Object.keys(auditAreas) as [AuditArea, ...AuditArea[]];

type Written = "created" | "changed";

/** An action in the audit log. The screen has a text for each action. */
export type AuditAction =
  | "account.created"
  | `api_access.${"on" | "off"}`
  | `second_factor.${"required" | "optional"}`
  // Only old entries say that a lockout was lifted, or that emails were released.
  | `api_key.${"created" | "revoked" | "rotated" | "lockout_lifted"}`
  | `newsletter.${Written | "archived" | "deleted" | "reopened" | "removed"}`
  | `newsletter.${"confirmation" | "welcome" | "pending" | "sign_up_page"}_changed`
  | `webhook.${Written | "on" | "off" | "failed" | "rotated" | "removed" | "repeated" | "skipped"}`
  | `${"field" | "segment"}.${Written | "deleted"}`
  | `tag.${"changed" | "merged" | "deleted"}`
  | "mail.test"
  | `mail_service.${"set" | "removed"}`
  | `mails.${"paused" | "resumed" | "released" | "retried" | "taken_back"}`
  | `import.${"done" | "cancelled" | "undone"}`
  | `people.${BulkActionKind | "undone" | "exported" | "expired" | "reminded" | "link_read" | "mail_allowed"}`
  | "suppressions.added"
  | "suppression.removed"
  | `subscriber.${"exported" | "address_changed" | "note_changed" | "denied"}`
  | `staff.${"signed_in" | "signed_out" | "sign_in_locked" | "sign_in_failures" | "new_device"}`
  | `staff.${"password_changed" | "renamed" | "email_asked" | "email_changed"}`
  | `staff.${"reset_mailed" | "password_reset" | "session_ended"}`
  | `staff.${"app_added" | "app_removed" | "passkey_added" | "passkey_removed"}`
  | `staff.${"recovery_codes_made" | "factors_removed"}`
  | `staff.${"invited" | "invited_again" | "invitation_withdrawn" | "joined" | "role" | "removed"}`;
