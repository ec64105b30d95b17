import { setTimeout as sleep } from "node:timers/promises";
import type { ImportRecord, ImportState, Undone } from "../contract/imports";
import { importUndoDays } from "../contract/spans";
import type { Tx } from "../db/client";
import {
  cancelOwnMails,
  claimUndo,
  countStayed,
  countUndo,
  deleteBroughtSuppressions,
  deleteWithMails,
  finishUndo,
  lockUntouched,
  nameUndone,
  readOptOuts,
} from "../db/import-undo";
import { openLongTransaction, tryLockImports } from "../db/long-transactions";
import { suppress } from "../db/suppressions";
import { AppError } from "../errors";
import { record as recordAudit } from "./audit";
import { actorOf, type Ctx, staffIdOf, withTransaction } from "./context";
import { type ImportProgress, ImportStopped, type RunningImport } from "./import-commit";
import { getImport } from "./imports";

const BATCH = 2_000;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

function notUndoable(state: ImportState): AppError {
  const messages: Partial<Record<ImportState, string>> = {
    undone: "This import has already been undone.",
    undoing: "This import is already being undone.",
    done: `This import is more than ${importUndoDays} days old and can't be undone as a whole. Select its people on the People page instead.`,
  };
  const message = messages[state] ?? "This import added no people, so it can't be undone.";
  return new AppError("validation_error", message, { errors: { import: [message] } });
}

/** What an undo would do now. @throws AppError not_found; validation_error when it cannot be undone */
export async function planImportUndo(
  ctx: Pick<Ctx, "db">,
  newsletterId: string,
  importId: string,
): Promise<Undone> {
  const { undoUntil, state } = await getImport(ctx, newsletterId, importId);
  if (!undoUntil) throw notUndoable(state);
  return countUndo(ctx.db, newsletterId, importId);
}

/**
 * Begins to undo an import: it is `undoing` when this returns, and a job goes on with it.
 * @param input removeOptOuts: also the opt-outs that the list brought, which otherwise stay as suppressions
 * @throws AppError not_found; validation_error when it cannot be undone (any more)
 */
export async function undoImport(
  ctx: Ctx,
  newsletterId: string,
  { importId, removeOptOuts }: { importId: string; removeOptOuts: boolean },
): Promise<ImportRecord> {
  await getImport(ctx, newsletterId, importId);
  await withTransaction(ctx, async (tx) => {
    if (!(await claimUndo(tx, newsletterId, importId)))
      throw notUndoable((await getImport(ctx, newsletterId, importId)).state);
    const startedBy = {
      staffId: staffIdOf(ctx) ?? "",
      address: actorOf(ctx).address,
      requestId: ctx.requestId,
    };
    await ctx.jobs.add(tx, "import-undo", [{ data: { newsletterId, importId, startedBy, removeOptOuts } }]);
  });
  return getImport(ctx, newsletterId, importId);
}

/** An import that is being undone, and whether the opt-outs that it brought are removed, too. */
export type UndoingImport = RunningImport & { removeOptOuts: boolean };

/** Deletes these people with what the import brought with them. @returns unsent mails of theirs, and opt-outs among them */
async function removeBatch(
  tx: Tx,
  { record, newsletter, removeOptOuts }: UndoingImport,
  ids: string[],
): Promise<{ mails: number; optOuts: number }> {
  const brought = { importId: record.id, ids };
  const optOuts = record.counts.new_unsubscribed > 0 ? await readOptOuts(tx, newsletter.id, brought) : [];
  if (optOuts.length > 0) await deleteBroughtSuppressions(tx, newsletter.id, brought);
  const mails = await deleteWithMails(tx, newsletter.id, ids);
  // Afterwards, since the addresses of deleted people are removed from their suppressions.
  if (!removeOptOuts) await suppress(tx, optOuts);
  return { mails, optOuts: optOuts.length };
}

/**
 * Deletes, all or nothing and in this transaction, the people an import added who have done nothing since, and cancels its
 * unsent mails. @throws ImportStopped
 */
export async function removeImported(
  ctx: Ctx,
  tx: Tx,
  undoing: UndoingImport,
  progress: ImportProgress,
): Promise<void> {
  const { record, newsletter, removeOptOuts } = undoing;
  const { id, number, rows } = record;
  const checkStopped = () => {
    if (progress.stopped()) throw new ImportStopped();
  };
  progress.written = rows;
  await openLongTransaction(tx);
  await nameUndone(tx, id);
  while (!(await tryLockImports(tx, newsletter.id))) {
    checkStopped();
    await sleep(100);
  }
  let [people, mails, optOuts, after] = [0, 0, 0, LOWEST_ID];
  for (;;) {
    checkStopped();
    const ids = await lockUntouched(tx, newsletter.id, id, { after, limit: BATCH });
    if (ids.length === 0) break;
    const batch = await removeBatch(tx, undoing, ids);
    mails += batch.mails;
    optOuts += batch.optOuts;
    people += ids.length;
    progress.written = rows - people;
    after = ids.at(-1) as string;
  }
  mails += await cancelOwnMails(tx, newsletter.id, id);
  const stayed = await countStayed(tx, newsletter.id, id);
  await recordAudit(ctx, tx, {
    accountId: newsletter.accountId,
    newsletterId: newsletter.id,
    action: "import.undone",
    subjectId: id,
    detail: {
      number,
      people,
      ...(optOuts > 0 && { [removeOptOuts ? "optOutsRemoved" : "optOutsKept"]: optOuts }),
    },
  });
  const undone = { people, stayed, mails, optOuts: removeOptOuts ? 0 : optOuts };
  if (!(await finishUndo(tx, id, undone))) throw new ImportStopped();
}
