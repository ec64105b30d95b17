import { confirmationLinkDays } from "@/server/kernel/durations";
import { budgetCodes } from "@/server/mail/schema/mail-budgets";
import { fromServer } from "../texts/server-sentences";
import type { Texts } from "../texts/texts";
import type { Outputs } from "../trpc";

export type MailIssue = Outputs["mails"]["issues"][number];
type IssueTexts = Texts<"mails.issues">;

/** Error codes of the mail provider with specific advice. */
const knownCodes = ["invalid_from_address", "validation_error", "provider_failed"] as const;

/** Whether these emails wait for a daily budget. */
export const isOverBudget = ({ code }: MailIssue): boolean => budgetCodes.some((one) => one === code);

function describeBudget(t: IssueTexts, { mails: n, code, domain, budget: most }: MailIssue) {
  const budget = most ?? 0;
  const days = confirmationLinkDays;
  const advice = t("advice.overBudget", { days });
  if (domain === null) return { what: t("overBudget", { n, budget }), advice };
  if (code !== "own_domain_day") return { what: t("overDomainBudget", { n, domain, budget }), advice };
  const what = t("overOwnDomainBudget", { n, domain, budget });
  return { what, advice: t("advice.overOwnBudget", { days, budget }) };
}

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
      if (isOverBudget(issue)) return describeBudget(t, issue);
      return { what: t("limited", { n }), advice: message ?? t("advice.delayed") };
    case "sending":
      return { what: t("delayed", { n }), advice: message ?? t("advice.delayed") };
  }
}

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
