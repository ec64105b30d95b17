import { mailProviders } from "../../kernel/mail-providers";
import type { Tx } from "../../platform/db/client";
import type { Jobs } from "../../platform/jobs/jobs";
import type { ClaimedMail } from "../queries/due-mails";
import {
  type BudgetedMail,
  deferSurplus,
  type OverBudgetRow,
  takeFromBudgets,
} from "../queries/mail-budgets";
import { deferMails } from "../queries/mail-state-changes";
import { nextConfirmations, takeMailAllowance } from "../queries/mail-throttle";
import { deferReasons, overBudget } from "./reasons";

const providers = new Set(mailProviders);

/**
 * The domain that counts this address in its budget. Null for large providers, which host many people of one
 * newsletter.
 */
function budgetDomain(deliverTo: string): string | null {
  const domain = deliverTo.slice(deliverTo.lastIndexOf("@") + 1);
  return providers.has(domain) ? null : domain;
}

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
  const surplus = await takeFromBudgets(tx, mayBeMailed.filter((mail) => !mail.released).map(budgeted));
  const isOver = new Set(surplus.map(({ id }) => id));
  const allowed = mayBeMailed.filter(({ id }) => !isOver.has(id));
  await takeMailAllowance(
    tx,
    allowed.map((mail) => mail.recipientHash),
  );
  const leaves = new Set(allowed.map(({ id }) => id));
  await deferPeople(
    jobs,
    tx,
    confirmations.filter(({ id }) => !leaves.has(id) && !isOver.has(id)),
  );
  await deferGroups(jobs, tx, surplus, [...leaves]);
  return mails.filter((mail) => mail.kind !== "confirmation" || leaves.has(mail.id));
}

const budgeted = ({ id, newsletterId, deliverTo }: Confirmation): BudgetedMail => ({
  id,
  newsletterId,
  domain: budgetDomain(deliverTo),
});

/** Defers mails over one person's limit until that person may be mailed again. */
async function deferPeople(jobs: Jobs, tx: Tx, mails: Confirmation[]): Promise<void> {
  const next = await nextConfirmations(tx, [...new Set(mails.map((mail) => mail.recipientHash))]);
  const deferred = mails.map((mail) => {
    const { at, dayIsFull } = next.get(mail.recipientHash) ?? { at: new Date(), dayIsFull: false };
    const code = dayIsFull ? "person_day" : "person_minute";
    return { id: mail.id, until: at, code, message: deferReasons[code] };
  });
  await deferMails(tx, deferred);
  const times = new Map(deferred.map(({ until }) => [until.getTime(), until]));
  await jobs.add(
    tx,
    "mail-batch",
    [...times.values()].map((at) => ({ data: null, at })),
  );
}

/** Defers all due mails over the same budgets as these mails until the next day. One job wakes them all. */
async function deferGroups(jobs: Jobs, tx: Tx, surplus: OverBudgetRow[], except: string[]): Promise<void> {
  const groups = new Map(surplus.map((row) => [`${row.newsletterId} ${row.code} ${row.domain}`, row]));
  for (const { until, ...group } of groups.values()) {
    const isFirst = await deferSurplus(tx, { ...group, until, message: overBudget(group) }, except);
    if (isFirst) await jobs.add(tx, "mail-batch", [{ data: null, at: until }]);
  }
}
