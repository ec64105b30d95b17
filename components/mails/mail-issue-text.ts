import { type BudgetGroup, budgetCodes } from "@/server/contract/mail-budgets";
import { confirmationLinkDays } from "@/server/contract/spans";
import type { Outputs } from "../trpc";
import { count, counted } from "../ui/numbers";
import { noKey } from "./mail-words";

export type MailIssue = Outputs["mails"]["issues"][number];

/** What to do about mails that the mail service rejected, by its code. */
const adviceByCode: Record<string, string> = {
  invalid_from_address:
    "The email provider does not accept this sender. Verify its domain at the provider or change the sender in Settings, then send again.",
  validation_error:
    "The email provider rejected these addresses. Open one to see why. Correct the address to request a new confirmation.",
  provider_failed:
    "The email provider accepted these emails but could not send them. Read the reason, fix it at the provider and send again.",
};

/** The budget of a day that these mails wait for; null when they wait for something else. */
export function budgetGroupOf({ code, domain }: MailIssue): BudgetGroup | null {
  const found = budgetCodes.find((one) => one === code);
  return found ? { code: found, domain } : null;
}

function describeBudget({ mails, domain, budget }: MailIssue): { what: string; advice: string } {
  const to = domain === null ? "" : ` to ${domain}`;
  const verb = mails === 1 ? "waits" : "wait";
  const reason = domain === null ? "a day in total" : "a day to one domain";
  return {
    what: `${counted(mails, "confirmation")}${to} ${verb}: the limit is ${count(budget ?? 0)} ${reason}`,
    advice: `The oldest are sent the next day. After ${confirmationLinkDays} days they are cancelled. Someone may have entered other people’s addresses: check the people before you release the emails.`,
  };
}

/** What has happened in a few words, and what to do about it. */
export function describeIssue(issue: MailIssue): { what: string; advice: string } {
  const { state, code, mails, message } = issue;
  const some = counted(mails, "email");
  switch (state) {
    case "failed":
      return {
        what: `${some} failed`,
        advice: adviceByCode[code ?? ""] ?? message ?? "Open one to see why, fix it and send again.",
      };
    case "uncertain":
      return {
        what: `${some} may not have arrived`,
        advice:
          "The email provider’s answer was ambiguous, so they are not retried automatically. Send again if duplicates do no harm.",
      };
    case "bounced":
      return {
        what:
          mails === 1 ? "1 address does not accept email" : `${count(mails)} addresses do not accept email`,
        advice:
          "A mail server rejected the email. Correct the person’s address to request a new confirmation.",
      };
    case "deferred":
      if (budgetGroupOf(issue)) return describeBudget(issue);
      return { what: `${some} delayed by a limit`, advice: message ?? "They are sent later automatically." };
    case "sending":
      return { what: `${some} delayed`, advice: message ?? "They are sent later automatically." };
  }
}

/** What sending again has done. */
export function describeRetry({ sent, closed }: { sent: number; closed: number }, sends: boolean): string {
  const kept = `${sent === 1 ? "is" : "are"} stored but not sent: ${noKey}`;
  const sentText = `${counted(sent, "new email")} ${sends ? (sent === 1 ? "is queued" : "are queued") : kept}.`;
  if (closed === 0) return sentText;
  const closedText =
    closed === 1
      ? "1 was closed: the person can’t receive a confirmation any more."
      : `${count(closed)} were closed: the people can’t receive a confirmation any more.`;
  return sent === 0 ? closedText : `${sentText} ${closedText}`;
}
