import type { BulkActionKind } from "../contract/bulk-actions";
import { type BulkActionRow, cancelAsked, rememberAsked } from "../db/bulk-actions";
import type { Tx } from "../db/client";
import { joinMailing } from "../db/mailings";
import { deleteSubscribers, type LockedSubscriber } from "../db/subscribers";
import { changeMany, restoreMany } from "./bulk-changes";
import { type ActionResult, moveMany, restoreStatuses } from "./bulk-moves";
import { postConfirmations, sortAskable } from "./confirmation-requests";
import type { Ctx } from "./context";
import { suppressionSource } from "./suppressions";

type ForPeople<Result> = (
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
) => Promise<Result>;

/** What can be done to locked people, in the caller's transaction. */
type BulkKind = {
  /** Does it, and stores what the undo needs. Null for kinds of earlier versions. */
  perform: ForPeople<ActionResult> | null;
  /** Restores people who have not changed since, and returns their ids; or why that is not possible. */
  undo: ForPeople<string[]> | string;
};

const askToConfirm: ForPeople<ActionResult> = async (ctx, tx, action, people) => {
  const { chosen, skipped } = await sortAskable(tx, action.newsletterId, people);
  const done = chosen.map(({ id }) => id);
  const mailing = await joinMailing(tx, action.id);
  await rememberAsked(tx, action.id, done, await postConfirmations(ctx, tx, chosen, mailing));
  return { done, skipped };
};

const cancelConfirmations: ForPeople<string[]> = (_, tx, action, people) =>
  cancelAsked(
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

const ERASED = "Erased people can't be restored.";
const withdrawn: BulkKind = {
  perform: null,
  undo: "Merging, copying and moving people was removed and can no longer be undone.",
};

/** Every kind of bulk action. A new kind needs an entry here and its words in components/bulk-actions/summary.ts. */
export const bulkActionKinds: Record<BulkActionKind, BulkKind> = {
  confirm: { perform: askToConfirm, undo: cancelConfirmations },
  activate: { perform: moveMany, undo: restoreStatuses },
  unsubscribe: { perform: moveMany, undo: restoreStatuses },
  tag: { perform: changeMany, undo: restoreMany },
  untag: { perform: changeMany, undo: restoreMany },
  set_field: { perform: changeMany, undo: restoreMany },
  erase: { perform: erase, undo: ERASED },
  forget: { perform: erase, undo: ERASED },
  merge: withdrawn,
  copy: withdrawn,
  move: withdrawn,
};
