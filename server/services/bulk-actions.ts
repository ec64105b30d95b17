import {
  type BulkAction,
  type BulkActionKind,
  doneAtOnce,
  isErasing,
  type SkippedCounts,
} from "../contract/bulk-actions";
import { bulkUndoHours } from "../contract/spans";
import {
  type BulkActionRow,
  beginUndo,
  cancelAsked,
  claimBulkAction,
  endBulkAction,
  findBulkAction,
  findUnchanged,
  forgetUndo,
  insertBulkAction,
  listCurrent,
  markSeen,
  nextChanged,
  nextChosen,
  noteDone,
  noteRestored,
  rememberAsked,
  rememberStatus,
  restoreMails,
  stillMatching,
} from "../db/bulk-actions";
import type { Tx } from "../db/client";
import { insertMailing, joinMailing } from "../db/mailings";
import type { PeopleFilter } from "../db/people-filter";
import { deleteSubscribers, type LockedSubscriber, lockSubscribers } from "../db/subscribers";
import { idAfter, newId } from "../domain/ids";
import { mayMove, moveFrom } from "../domain/status-moves";
import { AppError } from "../errors";
import { recordPeople } from "./audit";
import { postConfirmations, sortAskable, sortSubscribers } from "./confirmation-requests";
import { actorOf, type Ctx, staffIdOf, withTransaction } from "./context";
import { countMatching, listPeople } from "./people";
import { setStatus } from "./set-status";

/** People in one transaction: their rows are locked until it commits, and they show as progress then. */
const CHUNK = 200;

type Newsletter = { id: string; accountId: string };
/** Who is meant: everybody who matches, or those chosen by hand. */
export type BulkTarget = { filter: PeopleFilter } | { ids: string[] };

function presentBulkAction(row: BulkActionRow, viewer: string | null): BulkAction {
  const { id, kind, state, by, total, done, skipped, undone, undoUntil, error } = row;
  const mine = viewer !== null && row.staffId === viewer;
  return { id, kind, state, by, mine, total, done, skipped, undone, undoUntil, error };
}

/** @throws AppError not_found */
export async function getBulkAction(
  ctx: Pick<Ctx, "db" | "actor">,
  newsletterId: string,
  id: string,
): Promise<BulkAction> {
  const row = await findBulkAction(ctx.db, newsletterId, id);
  if (!row) throw gone();
  return presentBulkAction(row, staffIdOf(ctx));
}

/** What is under way in a newsletter, anybody's, and the caller's own of the last day that they have not dismissed. */
export async function listBulkActions(
  ctx: Pick<Ctx, "db" | "actor">,
  newsletterId: string,
): Promise<BulkAction[]> {
  const viewer = staffIdOf(ctx);
  if (viewer === null) return [];
  return (await listCurrent(ctx.db, newsletterId, viewer)).map((row) => presentBulkAction(row, viewer));
}

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
    already.map(({ id }) => id),
  );
  return { done, skipped };
}

/** Does the action to locked people, and remembers what its undo needs. */
async function perform(ctx: Ctx, tx: Tx, action: BulkActionRow, people: LockedSubscriber[]): Promise<Result> {
  if (action.kind === "confirm") return askMany(ctx, tx, action, people);
  if (!isErasing(action.kind)) return moveMany(ctx, tx, action, people);
  const done = people.map(({ id }) => id);
  await deleteSubscribers(tx, action.newsletterId, done, { forget: action.kind === "forget" });
  return { done, skipped: {} };
}

/** Some people of an action, and the id that it continues beyond; null at its end. */
type Chunk = { ids: string[]; after: string | null };

