import { isErasing } from "../contract/bulk-actions";
import {
  type BulkActionRow,
  cancelAsked,
  noteDone,
  noteRestored,
  rememberAsked,
  stillMatching,
} from "../db/bulk-actions";
import type { Tx } from "../db/client";
import { joinMailing } from "../db/mailings";
import type { PeopleFilter } from "../db/people-filter";
import { deleteSubscribers, type LockedSubscriber, lockSubscribers } from "../db/subscribers";
import { recordPeople } from "./audit";
import { changeMany, restoreMany } from "./bulk-changes";
import { type ActionResult, moveMany, restoreStatuses } from "./bulk-moves";
import { postConfirmations, sortAskable } from "./confirmation-requests";
import type { Ctx } from "./context";
import { checkFieldsOf } from "./filters";
import { suppressionSource } from "./suppressions";

async function askMany(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  const { chosen, skipped } = await sortAskable(tx, action.newsletterId, people);
  const done = chosen.map(({ id }) => id);
  const mailing = await joinMailing(tx, action.id);
  await rememberAsked(tx, action.id, done, await postConfirmations(ctx, tx, chosen, mailing));
  return { done, skipped };
}

/** Does the action to locked people, and remembers what its undo needs. */
async function perform(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<ActionResult> {
  if (action.change) return changeMany(ctx, tx, action, people);
  if (action.kind === "confirm") return askMany(ctx, tx, action, people);
  if (!isErasing(action.kind)) return moveMany(ctx, tx, action, people);
  const done = people.map(({ id }) => id);
  await deleteSubscribers(
    tx,
    action.newsletterId,
    done,
    action.kind === "forget" ? {} : { by: suppressionSource(ctx) },
  );
  return { done, skipped: {} };
}

/** Some people of an action, and the id that it continues beyond; null at its end. */
export type Chunk = { ids: string[]; after: string | null };

/** One chunk of an action, in the caller's transaction: what is done to people, and the progress. */
export async function doChunk(ctx: Ctx, tx: Tx, action: BulkActionRow, { ids, after }: Chunk): Promise<void> {
  const { newsletterId, accountId, kind } = action;
  const locked = await lockSubscribers(tx, newsletterId, ids);
  const filter = filterOf(action);
  if (filter) await checkFieldsOf(tx, newsletterId, filter.filters);
  const matching = filter && (await stillMatching(tx, filter, ids));
  const people = matching ? locked.filter(({ id }) => matching.has(id)) : locked;
  const { done, skipped } = await perform(ctx, tx, action, people);
  // Ids and no addresses: who is erased must not remain in the log.
  const subjectId = (action.total === 1 && done[0]) || null;
  const entry = { accountId, newsletterId, action: `people.${kind}`, subjectId } as const;
  if (done.length > 0) await recordPeople(ctx, tx, { ...entry, id: action.id, people: done.length });
  const missed = ids.length - people.length;
  const changed = (skipped.changed_meanwhile ?? 0) + missed;
  const counts = changed > 0 ? { ...skipped, changed_meanwhile: changed } : skipped;
  await noteDone(tx, action.id, { done: done.length, skipped: counts, after });
}

/** One chunk of an undo, in the caller's transaction. */
export async function undoChunk(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  { ids, after }: Chunk,
): Promise<void> {
  const { id, newsletterId, accountId, kind, undoId, change } = action;
  const people = await lockSubscribers(tx, newsletterId, ids);
  const undo = () => {
    if (change) return restoreMany(ctx, tx, action, people);
    return kind === "confirm" ? cancelAsked(tx, action, ids) : restoreStatuses(ctx, tx, action, people);
  };
  const undone = await undo();
  const entry = { accountId, newsletterId, action: "people.undone", detail: { kind } } as const;
  if (undone.length > 0 && undoId)
    await recordPeople(ctx, tx, { ...entry, id: undoId, people: undone.length });
  await noteRestored(tx, id, { undone: undone.length, after });
}

/** The filter of an action; null when people were chosen by hand. */
export const filterOf = ({ newsletterId, filter }: BulkActionRow): PeopleFilter | null =>
  filter && { newsletterId, filters: filter };
