// Without zod, since each page about imports loads it.
export const maxImportRows = 100_000;

/**
 * Outcomes of people who are not subscribers yet. `new_unsubscribed`: the list reports them as opted out; they are
 * added unsubscribed.
 */
export const newOutcomes = ["new_active", "new_pending", "new_unsubscribed"] as const;

export const noOutcomes = {
  new_active: 0,
  new_pending: 0,
  new_unsubscribed: 0,
  already_active: 0,
  already_pending: 0,
  unsubscribed: 0,
  suppressed: 0,
};
/** The possible results of a row. */
export type RowOutcome = keyof typeof noOutcomes;
/** Rows by outcome. The sum is the number of rows in the plan. */
export type OutcomeCounts = Record<RowOutcome, number>;

/** People added as active or pending: the number on the button, in the consent and in the audit log. */
export const countAdded = (counts: OutcomeCounts) => counts.new_active + counts.new_pending;

/** People written to the newsletter, including those added as unsubscribed. */
export const countStored = (counts: OutcomeCounts) => countAdded(counts) + counts.new_unsubscribed;
