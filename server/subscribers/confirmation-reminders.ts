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
  listFollowedUp,
  noteReminders,
  pageOfPending,
  pageOfPendingConfirmations,
} from "./queries/confirmation-reminders";
import { deleteSubscribers, lockSubscribers } from "./queries/subscribers";
import { PendingRules } from "./schema/pending-rules";

/** So many are looked at, and at most so many changed, in one transaction. */
const CHUNK = 200;

type FollowUpCtx = Pick<Ctx, "db" | "outbox">;

/**
 * Reminds the pending people of all newsletters who have not answered, and removes those who never did. In chunks that each commit
 * alone, with their part of the audit entry: after a crash the next run does what is left.
 * @param closing a run that is cut short by it goes on at the next
 */
export async function followUpPending(ctx: FollowUpCtx, closing?: AbortSignal): Promise<void> {
  for (const { id } of await listFollowedUp(ctx.db)) {
    await remindPending(ctx, id, closing);
    await expirePending(ctx, id, closing);
  }
}

/** One entry for a run, with the number of people and no address. */
const entryOf = (newsletter: NewsletterRow, action: AuditAction, id: string) => ({
  id,
  accountId: newsletter.accountId,
  newsletterId: newsletter.id,
  actorKind: "system",
  action,
});

/** Walks through what `page` finds, a chunk at a time. @param change does what is due of a chunk; false ends the walk */
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

/** The newsletter as it is in this transaction: what staff switch off meanwhile ends with the next chunk. */
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

/** Not while no mail leaves: a reminder would be late, and its link fresh for nobody. */
async function remindPending(ctx: FollowUpCtx, newsletterId: string, closing?: AbortSignal): Promise<void> {
  const entryId = newId();
  const isOn = (await findNewsletter(ctx.db, newsletterId))?.pendingReminder ?? false;
  if (!isOn || (await findSendPause(ctx.db))) return;
  await inChunks(
    (after) => pageOfPendingConfirmations(ctx.db, newsletterId, after, CHUNK),
    (due) =>
      inTransaction(ctx.db, newsletterId, async (tx, newsletter) => {
        if (!newsletter.pendingReminder) return false;
        // Locked by a statement of its own: what is read after the wait sees what another process has written.
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

/** They go with their mails, and no digest of their address stays: nothing remembers them. */
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

/** So many pending people are looked at to say how many would go. */
const LOOKED_AT = 10_000;

/**
 * What a newsletter does about pending people who never answer, and how many would be removed now if it were after `days`.
 * @returns isMore: only the oldest were looked at, there may be more
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
