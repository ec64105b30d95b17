import { uncertainAfterHours } from "../contract/spans";
import { suppressionSentences } from "../contract/suppressions";
import type { Mailing } from "../db/mailings";
import type { CancelReason } from "../db/mails";
import type { MailingOfMails } from "../db/new-mails";
import type { DeliveryOutcome } from "./provider";

/** Why a mail is not sent after all, in words for the staff. */
export const cancelReasons: Record<CancelReason, string> = {
  superseded: "A newer mail of this kind to the person took its place.",
  not_pending: "The person is not pending any more, so there is nothing left to confirm.",
  address_changed: "The person's address was changed after this mail was asked for.",
  suppressed: "The address is suppressed: it is not written to, or was asked once already.",
  complained: suppressionSentences.complained,
  bounced: suppressionSentences.bounced,
  archived: "The newsletter was archived or deleted before this mail left.",
  taken_back: "Cancelled by the staff before it left, together with all that were asked for with it.",
  restored:
    "Cancelled by the operator: the mail stems from a backup, and may have left after that was made. Send a new confirmation if the person has none.",
  link_expired: "The mail waited so long that its link would have arrived expired. Send a new confirmation.",
  not_active: "The person is not active any more, so there is nobody to welcome.",
  welcome_off: "The welcome mail was switched off before this one left.",
  welcome_late: "The mail waited for so many days that it would welcome nobody any more.",
  preferences_late:
    "The mail waited for a day, so nobody waits for its link any more. The person can ask for another.",
};

/** Why a mail is deferred on its person's account. */
export const deferReasons = {
  person_minute:
    "Deferred: one person gets at most one confirmation a minute, over all newsletters and spellings of the address. It is sent as soon as that allows it.",
  person_day:
    "Deferred: one person gets at most three confirmations a day, over all newsletters and spellings of the address. It is sent as soon as that allows it.",
  mailing:
    "Deferred: mails to more than one person wait for a moment, in which staff can cancel all of them.",
};

/** Why a mail is deferred that is over one of the day's budgets. */
export function overBudget({ domain, budget }: { domain: string | null; budget: number }): string {
  const most = new Intl.NumberFormat("en").format(budget);
  const where = domain === null ? "leave this newsletter" : `go to ${domain}`;
  return `Deferred: at most ${most} confirmations a day ${where}. It is sent on a day that has room for it, or when staff release it.`;
}
/** A mailing as what mails wait for. */
export const waitingFor = (mailing: Mailing): MailingOfMails => ({
  ...mailing,
  code: "mailing",
  message: deferReasons.mailing,
});

/** Of Resend, which knows repeats by their key for a day. */
export const UNCERTAIN = `Resend did not say clearly, for ${uncertainAfterHours} hours, whether it took this mail. It may have arrived or not; nothing more is tried, so that it can't arrive twice. Send a new confirmation if the person has none.`;

/** Of a mail server: SMTP has no key by which a repeat is known. */
export const UNCERTAIN_SMTP =
  "The connection to the mail server broke while it took this mail. It may have arrived or not; nothing more is tried, so that it can't arrive twice. Send a new confirmation if the person has none.";

export const MISMATCH =
  "Resend knows this request already, but with another content, so it may have arrived or not. Nothing more is tried. Send a new confirmation if the person has none.";

/** Why a single mail was rejected. */
export function rejection(message: string): string {
  return `The mail service rejects this mail: ${message || "it gave no reason"}`;
}

/** Why a mail that Resend had taken was not sent by it after all. */
export function notSent(reason: string | null): string {
  return `Resend took this mail but could not send it: ${reason || "it gave no reason"}`;
}

export type Delay = Exclude<DeliveryOutcome, { kind: "accepted" | "rejected" | "mismatch" }>;

/** Why a mail in a batch is not sent yet. */
export function delay(outcome: Delay): string {
  switch (outcome.kind) {
    case "throttled":
      return outcome.quota
        ? `The mails that the Resend plan allows are used up for now; it is sent when Resend takes more. Resend says: ${outcome.message}`
        : "The mail service asked to slow down; it is sent soon.";
    case "blocked":
      return `The mail service takes nothing from this account now; it is sent once that is fixed. It says: ${outcome.message}`;
    case "later":
      return `The mail server asks to try this mail again later; it is. It says: ${outcome.message}`;
    case "busy":
      return "Resend is still working on an earlier request for this mail; its answer is asked for again shortly.";
    case "ambiguous":
      return `Resend has not said clearly whether it took this mail. The very same request is repeated, which can't mail twice. Last: ${outcome.message}`;
  }
}
