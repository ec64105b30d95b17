import type { Tx } from "../platform/db/client";
import { sortSubscribers } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { setStatus } from "../subscribers/set-status";
import { forgetUndo, type LockedSubscriber } from "../subscribers/shared-queries";
import { mayMove, moveFrom } from "../subscribers/status-moves";
import { findSuppressed } from "../suppressions/shared-queries";
import type { BulkActionRow } from "./queries/bulk-actions";
import { findUnchanged, storeUndoData } from "./queries/bulk-changes";
import type { SkippedCounts } from "./schema/bulk-actions";

/** The ids of the people that a bulk action changed, and the number that it skipped, by reason. */
export type ActionResult = { done: string[]; skipped: SkippedCounts };

export type ForPeople<Result> = (
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
) => Promise<Result>;

/** The steps of a kind of bulk action. Each call changes some people in one transaction. */
export type PeopleKind = {
  /** Changes locked people and stores the data for the undo. */
  perform: ForPeople<ActionResult>;
  /** Restores people who have not changed since, and returns their ids. */
  undo?: ForPeople<string[]>;
  /** Runs once, before people are restored. An error rejects the undo. */
  beforeUndo?(tx: Tx, action: BulkActionRow): Promise<void>;
};

/** Activities refer to the bulk action that caused them. */
const causeOf = ({ id }: BulkActionRow) => ({ kind: "bulk_action", id }) as const;

/** Makes locked people active or unsubscribed. */
export const changeStatuses: ForPeople<ActionResult> = async (ctx, tx, action, people) => {
  const to = action.kind === "activate" ? "active" : "unsubscribed";
  const { chosen, skipped } = sortSubscribers(people, (person) => {
    if (person.status === to) return "already";
    if (!mayMove(moveFrom(person), to, ctx.actor.kind)) return "unsubscribed";
    return to === "active" && person.suppression ? "not_to_be_mailed" : null;
  });
  await storeUndoData(tx, action.id, chosen);
  await setStatus(tx, { subscribers: chosen, to, actor: ctx.actor, cause: causeOf(action) });
  const already = people.filter(({ status }) => status === to && to === "unsubscribed").map(({ id }) => id);
  await forgetUndo(tx, action.newsletterId, already);
  return { done: chosen.map(({ id }) => id), skipped };
};

/** Restores the status of people who have neither changed since nor are suppressed. @returns their ids */
export const restoreStatuses: ForPeople<string[]> = async (ctx, tx, action, people) => {
  // Read after the people were locked: a suppression may have been committed while this transaction waited.
  const addresses = people.map(({ emailCanonical }) => emailCanonical);
  const suppressed = await findSuppressed(tx, action.newsletterId, addresses);
  const free = people.filter(({ emailCanonical }) => !suppressed.has(emailCanonical));
  const before = await findUnchanged(tx, action.id, free);
  for (const to of ["active", "pending"] as const)
    for (const hadLeft of [false, true]) {
      const isOne = ({ id }: LockedSubscriber) =>
        before.get(id)?.was === to && before.get(id)?.hadLeft === hadLeft;
      const by = { actor: ctx.actor, cause: causeOf(action) };
      await setStatus(tx, { subscribers: people.filter(isOne), to, ...by, undo: { hadLeft } });
    }
  return [...before.keys()];
};
