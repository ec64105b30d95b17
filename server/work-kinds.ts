import type { Ctx } from "./accounts/context";
import { changeMany, restoreMany } from "./bulk-actions/bulk-changes";
import { type ActionResult, moveMany, restoreStatuses } from "./bulk-actions/bulk-moves";
import { type BulkActionRow, cancelAsked, rememberAsked } from "./bulk-actions/queries/bulk-actions";
import type { BulkActionKind } from "./bulk-actions/schema/bulk-actions";
import { commitPlan } from "./imports/commit";
import { removeImported } from "./imports/remove-imported";
import { joinMailing } from "./mail/queries/mailings";
import type { Tx } from "./platform/db/client";
import { postConfirmations, sortAskable } from "./subscribers/confirmation-requests";
import { deleteSubscribers, type LockedSubscriber } from "./subscribers/queries/subscribers";
import { suppressionSource } from "./suppressions/suppressions";

type ForPeople<Result> = (
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
) => Promise<Result>;

/** Long work on people, some in each transaction. */
type PeopleKind = {
  input: "people";
  /** Does it to locked people, and stores what the undo needs. Absent of kinds of earlier versions. */
  perform?: ForPeople<ActionResult>;
  /** Restores people who have not changed since, and returns their ids. */
  undo?: ForPeople<string[]>;
  cannotUndo?: string;
};

/** Long work that is done as a whole, in one transaction. */
export type PlanKind = { input: "plan"; perform: typeof commitPlan; undo: typeof removeImported };

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

const erasing: PeopleKind = {
  input: "people",
  perform: erase,
  cannotUndo: "Erased people can't be restored.",
};
const withdrawn: PeopleKind = {
  input: "people",
  cannotUndo: "Merging, copying and moving people was removed and can no longer be undone.",
};

/** Every kind of long work. A new kind of bulk action needs an entry here and its words in components/bulk-actions/summary.ts. */
export const workKinds: Record<BulkActionKind, PeopleKind> & { import: PlanKind } = {
  import: { input: "plan", perform: commitPlan, undo: removeImported },
  confirm: { input: "people", perform: askToConfirm, undo: cancelConfirmations },
  activate: { input: "people", perform: moveMany, undo: restoreStatuses },
  unsubscribe: { input: "people", perform: moveMany, undo: restoreStatuses },
  tag: { input: "people", perform: changeMany, undo: restoreMany },
  untag: { input: "people", perform: changeMany, undo: restoreMany },
  set_field: { input: "people", perform: changeMany, undo: restoreMany },
  erase: erasing,
  forget: erasing,
  merge: withdrawn,
  copy: withdrawn,
  move: withdrawn,
};
