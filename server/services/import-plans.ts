import { createHash } from "node:crypto";
import { type ImportPlan, mostStillHere, noOutcomes, type PlanInput } from "../contract/imports";
import { writeKnown } from "../contract/known-addresses";
import { type Db, type Tx, withRetry } from "../db/client";
import {
  countOutcomes,
  insertRejected,
  listPlannedStillHere,
  listTrustedDomains,
  stageRows,
} from "../db/import-rows";
import { discardPlan, insertPlan } from "../db/imports";
import { listRelatedOptOuts } from "../db/related-opt-outs";
import { newId } from "../domain/ids";
import { type Ctx, staffIdOf } from "./context";
import { stageAttributes } from "./import-attributes";
import { ListParts } from "./import-parts";

/** A domain that so many of the latest subscribers have is right although it looks mistyped. */
const TRUSTED_FROM = 5;

/** How many addresses a plan names whose mailbox has opted out under another spelling. */
const NAMED_OPT_OUTS = 5;

/** How much of a list has been compared and stored, from 0 to 1. */
type OnShare = (share: number) => void;

/** Writes the parts of a list as they come. @returns who is known, and what names these very rows and outcomes */
async function stage(
  ctx: { db: Db; tx: Tx },
  { newsletterId, importId }: { newsletterId: string; importId: string },
  list: ListParts,
  onShare: OnShare,
) {
  const { tx } = ctx;
  const known = new Map<string, string[]>();
  const hash = createHash("sha256").update(importId);
  let [rows, written] = [0, 0];
  for await (const part of list.parts()) {
    if (part.kind === "head") rows = part.head.rows;
    else if (part.kind === "rejected") await insertRejected(tx, importId, part.arrays);
    else if (part.kind === "end") hash.update(part.digest);
    else {
      const found = await stageRows(tx, newsletterId, importId, part.arrays);
      await stageAttributes(ctx, { newsletterId, importId }, part.attributes);
      for (const { canonical, outcome } of found) {
        const status = outcome.replace("already_", "");
        const others = known.get(status);
        if (others) others.push(canonical);
        else known.set(status, [canonical]);
      }
      hash.update(JSON.stringify(found.map((row) => [row.canonical, row.outcome])));
      written += part.rows;
      onShare(written / rows);
    }
  }
  return { known: writeKnown(known), digest: hash.digest("hex") };
}

/** What becomes of the rows of a plan, in numbers, and who is on the list although the plan's list says that they left. */
async function summarize(tx: Tx, importId: string): Promise<Pick<ImportPlan, "counts" | "stillHere">> {
  const counts = { ...noOutcomes };
  let people = 0;
  for (const row of await countOutcomes(tx, importId)) {
    counts[row.outcome] = row.people;
    if (row.outcome === "already_active" || row.outcome === "already_pending") people += row.leaving;
  }
  const first = people > 0 ? await listPlannedStillHere(tx, importId, mostStillHere) : [];
  return { counts, stillHere: { people, first } };
}

export type PlanOptions = {
  /** The plan that this one takes the place of. */
  replaces?: string | undefined;
  onShare?: OnShare | undefined;
};

/**
 * Validates a list by the same rules as every adapter, compares it with the subscribers, stores it, and returns exactly what a
 * commit will do. Writes to nobody; a plan that is not carried out is deleted after a day.
 * @param list as it is, or the parts of one that is being read
 * @throws AppError validation_error with the lines that are not valid
 */
export async function planImport(
  ctx: Ctx,
  newsletterId: string,
  list: PlanInput | ListParts,
  { replaces, onShare = () => {} }: PlanOptions = {},
): Promise<ImportPlan> {
  const importId = newId();
  const parts = list instanceof ListParts ? list : ListParts.of(list);
  // A transaction does not wait for a list that is not begun.
  const { defaultStatus, statusRule = defaultStatus, ...head } = await parts.head();
  const work = async (tx: Tx): Promise<ImportPlan> => {
    if (replaces) await discardPlan(tx, newsletterId, replaces);
    const staged = await stage({ db: ctx.db, tx }, { newsletterId, importId }, parts, onShare);
    const summary = await summarize(tx, importId);
    await insertPlan(tx, {
      ...head,
      statusRule,
      id: importId,
      newsletterId,
      staffId: staffIdOf(ctx),
      digest: staged.digest,
      counts: summary.counts,
      stillHere: summary.stillHere.people,
    });
    const relatedOptOuts = await listRelatedOptOuts(tx, { newsletterId, importId }, NAMED_OPT_OUTS);
    const trustedDomains = await listTrustedDomains(tx, newsletterId, importId, TRUSTED_FROM);
    return { importId, ...staged, ...summary, relatedOptOuts, trustedDomains };
  };
  return withRetry(() => ctx.db.$transaction(work, { timeout: 60_000 }));
}
