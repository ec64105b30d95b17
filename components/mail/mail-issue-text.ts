import { confirmationLinkDays } from "@/server/kernel/spans";
import { type BudgetGroup, budgetCodes } from "@/server/mail/schema/mail-budgets";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";

export type MailIssue = Outputs["mails"]["issues"][number];
type IssueTexts = Texts<"mails.issues">;

/** Codes by which the mail service rejects mails, where there is something to do about them. */
const knownCodes = ["invalid_from_address", "validation_error", "provider_failed"] as const;

/** The budget of a day that these mails wait for; null when they wait for something else. */
export function budgetGroupOf({ code, domain }: MailIssue): BudgetGroup | null {
  const found = budgetCodes.find((one) => one === code);
  return found ? { code: found, domain } : null;
}

function describeBudget(t: IssueTexts, { mails: n, domain, budget: most }: MailIssue) {
  const budget = most ?? 0;
  return {
    what: domain === null ? t("overBudget", { n, budget }) : t("overDomainBudget", { n, domain, budget }),
    advice: t("advice.overBudget", { days: confirmationLinkDays }),
  };
}

/** What has happened in a few words, and what to do about it. */
export function describeIssue(t: IssueTexts, issue: MailIssue): { what: string; advice: string } {
  const { state, mails: n } = issue;
  const code = knownCodes.find((known) => known === issue.code);
  const message = issue.message && fromServer(issue.message);
  switch (state) {
    case "failed":
      return {
        what: t("failed", { n }),
        advice: code ? t(`adviceByCode.${code}`) : (message ?? t("advice.failed")),
      };
    case "uncertain":
      return { what: t("uncertain", { n }), advice: t("advice.uncertain") };
    case "bounced":
      return { what: t("bounced", { n }), advice: t("advice.bounced") };
    case "deferred":
      if (budgetGroupOf(issue)) return describeBudget(t, issue);
      return { what: t("limited", { n }), advice: message ?? t("advice.delayed") };
    case "sending":
      return { what: t("delayed", { n }), advice: message ?? t("advice.delayed") };
  }
}

/** What sending again has done. */
export function describeRetry(
  t: Texts<"mails.retry">,
  { sent, closed }: { sent: number; closed: number },
  sends: boolean,
): string {
  const sentences: string[] = [];
  if (sent > 0 || closed === 0) sentences.push(sends ? t("queued", { n: sent }) : t("stored", { n: sent }));
  if (closed > 0) sentences.push(t("closed", { n: closed }));
  return sentences.join(" ");
}
