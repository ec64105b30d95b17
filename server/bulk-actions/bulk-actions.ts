import { staffIdOf, withTransaction } from "../accounts/context";
import { bulkUndoHours } from "../kernel/durations";
import { invalidField, noLongerExists } from "../kernel/errors";
import { idAfter, newId } from "../kernel/ids";
import { insertMailing } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { countPeople, newestMatching, type PeopleFilter } from "../subscribers/shared-queries";
import { addWork } from "../work/add-work";
import { resolveChange } from "./attribute-actions";
import { doChunk, undoChunk } from "./chunks";
import { bulkActionKinds } from "./kinds";
import {
  type BulkActionRow,
  beginUndo,
  dismissSummary,
  endBulkAction,
  findBulkAction,
  insertBulkAction,
  listCurrent,
  nextChanged,
} from "./queries/bulk-actions";
import type { StoredChange } from "./queries/bulk-changes";
import { type BulkActionKind, immediateLimit, isErasing } from "./schema/bulk-actions";
import type { BulkChange } from "./schema/bulk-changes";

/** The people of a bulk action: everybody who matches a filter, or selected people. */
export type BulkTarget = { filter: PeopleFilter } | { ids: string[] };

/** A bulk action as the dashboard shows it. mine: the viewer started it. */
function presentBulkAction(row: BulkActionRow, viewer: string | null) {
  const { id, kind, state, by, total, done, skipped, undone, undoUntil, error } = row;
  const mine = viewer !== null && row.staffId === viewer;
  const seen = Object.values(skipped).reduce((sum, people) => sum + people, done);
  const progress = state === "undoing" ? { done: undone, total: done } : { done: seen, total };
  return { id, kind, state, by, mine, progress, total, done, skipped, undone, undoUntil, error };
}

type OfBulkAction = { newsletterId: string; id: string };

/** @throws AppError not_found */
export async function getBulkAction(ctx: Pick<Ctx, "db" | "actor">, { newsletterId, id }: OfBulkAction) {
  const row = await findBulkAction(ctx.db, newsletterId, id);
  if (!row) throw noLongerExists("bulk action");
  return presentBulkAction(row, staffIdOf(ctx));
}

/** The newsletter's actions under way, and the caller's own of the last day that the caller has not dismissed. */
export async function listBulkActions(
  ctx: Pick<Ctx, "db" | "actor">,
  { newsletterId }: { newsletterId: string },
) {
  const viewer = staffIdOf(ctx);
  const rows = viewer === null ? [] : await listCurrent(ctx.db, newsletterId, viewer);
  return rows.map((row) => presentBulkAction(row, viewer));
}

/**
 * Counts the people of an action, and returns their ids if they are few. `below` is an id above all of them, which
 * excludes people who join later.
 */
async function resolve(
  ctx: Ctx,
  target: BulkTarget,
): Promise<{ total: number; few: string[] | null; below: string | null }> {
  if ("ids" in target) {
    const { ids } = target;
    return { total: ids.length, few: ids.length <= immediateLimit ? ids : null, below: null };
  }
  const [total, ids] = await Promise.all([
    countPeople(ctx.db, target.filter),
    newestMatching(ctx.db, target.filter, immediateLimit),
  ]);
  const below = ids[0] ? idAfter(ids[0]) : null;
  return total > immediateLimit ? { total, few: null, below } : { total: ids.length, few: ids, below };
}

type NewAction = {
  newsletterId: string;
  kind: BulkActionKind;
  target: BulkTarget;
  change?: StoredChange | null;
  /** Runs first, in the action's transaction, and returns its change. */
  prepare?(tx: Tx): Promise<StoredChange>;
};

/**
 * Starts an action on people. A few people are done when this returns, all or nothing. More people are processed in the
 * background, chunk by chunk, by any process, until the action ends or is cancelled.
 * @param input target.ids: each once, at most `maxSelected`
 * @throws AppError errors of the action when it is done at once; then nothing was changed
 */
export async function startBulkAction(
  ctx: Ctx,
  { newsletterId, kind, target, change = null, prepare }: NewAction,
) {
  const { total, few, below } = await resolve(ctx, target);
  const id = newId();
  const action = {
    id,
    newsletterId,
    staffId: staffIdOf(ctx),
    kind,
    change,
    total,
    below,
    filter: "ids" in target ? null : target.filter.filters,
    ids: "ids" in target ? target.ids : null,
  };
  await withTransaction(ctx, async (tx) => {
    const prepared = prepare ? { ...action, change: await prepare(tx) } : action;
    await insertBulkAction(tx, prepared);
    if (kind === "confirm" && total > 1) await insertMailing(tx, { ...action, kind });
    if (few === null) return addWork(ctx, tx, { id });
    const row = await findBulkAction(tx, newsletterId, id);
    await doChunk(ctx, tx, row as BulkActionRow, { ids: few, after: null });
    // The staff member who started the action sees the result at once.
    if (action.staffId) await dismissSummary(tx, action, action.staffId);
  });
  return getBulkAction(ctx, { newsletterId, id });
}

/** Changes tags or a field of people; see `startBulkAction`. @throws AppError validation_error on `fields.KEY` or `tags` */
export async function startBulkChange(
  ctx: Ctx,
  { newsletterId, change, target }: { newsletterId: string; change: BulkChange; target: BulkTarget },
) {
  const stored = await resolveChange(ctx, newsletterId, change);
  return startBulkAction(ctx, { newsletterId, kind: change.kind, target, change: stored });
}

/** Stops an action between two chunks. Finished chunks stay. @throws AppError not_found */
export async function cancelBulkAction(ctx: Ctx, of: OfBulkAction) {
  await endBulkAction(ctx.db, of.newsletterId, of.id);
  return getBulkAction(ctx, of);
}

/**
 * Undoes an action, except for people who have changed since. Small actions are undone at once, others chunk by chunk.
 * @throws AppError not_found; validation_error when the action can't be undone or can no longer be undone
 */
export async function undoBulkAction(ctx: Ctx, of: OfBulkAction) {
  const { newsletterId, id } = of;
  await withTransaction(ctx, async (tx) => {
    const by = { staffId: staffIdOf(ctx), undoId: newId() };
    const begun = await beginUndo(tx, { newsletterId, id }, by);
    const action = await findBulkAction(tx, newsletterId, id);
    if (!action) throw noLongerExists("bulk action");
    if (!begun) throw invalidField("action", whyNotUndoable(action));
    await bulkActionKinds[action.kind].beforeUndo?.(tx, action);
    if (action.done > immediateLimit) return addWork(ctx, tx, { id });
    await undoChunk(ctx, tx, action, { ids: await nextChanged(tx, action, immediateLimit), after: null });
    if (by.staffId) await dismissSummary(tx, action, by.staffId);
  });
  return getBulkAction(ctx, of);
}

function whyNotUndoable({ state, kind, done }: BulkActionRow): string {
  if (state === "undone" || state === "undoing") return "This action has already been undone.";
  if (state === "running") return "This action is still running. Stop it first, then undo it.";
  if (isErasing(kind)) return "Erased people can't be restored.";
  if (done === 0) return "This action changed no people, so there is nothing to undo.";
  return `This action is more than ${bulkUndoHours} hours old and can't be undone as a whole. Select the people on the People page instead.`;
}

export async function dismissBulkAction(ctx: Ctx, { newsletterId, id }: OfBulkAction): Promise<void> {
  const viewer = staffIdOf(ctx);
  if (viewer !== null) await dismissSummary(ctx.db, { newsletterId, id }, viewer);
}
