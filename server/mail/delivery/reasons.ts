import { uncertainAfterHours } from "../../kernel/durations";
import { suppressionSentences } from "../../suppressions/schema/suppression-messages";
import type { BudgetCode } from "../schema/mail-budgets";
import type { DeliveryOutcome } from "./provider";

/** Why a mail is cancelled, in words for the staff. */
export const cancelReasons = {
  superseded: "Replaced by a newer email of this kind.",
  not_pending: "The person is no longer pending, so there is nothing to confirm.",
  address_changed: "The person's address was changed after this email was requested.",
  suppressed: "The address is suppressed. It receives no email, or already received its one confirmation.",
  complained: suppressionSentences.complained,
  bounced: suppressionSentences.bounced,
  archived: "The newsletter was archived or deleted before this email was sent.",
  taken_back: "Cancelled by staff before it was sent, together with all emails of the same action.",
  restored:
    "Cancelled by the operator: the email is from a backup and may have been sent after the backup. Send a new confirmation if the person has none.",
  link_expired: "The email waited so long that its link expired. Send a new confirmation.",
  not_active: "The person is no longer active, so no welcome email was sent.",
  welcome_off: "The welcome email was turned off before this one was sent.",
  welcome_late: "The welcome email waited too many days and was not sent.",
  preferences_late: "The email waited for a day and was not sent. The person can request a new link.",
};
export type CancelReason = keyof typeof cancelReasons;

/** Why a mail is deferred by its person's limit. */
export const deferReasons = {
  person_minute:
    "Delayed: one person receives at most one confirmation a minute, across all newsletters and spellings of the address. It is sent when this limit allows it.",
  person_day:
    "Delayed: one person receives at most three confirmations a day, across all newsletters and spellings of the address. It is sent when this limit allows it.",
  mailing: "Delayed by the undo window for bulk emails. Staff can cancel it until then.",
};

/** Why a mail over a daily budget is deferred. */
export function budgetReason({
  code,
  domain,
  budget,
}: {
  code: BudgetCode;
  domain: string | null;
  budget: number;
}): string {
  const most = new Intl.NumberFormat("en").format(budget);
  const to = code === "domain_day" ? `to ${domain} for sign-ups` : `to ${domain}`;
  const where = domain === null ? "of this newsletter" : to;
  return `Delayed by the limit of ${most} confirmations a day ${where}. It is sent on the next day with room, or when staff raise the limit.`;
}

/**
 * Why a mail is uncertain. Resend recognizes repeats by their idempotency key for 24 hours. SMTP has no such key, so an
 * ambiguous mail is never repeated.
 */
export const uncertainReason = ({ uncertainAfterSeconds }: { uncertainAfterSeconds: number }): string =>
  uncertainAfterSeconds > 0
    ? `Resend’s answer was ambiguous for ${uncertainAfterHours} hours, so the email may have arrived. It is not retried, so that it can't arrive twice. Send a new confirmation if the person has none.`
    : "The connection to the mail server broke during sending, so the email may have arrived. It is not retried, so that it can't arrive twice. Send a new confirmation if the person has none.";

export const MISMATCH =
  "Resend already has this request with different content, so the email may have arrived. It is not retried. Send a new confirmation if the person has none.";

/** Why a single mail was rejected. */
export function rejection(message: string): string {
  return `Rejected by the email provider: ${message || "it gave no reason"}`;
}

/** Why Resend could not send a mail that it had accepted. */
export function notSent(reason: string | null): string {
  return `Resend accepted this email but could not send it: ${reason || "it gave no reason"}`;
}

export type Delay = Exclude<DeliveryOutcome, { kind: "accepted" | "rejected" | "mismatch" }>;

/** Why a mail in a batch is not sent yet. */
export function delay(outcome: Delay): string {
  switch (outcome.kind) {
    case "throttled":
      return outcome.quota
        ? `The limit of your Resend plan is reached. The email is sent when Resend accepts more. Resend says: ${outcome.message}`
        : "The email provider asked to slow down. The email is sent soon.";
    case "blocked":
      return `The email provider accepts no email from this account. The email is sent once that is fixed. The provider says: ${outcome.message}`;
    case "later":
      return `Delayed by the mail server. Rollcall is retrying. The server says: ${outcome.message}`;
    case "ambiguous":
      return `Resend’s answer was ambiguous. Rollcall repeats the same request, which can't send the email twice. Last answer: ${outcome.message}`;
  }
}
