import { record as recordAudit } from "../accounts/audit";
import { staffIdOf } from "../accounts/context";
import { insertEvent } from "../events/shared-queries";
import { waitingFor } from "../mail/delivery/reasons";
import { insertMailing, restartMailing } from "../mail/shared-queries";
import type { Tx } from "../platform/db/client";
import { openLongTransaction, waitForImports } from "../platform/db/long-transactions";
import type { Ctx } from "../subscribers/context";
import { updateSubscribers } from "../subscribers/shared-queries";
import { resolvePlannedTagIds } from "./import-attributes";
import {
  comparePlan,
  countNewlySuppressed,
  countReturned,
  cutNewRows,
  insertNewRows,
  lockLeftAgain,
  type PlanComparison,
  suppressNewRows,
} from "./queries/import-rows";
import { finishImport } from "./queries/imports";
import { addedBy, type ImportRecord, storedBy } from "./schema/imports";

/** People written by one statement. */
const BATCH = 2_000;

/** An import that is under way, and the newsletter that it is for. */
export type RunningImport = {
  record: Pick<ImportRecord, "id" | "number" | "rows" | "counts">;
  newsletter: { id: string; accountId: string };
};

/** Stores the rows written so far. @throws to end the transaction, when the import is cancelled or its process stops */
export type Report = (written: number) => Promise<void>;

/** The plan does not hold any more. Without a comparison somebody was just in the way: another try tells. */
export class PlanOutdated extends Error {
  constructor(readonly comparison: PlanComparison | null) {
    super("the plan does not hold any more");
  }
}

/**
 * Writes what only the end may, when nobody else can suppress an address any more: the suppressions of who bounced or
 * complained, and that this list, too, says so of people who are unsubscribed already. They count as changed, so that no undo of
 * an earlier import or bulk action frees them.
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
  const leftAgain = await lockLeftAgain(tx, newsletterId, importId);
  if (leftAgain.length > 0) await updateSubscribers(tx, newsletterId, leftAgain, {});
  // An undo that ended while the import was under way: the plan has to show these people as active.
  if ((await countReturned(tx, newsletterId, importId)) > 0) throw new PlanOutdated(null);
}

/** Notes the end of an import in the audit log, and tells who listens for it. */
async function tell(ctx: Ctx, tx: Tx, { record, newsletter }: RunningImport): Promise<void> {
  const { new_unsubscribed: unsubscribed } = record.counts;
  await recordAudit(ctx, tx, {
    accountId: newsletter.accountId,
    newsletterId: newsletter.id,
    action: "import.done",
    subjectId: record.id,
    detail: { number: record.number, people: addedBy(record.counts), ...(unsubscribed && { unsubscribed }) },
  });
  await insertEvent(tx, {
    ...{ newsletterId: newsletter.id, kind: "import.finished", subscriberId: null },
    detail: { import: { id: record.id, number: record.number, added: addedBy(record.counts), unsubscribed } },
  });
}

/**
 * Adds the plan's new people, all or nobody, in this transaction.
 * @returns false when the import has ended meanwhile: then the transaction must not commit
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
  let written = record.rows - storedBy(record.counts);
  const own = {
    id: record.id,
    newsletterId: newsletter.id,
    staffId: staffIdOf(ctx),
    kind: "import",
  } as const;
  const mailing = record.counts.new_pending > 1 ? await insertMailing(tx, own) : null;
  const attributes = await resolvePlannedTagIds(ctx.db, tx, {
    newsletterId: newsletter.id,
    importId: record.id,
  });
  let after = "";
  let mailed = 0;
  const ends = await cutNewRows(tx, record.id, BATCH);
  for (const to of ends) {
    await report(written);
    const batch = await insertNewRows(tx, newsletter.id, {
      ...{ importId: record.id, after, to, attributes },
      mailing: mailing && waitingFor(mailing),
    });
    if (batch.added < batch.rows) throw new PlanOutdated(null);
    after = to;
    mailed += batch.mailed;
    written += batch.added;
  }
  if ((await countNewlySuppressed(tx, newsletter.id, record.id)) > 0) throw new PlanOutdated(null);
  await writeLeaving(tx, newsletter.id, record, ends);
  await report(written);
  // The people and their mails are seen only now: the time to cancel these begins.
  if (mailed > 0) await ctx.outbox.wake(tx, mailing && (await restartMailing(tx, record.id)));
  await tell(ctx, tx, { record, newsletter });
  await ctx.jobs.add(tx, "search-index", [{ data: null }]);
  return finishImport(tx, record.id);
}
