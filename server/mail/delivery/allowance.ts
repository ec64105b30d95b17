import type { Tx } from "../../platform/db/client";
import type { Jobs } from "../../platform/jobs/jobs";
import type { ClaimedMail } from "../queries/due-mails";
import {
  type BudgetedMail,
  budgetDomain,
  type OverBudgetRow,
  takeFromBudgets,
} from "../queries/mail-budgets";
import { type Deferral, deferMails } from "../queries/mail-state-changes";
import { nextConfirmations, takeMailAllowance } from "../queries/mail-throttle";
import { budgetReason, deferReasons } from "./reasons";

type Confirmation = ClaimedMail & { kind: "confirmation" };

/**
 * Returns the mails that may leave now. Confirmations are limited by person, domain and newsletter, the oldest first.
 * The others are deferred, with a job for the time when they may leave. Mails to the staff skip these limits: strangers
 * can't request them, and they are counted when requested. The caller holds the batching lock.
 */
export async function allowMails(jobs: Jobs, tx: Tx, mails: ClaimedMail[]): Promise<ClaimedMail[]> {
  const confirmations = mails.filter((mail): mail is Confirmation => mail.kind === "confirmation");
  const first = new Map<string, Confirmation>();
  for (const mail of confirmations) if (!first.has(mail.recipientHash)) first.set(mail.recipientHash, mail);
  const next = await nextConfirmations(tx, [...first.keys()]);
  const mayBeMailed = [...first.values()].filter((mail) => next.get(mail.recipientHash)?.isNow ?? true);
  // The person's allowance is taken last. A mail that a budget defers must not count against the person.
  const surplus = await takeFromBudgets(tx, mayBeMailed.map(budgeted));
  const overBudget = new Map(surplus.map((row) => [row.id, row]));
  const allowed = mayBeMailed.filter(({ id }) => !overBudget.has(id));
  await takeMailAllowance(
    tx,
    allowed.map((mail) => mail.recipientHash),
  );
  const leaves = new Set(allowed.map(({ id }) => id));
  const others = confirmations.filter(({ id }) => !leaves.has(id));
  await deferOthers(jobs, tx, others, (mail) => {
    // Further mails of a newsletter to one person wait for the budget of the first.
    const chosen = first.get(mail.recipientHash);
    return chosen?.newsletterId === mail.newsletterId ? overBudget.get(chosen.id) : undefined;
  });
  return mails.filter((mail) => mail.kind !== "confirmation" || leaves.has(mail.id));
}

const budgeted = ({ id, newsletterId, deliverTo, isOwn }: Confirmation): BudgetedMail => ({
  id,
  newsletterId,
  domain: budgetDomain(deliverTo.slice(deliverTo.lastIndexOf("@") + 1), isOwn),
});

/** Defers mails until their budget or their person allows them, with one job for each time. */
async function deferOthers(
  jobs: Jobs,
  tx: Tx,
  mails: Confirmation[],
  budgetOf: (mail: Confirmation) => OverBudgetRow | undefined,
): Promise<void> {
  const next = await nextConfirmations(tx, [...new Set(mails.map((mail) => mail.recipientHash))]);
  const deferrals = mails.map((mail): Deferral => {
    const budget = budgetOf(mail);
    if (budget) return { ...budget, id: mail.id, message: budgetReason(budget) };
    const { at, dayIsFull } = next.get(mail.recipientHash) ?? { at: new Date(), dayIsFull: false };
    const code = dayIsFull ? "person_day" : "person_minute";
    return { id: mail.id, until: at, code, message: deferReasons[code], domain: null };
  });
  await deferMails(tx, deferrals);
  const times = new Map(deferrals.map(({ until }) => [until.getTime(), until]));
  await jobs.add(
    tx,
    "mail-batch",
    [...times.values()].map((at) => ({ data: null, at })),
  );
}
