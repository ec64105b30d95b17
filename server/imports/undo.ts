import { withTransaction } from "../accounts/context";
import { importUndoDays } from "../kernel/durations";
import { AppError } from "../kernel/errors";
import type { Ctx } from "../subscribers/context";
import { addWork } from "../work/add-work";
import { getImport } from "./imports";
import { claimUndo, countUndo } from "./queries/import-undo";
import type { ImportRecord, ImportState, Undone } from "./schema/imports";

function notUndoable(state: ImportState): AppError {
  const messages: Partial<Record<ImportState, string>> = {
    undone: "This import has already been undone.",
    undoing: "This import is already being undone.",
    done: `This import is more than ${importUndoDays} days old and can't be undone as a whole. Select its people on the People page instead.`,
  };
  const message = messages[state] ?? "This import added no people, so it can't be undone.";
  return new AppError("validation_error", message, { errors: { import: [message] } });
}

/** Counts what an undo would do now. @throws AppError not_found; validation_error when the import cannot be undone */
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
 * Starts an undo: the import's state is `undoing` on return and a job does the work.
 * @param input removeOptOuts: also remove the opt-outs of the list, which otherwise stay as suppressions
 * @throws AppError not_found; validation_error when the import cannot be undone
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
    await addWork(ctx, tx, { id: importId, removeOptOuts });
  });
  return getImport(ctx, newsletterId, importId);
}
