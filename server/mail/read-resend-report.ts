import type { ProviderReport, ReportKind, ResendReport } from "./schema/resend-report";
import { headerLine } from "./sender";

const LONGEST_DETAIL = 500;

/** A Resend report in our own terms; null for unused events: opened, clicked, and any new ones. */
export function reportOf(webhookId: string, event: ResendReport | null): ProviderReport | null {
  const kind = event && kindOf(event);
  if (!kind || webhookId.length > 200) return null;
  const { data, created_at } = event;
  const reason = data.bounce?.message ?? data.failed?.reason ?? data.suppressed?.message;
  const at = new Date(created_at);
  return {
    id: webhookId,
    providerId: data.email_id,
    kind,
    at: Number.isNaN(at.getTime()) ? new Date() : at,
    detail: reason ? headerLine(reason, LONGEST_DETAIL) : null,
  };
}

const kinds = new Map<string, ReportKind>([
  ["email.delivered", "delivered"],
  ["email.delivery_delayed", "delayed"],
  ["email.complained", "complained"],
  ["email.failed", "failed"],
  // Resend no longer writes to the address: it bounced or complained in another account.
  ["email.suppressed", "bounced"],
]);

/** Null for other events. email.sent repeats the answer to our own request. */
function kindOf({ type, data }: ResendReport): ReportKind | null {
  if (type !== "email.bounced") return kinds.get(type) ?? null;
  // "Transient" and "Undetermined" are not about the address: a full mailbox, a message too large.
  return (data.bounce?.type ?? "Permanent").toLowerCase() === "permanent" ? "bounced" : "rejected";
}
