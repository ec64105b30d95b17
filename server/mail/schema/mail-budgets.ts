/** The highest values of the two daily budgets. */
export const maxDomainMailsPerDay = 100_000;
export const maxMailsPerDay = 1_000_000;

/**
 * The daily budget of one domain for confirmations that no stranger caused on the sign-up page, unless the newsletter
 * allows even more for sign-ups.
 */
export const leastOwnDomainMailsPerDay = 2_000;

/**
 * The budget that a mail waits for: its domain's daily budget for sign-ups, the one for mails that staff, keys or links
 * cause, or the newsletter's.
 */
export const budgetCodes = ["domain_day", "own_domain_day", "newsletter_day"] as const;
export type BudgetCode = (typeof budgetCodes)[number];
