import { type BulkAction, type BulkActionKind, doneAtOnce, type LeftReasons } from "../contract/bulk-actions";
import {
  type BulkActionRow,
  beginUndo,
  cancelRun,
  claimRun,
  findRun,
  insertRun,
  listRuns,
  nextChanged,
  nextChosen,
  noteProgress,
  noteUndone,
  putAway,
  putBack,
  stillMatching,
  takeMailsBack,
} from "../db/bulk-actions";
import type { Tx } from "../db/client";
import { lockPeople, noteMany } from "../db/people-acts";
import type { PeopleFilter } from "../db/people-filter";
import { idAfter, newId } from "../domain/ids";
import { AppError } from "../errors";
import { recordPeople } from "./audit";
import { type Ctx, withTransaction } from "./context";
import { count, page } from "./people";
import { noteOf, perform } from "./people-acts";

/** People in one transaction: each holds its people until it commits, and shows as progress then. */
const CHUNK = 200;

type Newsletter = { id: string; accountId: string };
/** Whom: everybody who matches, or those chosen by hand. */
export type BulkTarget = { filter: PeopleFilter } | { ids: string[] };

const staffId = ({ actor }: Pick<Ctx, "actor">) => (actor.kind === "staff" ? actor.id : null);

function present(row: BulkActionRow, viewer: string | null): BulkAction {
  const { id, act, state, by, total, done, reasons, undone, undoUntil, error } = row;
  const mine = viewer !== null && row.staffId === viewer;
  return { id, act, state, by, mine, total, done, left: reasons, undone, undoUntil, error };
}

async function getRun(ctx: Pick<Ctx, "db">, newsletterId: string, id: string): Promise<BulkActionRow> {
  const row = await findRun(ctx.db, newsletterId, id);
  if (!row) throw new AppError("not_found", "There is no such run any more.");
  return row;
}

/** One run as it stands. @throws AppError not_found */
export async function get(ctx: Pick<Ctx, "db" | "actor">, newsletterId: string, id: string) {
  return present(await getRun(ctx, newsletterId, id), staffId(ctx));
}

/** What is under way in a newsletter, anybody's, and the caller's own of the last day that they have not put away. */
export async function current(ctx: Pick<Ctx, "db" | "actor">, newsletterId: string): Promise<BulkAction[]> {
  const viewer = staffId(ctx);
  if (viewer === null) return [];
  return (await listRuns(ctx.db, newsletterId, viewer)).map((row) => present(row, viewer));
}

const auditOf = (
  row: Pick<BulkActionRow, "accountId" | "newsletterId">,
  action: string,
  subjectId?: string,
) => ({
  accountId: row.accountId,
  newsletterId: row.newsletterId,
  action,
  subjectId: subjectId ?? null,
});

/** One chunk of a run, in the caller's transaction: what is done to people, and how far the run is by then. */
async function carryOut(
  ctx: Ctx,
  tx: Tx,
  run: BulkActionRow,
  ids: string[],
  after: string | null,
): Promise<void> {
  const held = await lockPeople(tx, run.newsletterId, ids);
  const matching = run.filter && (await stillMatching(tx, filterOf(run), ids));
  const people = matching ? held.filter((person) => matching.has(person.id)) : held;
  const { done, left } = await perform(ctx, tx, run, people);
  if (done.length > 0) {
    // Ids and no addresses: what is erased must not live on in the log.
    const only = run.total === 1 ? done[0] : undefined;
    await recordPeople(ctx, tx, {
      ...auditOf(run, `people.${run.act}`, only),
      id: run.id,
      people: done.length,
    });
  }
  const missed = ids.length - people.length;
  const all: LeftReasons = missed > 0 ? { ...left, changed_meanwhile: missed } : left;
  await noteProgress(tx, run.id, { done: done.length, left: all, after });
}

/** One chunk of an undo, in the caller's transaction. */
async function takeBack(
  ctx: Ctx,
  tx: Tx,
  run: BulkActionRow,
  ids: string[],
  after: string | null,
): Promise<void> {
  const { id, newsletterId, act } = run;
  await lockPeople(tx, newsletterId, ids);
  let undone: string[];
  if (act === "confirm") {
    undone = await takeMailsBack(tx, id, newsletterId, ids);
  } else {
    const back = await putBack(tx, id, newsletterId, ids);
    undone = back.map((person) => person.id);
    await noteMany(tx, newsletterId, undone, "put_back", noteOf(ctx));
    if (back.some((person) => person.status === "pending")) await ctx.outbox.wake(tx);
  }
  if (undone.length > 0 && run.undoId)
    await recordPeople(ctx, tx, {
      ...auditOf(run, "people.undone"),
      id: run.undoId,
      people: undone.length,
      detail: { act },
    });
  await noteUndone(tx, id, { undone: undone.length, after });
}

/** Times were saved as text. */
function filterOf({ newsletterId, filter }: BulkActionRow): PeopleFilter {
  const parts = Object.entries(filter ?? {}).map(([name, value]) => [
    name,
    /(From|Before)$/.test(name) ? new Date(value) : value,
  ]);
  return { ...Object.fromEntries(parts), newsletterId };
}

/** The next people of a run; `after`: where it goes on beyond them, null at its end. */
async function nextOf(
  ctx: Pick<Ctx, "db">,
  run: BulkActionRow,
): Promise<{ ids: string[]; after: string | null }> {
  const { after } = run;
  if (run.filter) {
    const from = after === null ? null : { after };
    const found = await page(ctx, filterOf(run), { order: "newest", limit: CHUNK, from });
    return { ids: found.people.map((person) => person.id), after: found.after };
  }
  const ids = await nextChosen(ctx.db, run.id, after, CHUNK);
  return { ids, after: ids.length === CHUNK ? (ids.at(-1) as string) : null };
}

