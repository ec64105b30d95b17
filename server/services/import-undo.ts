import { setTimeout as sleep } from "node:timers/promises";
import { type ImportRun, undoDays } from "../contract/imports";
import { type Tx, withRetry } from "../db/client";
import { cutNamed, takeNamesBack } from "../db/import-names";
import {
  cancelOwnMails,
  claimUndo,
  countStayed,
  countUndo,
  lockUntouched,
  noteUndone,
  takeBack,
} from "../db/import-undo";
import { openLongTransaction, tryLockImports } from "../db/long-transactions";
import { noteMany } from "../db/people-acts";
import { AppError } from "../errors";
import { record } from "./audit";
import type { Ctx } from "./context";
import { get, getRow } from "./imports";
import { withLowMemory } from "./low-memory";

const CHUNK = 2_000;
const LOWEST_ID = "00000000-0000-0000-0000-000000000000";

function rejection(state: string): AppError {
  const message =
    state === "undone"
      ? "This import has been taken back already."
      : state === "done"
        ? `This import is more than ${undoDays} days old, so it can't be taken back as a whole. Its people can still be chosen on the People page.`
        : "Only an import that is done can be taken back; this one added nobody.";
  return new AppError("validation_error", message, { errors: { import: [message] } });
}

/** What an undo would do now. @throws AppError not_found; validation_error when it cannot be undone */
export async function undoPlan(ctx: Pick<Ctx, "db">, newsletterId: string, importId: string) {
  const row = await getRow(ctx, newsletterId, importId);
  if (!row.undoUntil) throw rejection(row.state);
  return countUndo(ctx.db, newsletterId, importId);
}

/**
 * Takes back, all or nothing, the people a run added who have done nothing since, its mails that have not left, and the
 * names it filled in where nothing has changed them.
 * @throws AppError not_found; validation_error when it cannot be undone (any more)
 */
export async function undo(
  ctx: Ctx,
  newsletter: { id: string; accountId: string },
  importId: string,
): Promise<ImportRun> {
  const { number } = await getRow(ctx, newsletter.id, importId);
  const work = async (tx: Tx) => {
    await openLongTransaction(tx);
    while (!(await tryLockImports(tx, newsletter.id))) await sleep(100);
    if (!(await claimUndo(tx, newsletter.id, importId)))
      throw rejection((await getRow(ctx, newsletter.id, importId)).state);
    let [people, mails, after] = [0, 0, LOWEST_ID];
    for (const to of await cutNamed(tx, importId, "filled", CHUNK)) {
      const unnamed = await takeNamesBack(tx, newsletter.id, importId, after, to);
      await noteMany(tx, newsletter.id, unnamed, "unnamed", { kind: "import", id: importId, address: null });
      after = to;
    }
    after = LOWEST_ID;
    for (;;) {
      const ids = await lockUntouched(tx, newsletter.id, importId, after, CHUNK);
      if (ids.length === 0) break;
      mails += await takeBack(tx, newsletter.id, ids);
      people += ids.length;
      after = ids.at(-1) as string;
    }
    mails += await cancelOwnMails(tx, newsletter.id, importId);
    const stayed = await countStayed(tx, newsletter.id, importId);
    await noteUndone(tx, importId, { people, stayed, mails });
    await record(ctx, tx, {
      accountId: newsletter.accountId,
      newsletterId: newsletter.id,
      action: "import.undone",
      subjectId: importId,
      detail: { number: number ?? 0, people },
    });
  };
  await withLowMemory(() => withRetry(() => ctx.db.$transaction(work, { timeout: 5 * 60_000 })));
  return get(ctx, newsletter.id, importId);
}
