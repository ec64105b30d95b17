import { joinMailing } from "../mail/shared-queries";
import { postConfirmations, sortAskable } from "../subscribers/confirmation-requests";
import { deleteSubscribers } from "../subscribers/shared-queries";
import { restoreRetired } from "../subscribers/tag-changes";
import { suppressionSource } from "../suppressions/source";
import { onTags, setField } from "./attribute-actions";
import { cancelWritten } from "./queries/bulk-actions";
import { storeUndoData } from "./queries/bulk-changes";
import type { BulkActionKind } from "./schema/bulk-actions";
import {
  type ActionResult,
  changeStatuses,
  type ForPeople,
  type PeopleKind,
  restoreStatuses,
} from "./status-actions";

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

const retag: PeopleKind = {
  ...onTags((had, [from, to]) => [...new Set(had.flatMap((tag) => (tag === from ? (to ?? []) : tag)))]),
  async beforeUndo(tx, { newsletterId, change }) {
    const { tags: [number] = [], retired } = change ?? {};
    if (number && retired) await restoreRetired(tx, { newsletterId, number, ...retired });
  },
};

/** Every kind of bulk action. A new one needs an entry here, and its texts in bulkActions.json of each language. */
export const bulkActionKinds: Record<BulkActionKind, PeopleKind> = {
  confirm: { perform: askToConfirm, undo: cancelConfirmations },
  activate: { perform: changeStatuses, undo: restoreStatuses },
  unsubscribe: { perform: changeStatuses, undo: restoreStatuses },
  tag: onTags((had, given) => [...had, ...given.filter((tag) => !had.includes(tag))]),
  untag: onTags((had, given) => had.filter((tag) => !given.includes(tag))),
  set_field: setField,
  retag,
  erase: { perform: erase },
  forget: { perform: erase },
};
