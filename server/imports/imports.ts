import { record as recordAudit } from "../accounts/audit";
import { actorOf, apiKeyIdOf, type OfNewsletter, staffIdOf, withTransaction } from "../accounts/context";
import { type CursorPage, pageOf } from "../kernel/cursor";
import { AppError, invalidField } from "../kernel/errors";
import { isId } from "../kernel/ids";
import type { Ctx } from "../subscribers/context";
import { addWork } from "../work/add-work";
import {
  type ActiveDespiteOptOutRow,
  findRejectedLines,
  listActiveDespiteOptOut,
} from "./queries/import-rows";
import {
  discardPlan,
  endCancelled,
  findImport,
  listPlansForStaff,
  listStartedImports,
  startImport,
} from "./queries/imports";
import { countAdded, countStored } from "./schema/import-counts";
import { type Consent, type ImportRecord, maxActiveDespiteOptOut, type RejectedLine } from "./schema/imports";

const PAGE = 50;

export type OfImport = { newsletterId: string; importId: string };

/** @throws AppError not_found, also for an import of another newsletter */
export async function getImport(
  ctx: Pick<Ctx, "db">,
  { newsletterId, importId }: OfImport,
): Promise<ImportRecord> {
  const record = isId(importId) ? await findImport(ctx.db, newsletterId, importId) : null;
  if (!record) throw new AppError("not_found", "This import does not exist. A plan is kept for one day.");
  return record;
}

/**
 * Started imports, newest first; before the first page, the plans that wait for staff.
 * @param input cursor: import number; the page starts below it
 */
export async function listImports(
  ctx: Pick<Ctx, "db">,
  { newsletterId, cursor = null }: { newsletterId: string; cursor?: number | null | undefined },
): Promise<CursorPage<ImportRecord, number>> {
  const [rows, plans] = await Promise.all([
    listStartedImports(ctx.db, newsletterId, cursor, PAGE + 1),
    cursor === null ? listPlansForStaff(ctx.db, newsletterId) : [],
  ]);
  const page = pageOf(rows, PAGE, ({ number }) => number);
  return { ...page, items: [...plans, ...page.items] };
}

/** Lines that were not imported, as pasted. @throws AppError not_found */
export async function listRejectedLines(ctx: Pick<Ctx, "db">, of: OfImport): Promise<RejectedLine[]> {
  await getImport(ctx, of);
  return findRejectedLines(ctx.db, of.importId);
}

/** The first subscribers that the list reports as opted out, with their current status. @throws AppError not_found */
export async function getActiveDespiteOptOut(
  ctx: Pick<Ctx, "db">,
  of: OfImport,
): Promise<ActiveDespiteOptOutRow[]> {
  await getImport(ctx, of);
  return listActiveDespiteOptOut(ctx.db, of.newsletterId, of.importId, maxActiveDespiteOptOut);
}

/** `digest`: of the plan that was shown. `consent`: null if the plan adds only unsubscribed people. */
type PlanToImport = OfImport & { digest: string; consent: Consent | null };

/**
 * Starts an import: its state is `running` on return and a job does the work. Repeated calls return the same import.
 * @returns the import, and whether this call started it
 * @throws AppError not_found; validation_error on `digest` or `people` if they differ from the plan;
 * api_module_access_disabled if a key commits a plan for staff
 */
export async function beginImport(
  ctx: Ctx,
  { digest, consent, ...of }: PlanToImport,
): Promise<{ record: ImportRecord; begun: boolean }> {
  const { newsletterId, importId } = of;
  const plan = await getImport(ctx, of);
  if (plan.needsStaff && apiKeyIdOf(ctx) !== null)
    throw new AppError(
      "api_module_access_disabled",
      "This import was planned over MCP, so no key can commit it. Ask staff to confirm it on the dashboard.",
    );
  if (plan.digest !== digest)
    throw invalidField(
      "digest",
      "The plan has changed since it was shown. No people were added. Review the plan again.",
    );
  if (plan.state !== "planned") return { record: plan, begun: false };
  const people = countAdded(plan.counts);
  const agreed = consent?.people ?? 0;
  if (agreed !== people)
    throw invalidField(
      "people",
      `The plan adds ${people} people, but the consent was stated for ${agreed}. No people were added. Confirm the consent again.`,
    );
  if (countStored(plan.counts) === 0)
    throw invalidField("people", "All people in this list are already known, so there is nothing to import.");
  const by = { staffId: staffIdOf(ctx), apiKeyId: apiKeyIdOf(ctx), address: actorOf(ctx).address, consent };
  const begun = await withTransaction(ctx, async (tx) => {
    if (!(await startImport(tx, newsletterId, importId, by))) return false;
    await addWork(ctx, tx, { id: importId });
    return true;
  });
  return { record: await getImport(ctx, of), begun };
}

/**
 * Cancels an import, or deletes a plan. If the returned state is not `done`, the import never becomes `done`.
 * @throws AppError not_found
 */
export async function cancelImport(
  ctx: Ctx,
  { accountId, ...of }: OfImport & OfNewsletter,
): Promise<ImportRecord> {
  const { newsletterId, importId } = of;
  const record = await getImport(ctx, of);
  if (record.state === "uploading" || record.state === "planned") {
    const gone = await withTransaction(ctx, (tx) => discardPlan(tx, newsletterId, importId));
    if (gone) return { ...record, state: "cancelled" };
  }
  await withTransaction(ctx, async (tx) => {
    if (!(await endCancelled(tx, importId))) return;
    await recordAudit(ctx, tx, {
      accountId,
      newsletterId,
      action: "import.cancelled",
      subjectId: importId,
      detail: { number: record.number },
    });
  });
  return getImport(ctx, of);
}
