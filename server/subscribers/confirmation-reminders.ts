import type { ActorContext } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { countInAudit, findNewsletter, type NewsletterRow } from "../accounts/shared-queries";
import { parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { findSendPause } from "../mail/shared-queries";
import { type Db, type Tx, withRetry } from "../platform/db/client";
import { postConfirmations, sortAskable } from "./confirmation-requests";
import type { Ctx } from "./context";
import {
  type ConfirmationRow,
  findExpired,
  findUnreminded,
  listNewslettersWithPendingRules,
  noteReminders,
  type PendingRow,
  pageOfPending,
  pageOfPendingConfirmations,
} from "./queries/confirmation-reminders";
import { deleteSubscribers, lockSubscribers } from "./queries/subscribers";
import { PendingRules } from "./schema/pending-rules";

/** Maximum people per transaction: read, and changed. */
const CHUNK = 200;

type FollowUpCtx = Pick<Ctx, "db" | "outbox">;

/**
 * Reminds people of all newsletters who have not confirmed, and removes those who never did. Each chunk commits alone with
 * its part of the audit entry, so the next run continues after a crash.
 * @param closing ends the run early; the next run continues
 */
export async function followUpPending(ctx: FollowUpCtx, closing?: AbortSignal): Promise<void> {
  for (const { id } of await listNewslettersWithPendingRules(ctx.db)) {
    await remindPending(ctx, id, closing);
    await expirePending(ctx, id, closing);
  }
}

type FollowUp<Row> = {
  action: AuditAction;
  /** Reads the next people, who may be due. */
  page(after: string | null): Promise<Row[]>;
  /** Changes people who are due, and returns their number; null when staff have turned the rule off. */
  change(tx: Tx, newsletter: NewsletterRow, due: Row[]): Promise<number | null>;
};

/** Walks through the pages in chunks. A run has one audit entry, with the number of people and without addresses. */
async function inChunks<Row extends { id: string; due: boolean }>(
  { db }: FollowUpCtx,
  newsletterId: string,
  { action, page, change }: FollowUp<Row>,
  closing?: AbortSignal,
): Promise<void> {
  const entry = { id: newId(), newsletterId, actorKind: "system", action };
  for (let after: string | null = null; !closing?.aborted; ) {
    const rows: Row[] = await page(after);
    const due = rows.filter((row) => row.due);
    const work = async (tx: Tx) => {
      // Read in each chunk, so that a rule that staff turn off no longer applies.
      const newsletter = await findNewsletter(tx, newsletterId);
      const people = newsletter && (await change(tx, newsletter, due));
      if (newsletter && people) await countInAudit(tx, { ...entry, accountId: newsletter.accountId, people });
      return people !== null;
    };
    if (due.length > 0 && !(await withRetry(() => db.$transaction(work)))) return;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Skipped while email can't be sent: the reminder would arrive late. */
async function remindPending(ctx: FollowUpCtx, newsletterId: string, closing?: AbortSignal): Promise<void> {
  const isOn = (await findNewsletter(ctx.db, newsletterId))?.pendingReminder ?? false;
  if (!isOn || (await findSendPause(ctx.db))) return;
  const reminding: FollowUp<ConfirmationRow> = {
    action: "people.reminded",
    page: (after) => pageOfPendingConfirmations(ctx.db, newsletterId, after, CHUNK),
    async change(tx, { pendingReminder }, due) {
      if (!pendingReminder) return null;
      // A separate statement takes the lock, so the next one sees what other processes wrote during the wait.
      const subscriberIds = [...new Set(due.map((one) => one.subscriberId))];
      const people = await lockSubscribers(tx, newsletterId, subscriberIds);
      const mailIds = due.map(({ id }) => id);
      const asked = await findUnreminded(tx, mailIds);
      const unreminded = people.filter(({ id }) => asked.has(id));
      const { chosen } = await sortAskable(tx, newsletterId, unreminded);
      if (chosen.length === 0) return 0;
      const ids = await postConfirmations(ctx, tx, chosen);
      const reminders = chosen.map(({ id }, i) => ({ id: ids[i] as string, of: asked.get(id) as string }));
      await noteReminders(tx, reminders);
      return chosen.length;
    },
  };
  await inChunks(ctx, newsletterId, reminding, closing);
}

/** Deletes people with their emails. No digest of their addresses stays. */
async function expirePending(ctx: FollowUpCtx, newsletterId: string, closing?: AbortSignal): Promise<void> {
  const days = (await findNewsletter(ctx.db, newsletterId))?.pendingDays ?? null;
  if (days === null) return;
  const expiring: FollowUp<PendingRow> = {
    action: "people.expired",
    page: (after) => pageOfPending(ctx.db, { newsletterId, days }, after, CHUNK),
    async change(tx, { pendingDays }, due) {
      if (pendingDays !== days) return null;
      const ids = due.map(({ id }) => id);
      await lockSubscribers(tx, newsletterId, ids);
      const expired = await findExpired(tx, { newsletterId, days }, ids);
      if (expired.length > 0) await deleteSubscribers(tx, newsletterId, expired, {});
      return expired.length;
    },
  };
  await inChunks(ctx, newsletterId, expiring, closing);
}

/** Maximum pending people that a count reads. */
const LOOKED_AT = 10_000;

/**
 * The newsletter's settings for unconfirmed people, and how many people a limit of `days` would remove now.
 * @returns isMore when the count stopped at its maximum
 */
export async function getPendingRules(
  { db }: { db: Db },
  { newsletter, days }: { newsletter: NewsletterRow; days: number },
) {
  const rows = await pageOfPending(db, { newsletterId: newsletter.id, days }, null, LOOKED_AT);
  return {
    reminder: newsletter.pendingReminder,
    days: newsletter.pendingDays,
    wouldGo: { days, people: rows.filter(({ due }) => due).length, isMore: rows.length === LOOKED_AT },
  };
}

/** @throws AppError not_found, validation_error */
export async function savePendingRules(
  ctx: ActorContext,
  { newsletterId, rules, was }: { newsletterId: string; rules: PendingRules; was?: PendingRules },
): Promise<void> {
  const { reminder, days } = parse(PendingRules, rules);
  await changeNewsletter(ctx, {
    newsletterId,
    changes: { pendingReminder: reminder, pendingDays: days },
    was: was && { pendingReminder: was.reminder, pendingDays: was.days },
    action: "newsletter.pending_changed",
    detail: { reminder, days },
  });
}
