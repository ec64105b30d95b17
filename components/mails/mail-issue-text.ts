import { type BudgetGroup, budgetCodes } from "@/server/contract/mail-budgets";
import { confirmationLinkDays } from "@/server/contract/spans";
import type { Outputs } from "../trpc";
import { count, counted } from "../ui/numbers";
import { noKey } from "./mail-words";

export type MailIssue = Outputs["mails"]["issues"][number];

/** What to do about mails that the mail service rejected, by its code. */
const adviceByCode: Record<string, string> = {
  invalid_from_address:
    "The mail service does not take mail from this sender. Verify its domain there, or write another sender in Settings; then send again.",
  validation_error:
    "The mail service takes no mail to these addresses as they are written. Open one to read why, correct the address, and they are asked anew.",
  provider_failed:
    "The mail service had taken them and then could not send them. Read its reason, fix it there, and send again.",
};

/** The budget of a day that these mails wait for; null when they wait for something else. */
export function budgetGroupOf({ code, domain }: MailIssue): BudgetGroup | null {
  const found = budgetCodes.find((one) => one === code);
  return found ? { code: found, domain } : null;
}

function describeBudget({ mails, domain, budget }: MailIssue): { what: string; advice: string } {
  const to = domain === null ? "" : ` to ${domain}`;
  const verb = mails === 1 ? "waits" : "wait";
  const reason = domain === null ? "a day are sent in all" : "a day go to one domain";
  return {
    what: `${counted(mails, "confirmation")}${to} ${verb}: not more than ${count(budget ?? 0)} ${reason}`,
    advice: `Then the oldest are sent; what has waited ${confirmationLinkDays} days is cancelled. Somebody may have entered addresses that are not theirs: look at who they are before you release them.`,
  };
}

/** What has happened in a few words, and what to do about it. */
export function describeIssue(issue: MailIssue): { what: string; advice: string } {
  const { state, code, mails, message } = issue;
  const some = counted(mails, "mail");
  switch (state) {
    case "failed":
      return {
        what: `${some} failed`,
        advice: adviceByCode[code ?? ""] ?? message ?? "Open one to read why, fix it, and send again.",
      };
    case "uncertain":
      return {
        what: `${some} may not have arrived`,
        advice:
          "The mail service did not say clearly whether it took them, so they are not tried again by themselves. Send again if it is no harm that some arrive twice.",
      };
    case "bounced":
      return {
        what: mails === 1 ? "1 address takes no mail" : `${count(mails)} addresses take no mail`,
        advice: "A mail server rejected them. Correct the person’s address, and they are asked anew.",
      };
    case "deferred":
      if (budgetGroupOf(issue)) return describeBudget(issue);
      return { what: `${some} deferred`, advice: message ?? "They leave later, by themselves." };
    case "sending":
      return { what: `${some} delayed`, advice: message ?? "They leave later, by themselves." };
  }
}

/** What sending again has done. */
export function describeRetry({ sent, closed }: { sent: number; closed: number }, sends: boolean): string {
  const kept = `${sent === 1 ? "is" : "are"} kept here: ${noKey}`;
  const sentText = `${counted(sent, "new mail")} ${sends ? (sent === 1 ? "is queued" : "are queued") : kept}.`;
  if (closed === 0) return sentText;
  const closedText =
    closed === 1
      ? "1 was closed: its person is not to be asked any more."
      : `${count(closed)} were closed: their people are not to be asked any more.`;
  return sent === 0 ? closedText : `${sentText} ${closedText}`;
}
