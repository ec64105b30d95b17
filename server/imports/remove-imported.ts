import { record as recordAudit } from "../accounts/audit";
import { LOWEST_ID } from "../kernel/ids";
import type { Tx } from "../platform/db/client";
import { openLongTransaction, waitForImports } from "../platform/db/long-transactions";
import type { Ctx } from "../subscribers/context";
import { suppress } from "../suppressions/shared-queries";
import type { Report, RunningImport } from "./commit";
import {
  cancelOwnMails,
  countRemaining,
  deleteBroughtSuppressions,
  deleteWithMails,
  finishUndo,
  lockUnchanged,
  readImportedOptOuts,
  setUndoneImport,
} from "./queries/import-undo";

const BATCH = 2_000;

/** A running undo. `removeOptOuts` also removes the opt-outs that the import added. */
export type UndoingImport = RunningImport & { removeOptOuts: boolean };

/** Deletes people and everything the import added with them. @returns counts of unsent emails and of opt-outs */
async function removeBatch(
  tx: Tx,
  { record, newsletter, removeOptOuts }: UndoingImport,
  ids: string[],
): Promise<{ mails: number; optOuts: number }> {
  const brought = { importId: record.id, ids };
  const optOuts =
    record.counts.new_unsubscribed > 0 ? await readImportedOptOuts(tx, newsletter.id, brought) : [];
  if (optOuts.length > 0) await deleteBroughtSuppressions(tx, newsletter.id, brought);
  const mails = await deleteWithMails(tx, newsletter.id, ids);
  // After the deletion, because deleting a person removes the address from their suppression.
  if (!removeOptOuts) await suppress(tx, optOuts);
  return { mails, optOuts: optOuts.length };
}

/**
 * Deletes the imported people who have not changed since, all or none, and cancels the import's unsent emails.
 * @returns false if the undo has ended in the meantime; the caller must then roll back
 */
export async function removeImported(
  ctx: Ctx,
  tx: Tx,
  undoing: UndoingImport,
  report: Report,
): Promise<boolean> {
  const { record, newsletter, removeOptOuts } = undoing;
  const { id, number, rows } = record;
  await openLongTransaction(tx);
  await setUndoneImport(tx, id);
  await waitForImports(tx, newsletter.id, () => report(rows));
  let [people, mails, optOuts, after] = [0, 0, 0, LOWEST_ID];
  for (;;) {
    await report(rows - people);
    const ids = await lockUnchanged(tx, newsletter.id, id, { after, limit: BATCH });
    if (ids.length === 0) break;
    const batch = await removeBatch(tx, undoing, ids);
    mails += batch.mails;
    optOuts += batch.optOuts;
    people += ids.length;
    after = ids.at(-1) as string;
  }
  mails += await cancelOwnMails(tx, newsletter.id, id);
  const stayed = await countRemaining(tx, newsletter.id, id);
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
  return finishUndo(tx, id, undone);
}
