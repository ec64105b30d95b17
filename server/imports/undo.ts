import { withTransaction } from "../accounts/context";
import { importUndoDays } from "../kernel/durations";
import { type AppError, invalidField } from "../kernel/errors";
import type { Ctx } from "../subscribers/context";
import { addWork } from "../work/add-work";
import { getImport, type OfImport } from "./imports";
import { claimUndo, countUndo } from "./queries/import-undo";
import type { ImportRecord, ImportState, Undone } from "./schema/imports";

function notUndoable(state: ImportState): AppError {
  const messages: Partial<Record<ImportState, string>> = {
    undone: "This import has already been undone.",
    undoing: "This import is already being undone.",
    done: `This import is more than ${importUndoDays} days old and can't be undone as a whole. Select its people on the People page instead.`,
  };
  const message = messages[state] ?? "This import added no people, so it can't be undone.";
  return invalidField("import", message);
}

/** Counts what an undo would do now. @throws AppError not_found; validation_error when the import cannot be undone */
export async function planImportUndo(ctx: Pick<Ctx, "db">, of: OfImport): Promise<Undone> {
  const { undoUntil, state } = await getImport(ctx, of);
  if (!undoUntil) throw notUndoable(state);
  return countUndo(ctx.db, of.newsletterId, of.importId);
}

/**
 * Starts an undo: the import's state is `undoing` on return and a job does the work.
 * @param input removeOptOuts: also remove the opt-outs of the list, which otherwise stay as suppressions
 * @throws AppError not_found; validation_error when the import cannot be undone
 */
export async function undoImport(
  ctx: Ctx,
  { removeOptOuts, ...of }: OfImport & { removeOptOuts: boolean },
): Promise<ImportRecord> {
  await getImport(ctx, of);
  await withTransaction(ctx, async (tx) => {
    if (!(await claimUndo(tx, of.newsletterId, of.importId)))
      throw notUndoable((await getImport(ctx, of)).state);
    await addWork(ctx, tx, { id: of.importId, removeOptOuts });
  });
  return getImport(ctx, of);
}
