import { recordPeople } from "../accounts/audit";
import { withTransaction } from "../accounts/context";
import type { Db, Tx } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { checkFieldsOf } from "../subscribers/filters";
import { lockSubscribers, newestMatching, type PeopleFilter } from "../subscribers/shared-queries";
import { bulkActionKinds } from "./kinds";
import {
  type BulkActionRow,
  findStillMatching,
  lockBulkAction,
  nextChanged,
  nextSelected,
  saveProgress,
  saveUndoProgress,
} from "./queries/bulk-actions";

/** The number of people per transaction. Their rows are locked until the commit, which also updates the progress. */
const CHUNK = 200;

/** Some people of an action. The action continues after the id `after`; null: this is the last chunk. */
type Chunk = { ids: string[]; after: string | null };

/** Runs one chunk of an action and stores the progress, in the caller's transaction. */
export async function doChunk(ctx: Ctx, tx: Tx, action: BulkActionRow, { ids, after }: Chunk): Promise<void> {
  const { newsletterId, accountId, kind } = action;
  const locked = await lockSubscribers(tx, newsletterId, ids);
  const filter = filterOf(action);
  if (filter) await checkFieldsOf(tx, newsletterId, filter.filters);
  const matching = filter && (await findStillMatching(tx, filter, ids));
  const people = matching ? locked.filter(({ id }) => matching.has(id)) : locked;
  const { done, skipped } = await bulkActionKinds[kind].perform(ctx, tx, action, people);
  // The log holds ids instead of addresses, so that erased people don't remain in it.
  const subjectId = (action.total === 1 && done[0]) || null;
  const entry = { accountId, newsletterId, action: `people.${kind}`, subjectId } as const;
  if (done.length > 0) await recordPeople(ctx, tx, { ...entry, id: action.id, people: done.length });
  const missed = ids.length - people.length;
  const changed = (skipped.changed_meanwhile ?? 0) + missed;
  const counts = changed > 0 ? { ...skipped, changed_meanwhile: changed } : skipped;
  await saveProgress(tx, action.id, { done: done.length, skipped: counts, after });
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
  const { undo } = bulkActionKinds[kind];
  const undone = undo ? await undo(ctx, tx, action, people) : [];
  const entry = { accountId, newsletterId, action: "people.undone", detail: { kind } } as const;
  if (undone.length > 0 && undoId)
    await recordPeople(ctx, tx, { ...entry, id: undoId, people: undone.length });
  await saveUndoProgress(tx, id, { undone: undone.length, after });
}

/** The filter of an action; null when people were selected one by one. */
export const filterOf = ({ newsletterId, filter }: BulkActionRow): PeopleFilter | null =>
  filter && { newsletterId, filters: filter };

const chunkOf = (ids: string[]): Chunk => ({ ids, after: (ids.length === CHUNK && ids.at(-1)) || null });

function nextPeople(db: Db, action: BulkActionRow): Promise<string[]> {
  const filter = filterOf(action);
  return filter ? newestMatching(db, filter, CHUNK, action.after) : nextSelected(db, action, CHUNK);
}

/** Runs the next chunk of an action or of its undo, unless it was cancelled or continued since the action was read. */
export async function continueBulkAction(ctx: Ctx, action: BulkActionRow): Promise<void> {
  // Read before the action is locked, so that a transaction never waits for a second connection.
  const next = action.state === "running" ? await nextPeople(ctx.db, action) : null;
  await withTransaction(ctx, async (tx) => {
    if (!(await lockBulkAction(tx, action))) return;
    if (next) await doChunk(ctx, tx, action, chunkOf(next));
    else await undoChunk(ctx, tx, action, chunkOf(await nextChanged(tx, action, CHUNK)));
  });
}
