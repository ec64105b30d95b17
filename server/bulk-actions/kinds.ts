import { joinMailing } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { postConfirmations, sortAskable } from "../subscribers/confirmation-requests";
import type { Ctx } from "../subscribers/context";
import { deleteSubscribers, type LockedSubscriber } from "../subscribers/shared-queries";
import { suppressionSource } from "../suppressions/source";
import { changeTagsAndFields, restoreAttributes } from "./attribute-actions";
import { type BulkActionRow, cancelWritten } from "./queries/bulk-actions";
import { storeUndoData } from "./queries/bulk-changes";
import type { BulkActionKind } from "./schema/bulk-actions";
import { type ActionResult, changeStatuses, restoreStatuses } from "./status-actions";

type ForPeople<Result> = (
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
) => Promise<Result>;

/** The steps of a kind of bulk action. Each call changes some people in one transaction. */
type PeopleKind = {
  /** Changes locked people and stores the data for the undo. */
  perform: ForPeople<ActionResult>;
  /** Restores people who have not changed since, and returns their ids. */
  undo?: ForPeople<string[]>;
};

const askToConfirm: ForPeople<ActionResult> = async (ctx, tx, action, people) => {
  const { chosen, skipped } = await sortAskable(tx, action.newsletterId, people);
  const mailing = await joinMailing(tx, action.id);
  await storeUndoData(tx, action.id, chosen, await postConfirmations(ctx, tx, chosen, mailing));
  return { done: chosen.map(({ id }) => id), skipped };
};

const cancelConfirmations: ForPeople<string[]> = (_, tx, action, people) =>
  cancelWritten(
    tx,
    action,
    people.map(({ id }) => id),
  );

const erase: ForPeople<ActionResult> = async (ctx, tx, { newsletterId, kind }, people) => {
  const done = people.map(({ id }) => id);
  const suppression = kind === "forget" ? {} : { by: suppressionSource(ctx) };
  await deleteSubscribers(tx, newsletterId, done, suppression);
  return { done, skipped: {} };
};

/** Every kind of bulk action. A new one needs an entry here, and its texts in bulkActions.json of each language. */
export const bulkActionKinds: Record<BulkActionKind, PeopleKind> = {
  confirm: { perform: askToConfirm, undo: cancelConfirmations },
  activate: { perform: changeStatuses, undo: restoreStatuses },
  unsubscribe: { perform: changeStatuses, undo: restoreStatuses },
  tag: { perform: changeTagsAndFields, undo: restoreAttributes },
  untag: { perform: changeTagsAndFields, undo: restoreAttributes },
  set_field: { perform: changeTagsAndFields, undo: restoreAttributes },
  erase: { perform: erase },
  forget: { perform: erase },
};
