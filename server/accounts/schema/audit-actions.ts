import type { BulkActionKind } from "../../bulk-actions/schema/bulk-actions";

/** The filters of the audit log. Each filter lists the first parts of its actions' names. */
export const auditAreas = {
  people: ["people", "subscriber", "suppressions", "suppression"],
  imports: ["import"],
  mails: ["mails", "mail", "mail_service"],
  api: ["api_key", "api_access", "webhook"],
  newsletter: ["newsletter", "field", "segment"],
  staff: ["staff", "second_factor", "account"],
} as const;
export type AuditArea = keyof typeof auditAreas;
export const auditAreaNames = Object.keys(auditAreas) as [AuditArea, ...AuditArea[]];

/** An action in the audit log. The screen has a text for each action. */
export type AuditAction =
  | "account.created"
  | "api_access.on"
  | "api_access.off"
  | "second_factor.required"
  | "second_factor.optional"
  | "api_key.created"
  | "api_key.revoked"
  | "api_key.rotated"
  // Only old entries have this action.
  | "api_key.lockout_lifted"
  | "newsletter.created"
  | "newsletter.changed"
  | "newsletter.archived"
  | "newsletter.deleted"
  | "newsletter.reopened"
  | "newsletter.removed"
  | "newsletter.confirmation_changed"
  | "newsletter.welcome_changed"
  | "newsletter.pending_changed"
  | "newsletter.sign_up_page_changed"
  | "webhook.created"
  | "webhook.changed"
  | "webhook.on"
  | "webhook.off"
  | "webhook.failed"
  | "webhook.rotated"
  | "webhook.removed"
  | "webhook.repeated"
  | "webhook.skipped"
  | "field.created"
  | "field.changed"
  | "field.deleted"
  | "segment.created"
  | "segment.changed"
  | "segment.deleted"
  | "mail.test"
  | "mail_service.set"
  | "mail_service.removed"
  | "mails.paused"
  | "mails.resumed"
  | "mails.released"
  | "mails.retried"
  | "mails.taken_back"
  | "import.done"
  | "import.cancelled"
  | "import.undone"
  | `people.${BulkActionKind}`
  | "people.undone"
  | "people.exported"
  | "people.expired"
  | "people.reminded"
  | "people.link_read"
  | "people.mail_allowed"
  | "suppressions.added"
  | "suppression.removed"
  | "subscriber.exported"
  | "subscriber.address_changed"
  | "subscriber.note_changed"
  | "subscriber.denied"
  | "staff.signed_in"
  | "staff.signed_out"
  | "staff.sign_in_locked"
  | "staff.sign_in_failures"
  | "staff.new_device"
  | "staff.password_changed"
  | "staff.renamed"
  | "staff.email_asked"
  | "staff.email_changed"
  | "staff.reset_mailed"
  | "staff.password_reset"
  | "staff.app_added"
  | "staff.app_removed"
  | "staff.recovery_codes_made"
  | "staff.passkey_added"
  | "staff.passkey_removed"
  | "staff.factors_removed"
  | "staff.session_ended"
  | "staff.invited"
  | "staff.invited_again"
  | "staff.invitation_withdrawn"
  | "staff.joined"
  | "staff.role"
  | "staff.removed";
