import { record as recordAudit } from "../accounts/audit";
import { staffIdOf } from "../accounts/context";
import { insertEvent } from "../events/shared-queries";
import { insertMailing, restartMailing } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { openLongTransaction, waitForImports } from "../platform/db/long-transactions";
import type { Ctx } from "../subscribers/context";
import { updateSubscribers } from "../subscribers/shared-queries";
import { resolvePlannedTagIds } from "./import-attributes";
import {
  analyzePeople,
  comparePlan,
  countNewlySuppressed,
  countReturned,
  cutNewRows,
  insertNewRows,
  lockOptedOutAgain,
  type PlanComparison,
  suppressNewRows,
} from "./queries/import-rows";
import { finishImport } from "./queries/imports";
import { countAdded, countStored } from "./schema/import-counts";
import type { ImportRecord } from "./schema/imports";

/** Rows inserted by one statement. */
const BATCH = 2_000;

export type RunningImport = {
  record: Pick<ImportRecord, "id" | "number" | "rows" | "counts">;
  newsletter: { id: string; accountId: string };
};

/** Stores the number of rows written. @throws to roll back when the import is cancelled or the process stops */
export type Report = (written: number) => Promise<void>;

/** The plan no longer matches. `comparison` is null after a concurrent change: the next attempt compares again. */
export class PlanOutdated extends Error {
  constructor(readonly comparison: PlanComparison | null) {
    super("the plan does not hold any more");
  }
}

/**
 * Stores bounces and complaints as suppressions, and raises the version of unsubscribed people that this list also
 * reports as opted out. The new version keeps an undo of an earlier import or bulk action from removing their opt-out.
 * Call it last, under the lock of `countNewlySuppressed`.
 * @throws PlanOutdated
 */
async function writeLeaving(
  tx: Tx,
  newsletterId: string,
  { id: importId, counts }: RunningImport["record"],
  ends: string[],
): Promise<void> {
  for (const [index, to] of counts.new_unsubscribed > 0 ? ends.entries() : [])
    await suppressNewRows(tx, newsletterId, { importId, after: ends[index - 1] ?? "", to });
  const leftAgain = await lockOptedOutAgain(tx, newsletterId, importId);
  if (leftAgain.length > 0) await updateSubscribers(tx, newsletterId, leftAgain, {});
  // An undo has made some of them active since the plan. The new plan must show them.
  if ((await countReturned(tx, newsletterId, importId)) > 0) throw new PlanOutdated(null);
}

/** Records the end of the import in the audit log and the event feed. */
async function recordEnd(ctx: Ctx, tx: Tx, { record, newsletter }: RunningImport): Promise<void> {
  const { new_unsubscribed: unsubscribed } = record.counts;
  await recordAudit(ctx, tx, {
    accountId: newsletter.accountId,
    newsletterId: newsletter.id,
    action: "import.done",
    subjectId: record.id,
    detail: {
      number: record.number,
      people: countAdded(record.counts),
      ...(unsubscribed && { unsubscribed }),
    },
  });
  await insertEvent(tx, {
    ...{ newsletterId: newsletter.id, kind: "import.finished", subscriberId: null },
    detail: {
      import: { id: record.id, number: record.number, added: countAdded(record.counts), unsubscribed },
    },
  });
}

/**
 * Adds the new people of the plan in this transaction, all or none.
 * @returns false if the import has ended in the meantime; the caller must then roll back
 * @throws PlanOutdated
 */
export async function commitPlan(
  ctx: Ctx,
  tx: Tx,
  { record, newsletter }: RunningImport,
  report: Report,
): Promise<boolean> {
  await openLongTransaction(tx);
  await waitForImports(tx, newsletter.id, () => report(0));
  const comparison = await comparePlan(tx, newsletter.id, record.id);
  if (comparison.changed > 0) throw new PlanOutdated(comparison);
  if (comparison.rows !== record.rows) throw new PlanOutdated(null);
  let written = record.rows - countStored(record.counts);
  const origin = {
    id: record.id,
    newsletterId: newsletter.id,
    staffId: staffIdOf(ctx),
    kind: "import",
  } as const;
  const mailing = record.counts.new_pending > 1 ? await insertMailing(tx, origin) : null;
  await resolvePlannedTagIds(ctx.db, tx, {
    newsletterId: newsletter.id,
    importId: record.id,
  });
  let after = "";
  let mailed = 0;
  const ends = await cutNewRows(tx, record.id, BATCH);
  for (const to of ends) {
    await report(written);
    const batch = await insertNewRows(tx, newsletter.id, { importId: record.id, after, to, mailing });
    if (batch.added < batch.rows) throw new PlanOutdated(null);
    after = to;
    mailed += batch.mailed;
    written += batch.added;
  }
  if ((await countNewlySuppressed(tx, newsletter.id, record.id)) > 0) throw new PlanOutdated(null);
  await writeLeaving(tx, newsletter.id, record, ends);
  await report(written);
  // People become visible when this transaction commits, so the time to cancel their emails starts here.
  if (mailed > 0) await ctx.outbox.wake(tx, mailing && (await restartMailing(tx, record.id)));
  await recordEnd(ctx, tx, { record, newsletter });
  await analyzePeople(tx, countAdded(record.counts));
  await ctx.jobs.add(tx, "search-index", [{ data: null }]);
  return finishImport(tx, record.id);
}
