import type { Tx } from "../platform/db/client";
import { sortSubscribers } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { setStatus } from "../subscribers/set-status";
import { forgetUndo, type LockedSubscriber } from "../subscribers/shared-queries";
import { mayMove, moveFrom } from "../subscribers/status-moves";
import { type BulkActionRow, findUnchanged, restoreMails, storeStatuses } from "./queries/bulk-actions";
import type { SkippedCounts } from "./schema/bulk-actions";

/** The ids of the people that a bulk action changed, and the number that it skipped, by reason. */
export type ActionResult = { done: string[]; skipped: SkippedCounts };

/** Activities refer to the bulk action that caused them. */
const causeOf = ({ id }: BulkActionRow) => ({ kind: "bulk_action", id }) as const;

/** Makes locked people active or unsubscribed. */
export async function changeStatuses(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  const to = action.kind === "activate" ? "active" : "unsubscribed";
  const { chosen, skipped } = sortSubscribers(people, (person) => {
    if (person.status === to) return "already";
    if (!mayMove(moveFrom(person), to, ctx.actor.kind)) return "unsubscribed";
    return to === "active" && person.suppression ? "not_to_be_mailed" : null;
  });
  const done = chosen.map(({ id }) => id);
  await storeStatuses(tx, action, done);
  await setStatus(tx, { subscribers: chosen, to, actor: ctx.actor, cause: causeOf(action) });
  const already = people.filter(({ status }) => status === to && to === "unsubscribed");
  await forgetUndo(
    tx,
    action.newsletterId,
    already.map(({ id }) => id),
  );
  return { done, skipped };
}

/** Restores the status of people who have not changed since, and the confirmations that the action cancelled. */
export async function restoreStatuses(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<string[]> {
  const ids = people.map(({ id }) => id);
  const was = await findUnchanged(tx, action, ids);
  for (const to of ["active", "pending"] as const)
    for (const hadLeft of [false, true]) {
      const isOne = ({ id }: LockedSubscriber) => was.get(id)?.was === to && was.get(id)?.hadLeft === hadLeft;
      const by = { actor: ctx.actor, cause: causeOf(action) };
      await setStatus(tx, { subscribers: people.filter(isOne), to, ...by, undo: { hadLeft } });
    }
  const pending = ids.filter((id) => was.get(id)?.was === "pending");
  if (pending.length > 0) {
    await restoreMails(tx, action, pending);
    await ctx.outbox.wake(tx);
  }
  return [...was.keys()];
}