/** One chunk of an action, in the caller's transaction: what is done to people, and the progress. */
async function doChunk(ctx: Ctx, tx: Tx, action: BulkActionRow, { ids, after }: Chunk): Promise<void> {
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
async function undoChunk(ctx: Ctx, tx: Tx, action: BulkActionRow, { ids, after }: Chunk): Promise<void> {
  const { id, newsletterId, accountId, kind, undoId } = action;
  const people = await lockSubscribers(tx, newsletterId, ids);
  const undone =
    kind === "confirm" ? await cancelAsked(tx, action, ids) : await restore(ctx, tx, action, people);
  const entry = { accountId, newsletterId, action: "people.undone", detail: { kind } } as const;
  if (undone.length > 0 && undoId)
    await recordPeople(ctx, tx, { ...entry, id: undoId, people: undone.length });
  await noteRestored(tx, id, { undone: undone.length, after });
}

/** The filter as a query takes it: its times were saved as text. */
function filterOf({ newsletterId, filter }: BulkActionRow): PeopleFilter {
  const parts = Object.entries(filter ?? {}).map(([name, value]) => [
    name,
    /(From|Before)$/.test(name) ? new Date(value) : value,
  ]);
  return { ...Object.fromEntries(parts), newsletterId };
}

const chunkOf = (ids: string[]): Chunk => ({ ids, after: (ids.length === CHUNK && ids.at(-1)) || null });

async function nextChunk(ctx: Pick<Ctx, "db">, action: BulkActionRow): Promise<Chunk> {
  const { after } = action;
  if (!action.filter) return chunkOf(await nextChosen(ctx.db, action, CHUNK));
  const from = after === null ? null : { after };
  const found = await listPeople(ctx, filterOf(action), { order: "newest", limit: CHUNK, from });
  return { ids: found.people.map(({ id }) => id), after: found.after };
}

/**
 * Does the next chunk of an action or of its undo. Any process may, at any time: the one that locks the action's row does.
 * @returns false when another process is doing it
 */
export async function continueBulkAction(
  ctx: Omit<Ctx, "actor" | "requestId">,
  action: BulkActionRow,
): Promise<boolean> {
  const { accountId, address } = action;
  const acting: Ctx = {
    ...ctx,
    // Whether they may was checked when they started it.
    actor: { kind: "staff", id: action.staffId ?? "", accountId, role: "editor", address },
    requestId: action.id,
  };
  // Read before the action is claimed, so that a transaction never waits for a second connection.
  const next = action.state === "running" ? await nextChunk(ctx, action) : null;
  return withTransaction(ctx, async (tx) => {
    if (!(await claimBulkAction(tx, action))) return false;
    if (next) await doChunk(acting, tx, action, next);
    else await undoChunk(acting, tx, action, chunkOf(await nextChanged(tx, action, CHUNK)));
    return true;
  });
}

/** How many people are meant; who they are when they are few; and an id above all of them, since others join later. */
async function resolve(
  ctx: Ctx,
  target: BulkTarget,
): Promise<{ total: number; few: string[] | null; below: string | null }> {
  if ("ids" in target) {
    const { ids } = target;
    return { total: ids.length, few: ids.length <= doneAtOnce ? ids : null, below: null };
  }
  const [{ people: total }, { people }] = await Promise.all([
    countMatching(ctx, target.filter),
    listPeople(ctx, target.filter, { order: "newest", limit: doneAtOnce, from: null }),
  ]);
  const below = people[0] ? idAfter(people[0].id) : null;
  if (total > doneAtOnce) return { total, few: null, below };
  return { total: people.length, few: people.map(({ id }) => id), below };
}

/** Writes the job that continues an action, in the transaction of what it continues. */
const addJob = (ctx: Ctx, tx: Tx, { newsletterId, id }: Pick<BulkActionRow, "newsletterId" | "id">) =>
  ctx.jobs.add(tx, "bulk-action", [{ data: { newsletterId, id } }]);

/**
 * Does one thing to people. A few are done when this returns, all or nothing; more are under way then, chunk by chunk,
 * in whichever process gets to it, until the action ends or is cancelled.
 * @param input target.ids: each once, at most `maxChosen`
 * @throws AppError what the action throws, of a few; then nothing was done
 */
export async function startBulkAction(
  ctx: Ctx,
  newsletter: Newsletter,
  { kind, target }: { kind: BulkActionKind; target: BulkTarget },
): Promise<BulkAction> {
  const { total, few, below } = await resolve(ctx, target);
  const id = newId();
  const action = {
    id,
    newsletterId: newsletter.id,
    staffId: staffIdOf(ctx),
    address: actorOf(ctx).address,
    kind,
    total,
    below,
    filter: "ids" in target ? null : { ...target.filter, newsletterId: undefined },
    ids: "ids" in target ? target.ids : null,
  };
  await withTransaction(ctx, async (tx) => {
    await insertBulkAction(tx, action);
    if (kind === "confirm" && total > 1) await insertMailing(tx, { ...action, kind });
    if (few === null) return addJob(ctx, tx, action);
    const row = await findBulkAction(tx, newsletter.id, id);
    await doChunk(ctx, tx, row as BulkActionRow, { ids: few, after: null });
    // Who is waiting for it sees the result at once.
    if (action.staffId) await markSeen(tx, action, action.staffId);
  });
  return getBulkAction(ctx, newsletter.id, id);
}

/** Stops an action between two chunks; what was done stays done. @throws AppError not_found */
export async function cancelBulkAction(ctx: Ctx, newsletterId: string, id: string): Promise<BulkAction> {
  await endBulkAction(ctx.db, newsletterId, id);
  return getBulkAction(ctx, newsletterId, id);
}

/**
 * Undoes an action, except for people who have changed since: at once when it was about a few, else chunk by chunk.
 * @throws AppError not_found; validation_error when it can't be undone (any more)
 */
export async function undoBulkAction(ctx: Ctx, newsletter: Newsletter, id: string): Promise<BulkAction> {
  await withTransaction(ctx, async (tx) => {
    const by = { staffId: staffIdOf(ctx), address: actorOf(ctx).address, undoId: newId() };
    const begun = await beginUndo(tx, { newsletterId: newsletter.id, id }, by);
    const action = await findBulkAction(tx, newsletter.id, id);
    if (!action) throw gone();
    if (!begun) throw cannotUndo(action);
    if (action.done > doneAtOnce) return addJob(ctx, tx, action);
    await undoChunk(ctx, tx, action, { ids: await nextChanged(tx, action, doneAtOnce), after: null });
    if (by.staffId) await markSeen(tx, action, by.staffId);
  });
  return getBulkAction(ctx, newsletter.id, id);
}

const gone = () => new AppError("not_found", "There is no such bulk action any more.");

function cannotUndo({ state, kind }: BulkActionRow): AppError {
  const message =
    state === "undone" || state === "undoing"
      ? "This is undone already."
      : state === "running"
        ? "This is still under way. Stop it first, then undo what was done."
        : isErasing(kind)
          ? "Who is erased is gone for good; nothing was changed."
          : `This is more than ${bulkUndoHours} hours old, so it can't be undone as a whole. The people can still be chosen on the People page.`;
  return new AppError("validation_error", message, { errors: { action: [message] } });
}

/** Dismisses the summary of one's own action. */
export async function dismissBulkAction(ctx: Ctx, newsletterId: string, id: string): Promise<void> {
  const viewer = staffIdOf(ctx);
  if (viewer !== null) await markSeen(ctx.db, { newsletterId, id }, viewer);
}
