import type { ActorContext } from "../accounts/context";
import { changeNewsletter } from "../accounts/newsletters";
import type { AuditAction } from "../accounts/schema/audit-actions";
import { countInAudit, findNewsletter, type NewsletterRow } from "../accounts/shared-queries";
import { newId } from "../kernel/ids";
import { parse } from "../kernel/parse";
import { findSendPause } from "../mail/shared-queries";
import { type Db, type Tx, withRetry } from "../platform/db/client";
import { postConfirmations, sortAskable } from "./confirmation-requests";
import type { Ctx } from "./context";
import {
  findExpired,
  findUnreminded,
  listNewslettersWithPendingRules,
  noteReminders,
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

/** One audit entry for a run, with the number of people and without addresses. */
const entryOf = (newsletter: NewsletterRow, action: AuditAction, id: string) => ({
  id,
  accountId: newsletter.accountId,
  newsletterId: newsletter.id,
  actorKind: "system",
  action,
});

/** Walks through the pages in chunks. @param change handles a chunk; returning false ends the walk */
async function inChunks<Row extends { id: string; due: boolean }>(
  page: (after: string | null) => Promise<Row[]>,
  change: (due: Row[]) => Promise<boolean>,
  closing?: AbortSignal,
): Promise<void> {
  for (let after: string | null = null; !closing?.aborted; ) {
    const rows: Row[] = await page(after);
    const due = rows.filter((row) => row.due);
    if (due.length > 0 && !(await change(due))) return;
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.id ?? null;
  }
}

/** Reads the newsletter in this transaction, so a setting that staff turn off applies to the next chunk. */
function inTransaction(
  db: Db,
  newsletterId: string,
  work: (tx: Tx, newsletter: NewsletterRow) => Promise<boolean>,
): Promise<boolean> {
  return withRetry(() =>
    db.$transaction(async (tx) => {
      const newsletter = await findNewsletter(tx, newsletterId);
      return newsletter !== null && (await work(tx, newsletter));
    }),
  );
}

/** Skipped while email can't be sent: the reminder would arrive late. */
async function remindPending(ctx: FollowUpCtx, newsletterId: string, closing?: AbortSignal): Promise<void> {
  const entryId = newId();
  const isOn = (await findNewsletter(ctx.db, newsletterId))?.pendingReminder ?? false;
  if (!isOn || (await findSendPause(ctx.db))) return;
  await inChunks(
    (after) => pageOfPendingConfirmations(ctx.db, newsletterId, after, CHUNK),
    (due) =>
      inTransaction(ctx.db, newsletterId, async (tx, newsletter) => {
        if (!newsletter.pendingReminder) return false;
        // A separate statement takes the lock, so the next one sees what other processes wrote during the wait.
        const people = await lockSubscribers(tx, newsletterId, [
          ...new Set(due.map((one) => one.subscriberId)),
        ]);
        const asked = await findUnreminded(
          tx,
          due.map(({ id }) => id),
        );
        const { chosen } = await sortAskable(
          tx,
          newsletterId,
          people.filter(({ id }) => asked.has(id)),
        );
        if (chosen.length === 0) return true;
        const ids = await postConfirmations(ctx, tx, chosen);
        await noteReminders(
          tx,
          chosen.map(({ id }, i) => ({ id: ids[i] as string, of: asked.get(id) as string })),
        );
        const entry = entryOf(newsletter, "people.reminded", entryId);
        await countInAudit(tx, { ...entry, people: chosen.length });
        return true;
      }),
    closing,
  );
}

/** Deletes people with their emails. No digest of their addresses stays. */
async function expirePending(
  { db }: FollowUpCtx,
  newsletterId: string,
  closing?: AbortSignal,
): Promise<void> {
  const entryId = newId();
  const days = (await findNewsletter(db, newsletterId))?.pendingDays ?? null;
  if (days === null) return;
  await inChunks(
    (after) => pageOfPending(db, { newsletterId, days }, after, CHUNK),
    (due) =>
      inTransaction(db, newsletterId, async (tx, newsletter) => {
        if (newsletter.pendingDays !== days) return false;
        const ids = due.map(({ id }) => id);
        await lockSubscribers(tx, newsletterId, ids);
        const expired = await findExpired(tx, { newsletterId, days }, ids);
        if (expired.length === 0) return true;
        await deleteSubscribers(tx, newsletterId, expired, {});
        await countInAudit(tx, { ...entryOf(newsletter, "people.expired", entryId), people: expired.length });
        return true;
      }),
    closing,
  );
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
  const changes = { pendingReminder: reminder, pendingDays: days };
  const opened = was && { pendingReminder: was.reminder, pendingDays: was.days };
  const detail = { reminder, days };
  await changeNewsletter(ctx, {
    newsletterId,
    changes,
    was: opened,
    action: "newsletter.pending_changed",
    detail,
  });
}
