import { createHash } from "node:crypto";
import { apiKeyIdOf } from "../accounts/context";
import { AppError, invalidField } from "../kernel/errors";
import { type Tx, withRetry } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { listRelatedOptOuts } from "../suppressions/shared-queries";
import type { OfImport } from "./imports";
import { maxPartRows } from "./list-parser/list-types";
import {
  analyzeRows,
  countOutcomes,
  listKnownAddresses,
  listTrustedDomains,
  refreshOutcomes,
} from "./queries/import-rows";
import { countPlansForStaff, setPlanned } from "./queries/imports";
import { noOutcomes } from "./schema/import-counts";
import { type ImportPlan, type ListInput, maxPlansForStaff } from "./schema/imports";
import { beginUpload, requireLockedUpload, storePart } from "./upload";

/** With this many of the latest subscribers, a domain is trusted even if it looks mistyped. */
const TRUSTED_FROM = 5;

/** Limit of addresses in `relatedOptOuts`. */
const NAMED_OPT_OUTS = 5;

/** Counts the outcomes of a plan, and the subscribers that its list reports as opted out. */
async function summarize(
  tx: Tx,
  importId: string,
): Promise<Pick<ImportPlan, "counts" | "activeDespiteOptOut">> {
  const counts = { ...noOutcomes };
  let activeDespiteOptOut = 0;
  for (const row of await countOutcomes(tx, importId)) {
    counts[row.outcome] = row.people;
    if (row.outcome === "already_active" || row.outcome === "already_pending")
      activeDespiteOptOut += row.leaving;
  }
  return { counts, activeDespiteOptOut };
}

/**
 * Compares an uploaded list with the subscribers and returns exactly what a commit will do. Sends no email. Plans that
 * are not committed are deleted after a day.
 * @throws AppError not_found; validation_error when the upload has no rows
 */
export async function planUpload(ctx: Ctx, { newsletterId, importId }: OfImport): Promise<ImportPlan> {
  const work = async (tx: Tx): Promise<ImportPlan> => {
    const upload = await requireLockedUpload(tx, newsletterId, importId);
    if (upload.rows === 0) throw new AppError("validation_error", "The list has no people to add.");
    await analyzeRows(tx, upload.rows);
    await refreshOutcomes(tx, newsletterId, importId);
    const known = await listKnownAddresses(tx, importId);
    const summary = await summarize(tx, importId);
    // The rows of an import do not change once they are planned.
    const facts = JSON.stringify([importId, summary.counts, known]);
    const digest = createHash("sha256").update(facts).digest("hex");
    await setPlanned(tx, importId, { digest, ...summary });
    const relatedOptOuts = await listRelatedOptOuts(tx, { newsletterId, importId }, NAMED_OPT_OUTS);
    const trustedDomains = await listTrustedDomains(tx, newsletterId, importId, TRUSTED_FROM);
    return { importId, digest, known, ...summary, relatedOptOuts, trustedDomains };
  };
  return withRetry(() => ctx.db.$transaction(work, { timeout: 60_000 }));
}

/** Uploads and plans a list in one call. @throws AppError validation_error with the invalid lines */
export async function planImport(
  ctx: Ctx,
  { newsletterId, list, needsStaff }: { newsletterId: string; list: ListInput; needsStaff?: boolean },
): Promise<ImportPlan> {
  const { rows, rejected, ...head } = list;
  const { importId } = await beginUpload(ctx, { newsletterId, head, needsStaff });
  const longest = Math.max(rows.length, rejected.length);
  for (let part = 0; part * maxPartRows < longest; part++) {
    const [from, to] = [part * maxPartRows, (part + 1) * maxPartRows];
    await storePart(ctx, {
      newsletterId,
      ...{ importId, part },
      ...{ rows: rows.slice(from, to), rejected: rejected.slice(from, to) },
    });
  }
  return planUpload(ctx, { newsletterId, importId });
}

/**
 * Plans a list for staff, who commit it on the dashboard. No key can commit it.
 * @throws AppError validation_error with the invalid lines, or when the key has `maxPlansForStaff` plans already
 */
export async function planForStaff(
  ctx: Ctx,
  { newsletterId, list }: { newsletterId: string; list: ListInput },
): Promise<ImportPlan> {
  const key = apiKeyIdOf(ctx);
  if (key !== null && (await countPlansForStaff(ctx.db, newsletterId, key)) >= maxPlansForStaff)
    throw invalidField(
      "people",
      `${maxPlansForStaff} plans of this key wait for staff, which is the limit. Ask staff to add or delete some. Each plan is deleted after a day.`,
    );
  return planImport(ctx, { newsletterId, list, needsStaff: true });
}
