import { setTimeout as sleep } from "node:timers/promises";
import type { ImportRecord, ImportState, Undone } from "../contract/imports";
import { importUndoDays } from "../contract/spans";
import { type Tx, withRetry } from "../db/client";
import {
  cancelOwnMails,
  claimUndo,
  countStayed,
  countUndo,
  deleteImported,
  lockUntouched,
  recordUndone,
} from "../db/import-undo";
import { openLongTransaction, tryLockImports } from "../db/long-transactions";
import { AppError } from "../errors";
import { record as recordAudit } from "./audit";
import type { Ctx } from "./context";
import { getImport } from "./imports";
import { withLowMemory } from "./low-memory";

const BATCH = 2_000;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

function notUndoable(state: ImportState): AppError {
  const message =
    state === "undone"
      ? "This import has been undone already."
      : state === "done"
        ? `This import is more than ${importUndoDays} days old, so it can't be undone as a whole. Its people can still be chosen on the People page.`
        : "Only an import that is done can be undone; this one added nobody.";
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
 * Deletes, all or nothing, the people an import added who have done nothing since, and cancels its unsent mails.
 * @throws AppError not_found; validation_error when it cannot be undone (any more)
 */
export async function undoImport(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  importId: string,
): Promise<ImportRecord> {
  const { number } = await getImport(ctx, newsletter.id, importId);
  const work = async (tx: Tx) => {
    await openLongTransaction(tx);
    while (!(await tryLockImports(tx, newsletter.id))) await sleep(100);
    if (!(await claimUndo(tx, newsletter.id, importId)))
      throw notUndoable((await getImport(ctx, newsletter.id, importId)).state);
    let [people, mails, after] = [0, 0, LOWEST_ID];
    for (;;) {
      const ids = await lockUntouched(tx, newsletter.id, importId, { after, limit: BATCH });
      if (ids.length === 0) break;
      mails += await deleteImported(tx, newsletter.id, ids);
      people += ids.length;
      after = ids.at(-1) as string;
    }
    mails += await cancelOwnMails(tx, newsletter.id, importId);
    const stayed = await countStayed(tx, newsletter.id, importId);
    await recordUndone(tx, importId, { people, stayed, mails });
    await recordAudit(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "import.undone",
      subjectId: importId,
      detail: { number, people },
    });
  };
  await withLowMemory(() => withRetry(() => ctx.db.$transaction(work, { timeout: 5 * 60_000 })));
  return getImport(ctx, newsletter.id, importId);
}
