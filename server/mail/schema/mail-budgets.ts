/** The highest values of the two daily budgets. */
export const maxDomainMailsPerDay = 100_000;
export const maxMailsPerDay = 1_000_000;

/** The budget that a mail waits for: its domain's daily budget, or the newsletter's. */
export const budgetCodes = ["domain_day", "newsletter_day"] as const;
export type BudgetCode = (typeof budgetCodes)[number];