/**
 * Does the next chunk of a run or of its undo. Any process may, at any time: the one that gets hold of the run's row does.
 * @returns false when another is at it
 */
export async function step(ctx: Omit<Ctx, "actor" | "requestId">, run: BulkActionRow): Promise<boolean> {
  const { accountId, address } = run;
  const acting: Ctx = {
    ...ctx,
    // Whether they may was asked when they started it.
    actor: { kind: "staff", id: run.staffId ?? "", accountId, role: "editor", address },
    requestId: run.id,
  };
  // Read before the run is claimed, so that a transaction never waits for a second connection.
  const next = run.state === "running" ? await nextOf(ctx, run) : null;
  return withTransaction(ctx, async (tx) => {
    if (!(await claimRun(tx, run))) return false;
    if (next) {
      await carryOut(acting, tx, run, next.ids, next.after);
    } else {
      const ids = await nextChanged(tx, run.id, run.after, CHUNK);
      await takeBack(acting, tx, run, ids, ids.length === CHUNK ? (ids.at(-1) as string) : null);
    }
    return true;
  });
}

/** How many people are meant; who they are when they are few; and above whom nobody is, since they joined later. */
async function resolve(
  ctx: Ctx,
  target: BulkTarget,
): Promise<{ total: number; few: string[] | null; below: string | null }> {
  if ("ids" in target) {
    return {
      total: target.ids.length,
      few: target.ids.length <= doneAtOnce ? target.ids : null,
      below: null,
    };
  }
  const newest = { order: "newest", limit: doneAtOnce, from: null } as const;
  const [{ people: total }, { people }] = await Promise.all([
    count(ctx, target.filter),
    page(ctx, target.filter, newest),
  ]);
  const below = people[0] ? idAfter(people[0].id) : null;
  if (total > doneAtOnce) return { total, few: null, below };
  return { total: people.length, few: people.map((person) => person.id), below };
}

/**
 * Does one thing to people. A few are done when this returns, all or nothing; more are under way then, chunk by chunk,
 * in whichever process gets to it, until it ends or is cancelled.
 * @param whom ids: each once, at most `maxChosen`
 * @throws AppError what the act throws, of a few; then nothing was done
 */
export async function start(
  ctx: Ctx,
  newsletter: Newsletter,
  act: BulkActionKind,
  target: BulkTarget,
): Promise<BulkAction> {
  const { total, few, below } = await resolve(ctx, target);
  const id = newId();
  const run = {
    id,
    newsletterId: newsletter.id,
    staffId: staffId(ctx),
    address: noteOf(ctx).address,
    act,
    total,
    below,
    filter: null,
    ids: null,
    ...("ids" in target ? { ids: target.ids } : { filter: { ...target.filter, newsletterId: undefined } }),
  };
  if (few === null) {
    await withTransaction(ctx, async (tx) => {
      await insertRun(tx, run);
      await ctx.jobs.add(tx, "bulk-action", [{ data: { newsletterId: newsletter.id, id } }]);
    });
  } else {
    await withTransaction(ctx, async (tx) => {
      await insertRun(tx, run);
      await carryOut(ctx, tx, (await findRun(tx, newsletter.id, id)) as BulkActionRow, few, null);
      // Who is waiting for it is told at once.
      if (run.staffId) await putAway(tx, newsletter.id, id, run.staffId);
    });
  }
  return get(ctx, newsletter.id, id);
}

/** Stops a run between two chunks; what was done stays done. @throws AppError not_found */
export async function cancel(ctx: Ctx, newsletterId: string, id: string): Promise<BulkAction> {
  await getRun(ctx, newsletterId, id);
  await cancelRun(ctx.db, newsletterId, id);
  return get(ctx, newsletterId, id);
}

/**
 * Takes a run back, but for who has changed since: at once when it was about a few, else chunk by chunk.
 * @throws AppError not_found; validation_error when it can't be taken back (any more)
 */
export async function undo(ctx: Ctx, newsletter: Newsletter, id: string): Promise<BulkAction> {
  await withTransaction(ctx, async (tx) => {
    const who = { staffId: staffId(ctx), address: noteOf(ctx).address, undoId: newId() };
    if (!(await beginUndo(tx, newsletter.id, id, who))) throw rejection(await findRun(tx, newsletter.id, id));
    const run = (await findRun(tx, newsletter.id, id)) as BulkActionRow;
    if (run.done > doneAtOnce)
      return ctx.jobs.add(tx, "bulk-action", [{ data: { newsletterId: newsletter.id, id } }]);
    await takeBack(ctx, tx, run, await nextChanged(tx, id, null, doneAtOnce), null);
    if (who.staffId) await putAway(tx, newsletter.id, id, who.staffId);
  });
  return get(ctx, newsletter.id, id);
}

function rejection(run: BulkActionRow | null): AppError {
  if (!run) return new AppError("not_found", "There is no such run any more.");
  const message =
    run.state === "undone" || run.state === "undoing"
      ? "This is taken back already."
      : run.state === "running"
        ? "This is still under way. Cancel it first, then take back what was done."
        : run.act === "erase"
          ? "Who is erased is gone for good; nothing was changed."
          : "This is more than a day old, so it can't be taken back as a whole. The people can still be chosen on the People page.";
  return new AppError("validation_error", message, { errors: { run: [message] } });
}

/** Puts the summary of one's own run away. */
export async function dismiss(ctx: Ctx, newsletterId: string, id: string): Promise<void> {
  const viewer = staffId(ctx);
  if (viewer !== null) await putAway(ctx.db, newsletterId, id, viewer);
}
