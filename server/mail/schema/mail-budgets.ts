/** The most that the two budgets of a day may be set to. */
export const mostDomainMailsPerDay = 100_000;
export const mostMailsPerDay = 1_000_000;

/** Which of the day's budgets a mail waits for: that of its domain, or the newsletter's. */
export const budgetCodes = ["domain_day", "newsletter_day"] as const;
export type BudgetCode = (typeof budgetCodes)[number];

/** The mails of a newsletter that wait for one budget. `domain`: of a domain's budget. */
export type BudgetGroup = { code: BudgetCode; domain: string | null };
