import { isErasing, type SkippedCounts } from "../contract/bulk-actions";
import { PeopleFilterInput } from "../contract/people-filter";
import {
  type BulkActionRow,
  cancelAsked,
  findUnchanged,
  forgetUndo,
  noteDone,
  noteRestored,
  rememberAsked,
  rememberStatus,
  restoreMails,
  stillMatching,
} from "../db/bulk-actions";
import type { Tx } from "../db/client";
import { joinMailing } from "../db/mailings";
import type { PeopleFilter } from "../db/people-filter";
import { deleteSubscribers, type LockedSubscriber, lockSubscribers } from "../db/subscribers";
import { mayMove, moveFrom } from "../domain/status-moves";
import { recordPeople } from "./audit";
import { changeMany, restoreMany } from "./bulk-changes";
import { postConfirmations, sortAskable, sortSubscribers } from "./confirmation-requests";
import type { Ctx } from "./context";
import { setStatus } from "./set-status";

type Result = { done: string[]; skipped: SkippedCounts };

async function askMany(ctx: Ctx, tx: Tx, action: BulkActionRow, people: LockedSubscriber[]): Promise<Result> {
  const { chosen, skipped } = await sortAskable(tx, action.newsletterId, people);
  const done = chosen.map(({ id }) => id);
  const mailing = await joinMailing(tx, action.id);
  await rememberAsked(tx, action.id, done, await postConfirmations(ctx, tx, chosen, mailing));
  return { done, skipped };
}

const causeOf = ({ id }: BulkActionRow) => ({ kind: "bulk_action", id }) as const;

async function moveMany(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  people: LockedSubscriber[],
): Promise<Result> {
  const to = action.kind === "activate" ? "active" : "unsubscribed";
  const { chosen, skipped } = sortSubscribers(people, (person) => {
    if (person.status === to) return "already";
    if (!mayMove(moveFrom(person), to, ctx.actor.kind)) return "unsubscribed";
    return to === "active" && person.suppression ? "not_to_be_mailed" : null;
  });
  const done = chosen.map(({ id }) => id);
  await rememberStatus(tx, action, done);
  await setStatus(tx, { subscribers: chosen, to, actor: ctx.actor, cause: causeOf(action) });
  const already = people.filter(({ status }) => status === to && to === "unsubscribed");
  await forgetUndo(
    tx,
    action.newsletterId,
    already.map(({ id }) => id),
  );
  return { done, skipped };
}

/** Does the action to locked people, and remembers what its undo needs. */
async function perform(ctx: Ctx, tx: Tx, action: BulkActionRow, people: LockedSubscriber[]): Promise<Result> {
  if (action.change) return changeMany(ctx, tx, action, people);
  if (action.kind === "confirm") return askMany(ctx, tx, action, people);
  if (!isErasing(action.kind)) return moveMany(ctx, tx, action, people);
  const done = people.map(({ id }) => id);
  await deleteSubscribers(tx, action.newsletterId, done, { forget: action.kind === "forget" });
  return { done, skipped: {} };
}

/** Some people of an action, and the id that it continues beyond; null at its end. */
export type Chunk = { ids: string[]; after: string | null };

/** One chunk of an action, in the caller's transaction: what is done to people, and the progress. */
export async function doChunk(ctx: Ctx, tx: Tx, action: BulkActionRow, { ids, after }: Chunk): Promise<void> {
  const { newsletterId, accountId, kind } = action;
  const locked = await lockSubscribers(tx, newsletterId, ids);
  const matching = action.filter && (await stillMatching(tx, filterOf(action), ids));
  const people = matching ? locked.filter(({ id }) => matching.has(id)) : locked;
  const { done, skipped } = await perform(ctx, tx, action, people);
  // Ids and no addresses: who is erased must not remain in the log.
  const subjectId = (action.total === 1 && done[0]) || null;
  const entry = { accountId, newsletterId, action: `people.${kind}`, subjectId } as const;
  if (done.length > 0) await recordPeople(ctx, tx, { ...entry, id: action.id, people: done.length });
  const missed = ids.length - people.length;
  const counts = missed > 0 ? { ...skipped, changed_meanwhile: missed } : skipped;
  await noteDone(tx, action.id, { done: done.length, skipped: counts, after });
}

/** Restores the status of people who have not changed since, and the confirmations that the action cancelled. */
async function restore(
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

/** One chunk of an undo, in the caller's transaction. */
export async function undoChunk(
  ctx: Ctx,
  tx: Tx,
  action: BulkActionRow,
  { ids, after }: Chunk,
): Promise<void> {
  const { id, newsletterId, accountId, kind, undoId } = action;
  const people = await lockSubscribers(tx, newsletterId, ids);
  const undo = () => {
    if (action.change) return restoreMany(ctx, tx, action, people);
    return kind === "confirm" ? cancelAsked(tx, action, ids) : restore(ctx, tx, action, people);
  };
  const undone = await undo();
  const entry = { accountId, newsletterId, action: "people.undone", detail: { kind } } as const;
  if (undone.length > 0 && undoId)
    await recordPeople(ctx, tx, { ...entry, id: undoId, people: undone.length });
  await noteRestored(tx, id, { undone: undone.length, after });
}

/** The filter as a query takes it: it was saved as JSON, maybe by an earlier version. */
export function filterOf({ newsletterId, filter }: BulkActionRow): PeopleFilter {
  return { ...PeopleFilterInput.parse(filter ?? {}), newsletterId };
}
