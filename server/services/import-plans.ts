import { createHash } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import {
  type ImportPlan,
  mostStillHere,
  noOutcomes,
  type PlanInput,
  RowClaims,
  type StoredEvidence,
} from "../contract/imports";
import { NewSubscriber } from "../contract/subscriber";
import { type Tx, withRetry } from "../db/client";
import { insertRejected, listTrustedDomains, type StagedRow, stageRows } from "../db/import-rows";
import { discardPlan, insertPlan } from "../db/imports";
import { newId } from "../domain/ids";
import { AppError } from "../errors";
import { recipientHash } from "../mail/outbox";
import { type Ctx, staffIdOf } from "./context";
import { newRow, type Origin } from "./subscribers";

/** Rows that are validated, and written, at a time: in between, the process serves other requests. */
const BATCH = 2_000;
/** How many invalid rows an error names. */
const NAMED = 20;
/** A domain that so many of the latest subscribers have is right although it looks mistyped. */
const TRUSTED_FROM = 5;

/** What a row says beside its person, to be stored: why and when they left, and all of it as evidence. */
function claimsOf({ leaving, evidence }: RowClaims): Pick<StagedRow, "leaving" | "evidence"> {
  const left = leaving && { reason: leaving.reason, at: leaving.at?.toISOString() ?? null };
  const said: StoredEvidence = {
    ...(evidence?.optedInAt && { optedInAt: evidence.optedInAt.toISOString() }),
    ...(evidence?.confirmedAt && { confirmedAt: evidence.confirmedAt.toISOString() }),
    ...(evidence?.ip && { ip: evidence.ip }),
    ...(evidence?.source && { source: evidence.source }),
    ...(left && { left }),
  };
  return {
    ...(leaving && { leaving }),
    ...(Object.keys(said).length > 0 && { evidence: JSON.stringify(said) }),
  };
}

/**
 * Validates the rows by the same rules as every adapter.
 * @throws AppError validation_error with the lines that are not clean, or there twice
 */
async function checkRows(origin: Origin, { rows, defaultStatus }: PlanInput): Promise<StagedRow[]> {
  const checked: StagedRow[] = [];
  const lines = new Map<string, number>();
  const faults: string[] = [];
  for (const [index, { line, leaving, evidence, ...row }] of rows.entries()) {
    if (index % BATCH === BATCH - 1) await yieldToOthers();
    const result = NewSubscriber.safeParse({ ...row, status: row.status ?? defaultStatus });
    const claims = leaving || evidence ? RowClaims.safeParse({ leaving, evidence }) : null;
    if (!result.success || claims?.success === false) {
      faults.push(`Line ${line}: ${(result.error ?? claims?.error)?.issues[0]?.message}`);
      continue;
    }
    const person = newRow(origin, result.data);
    const canonical = person.emailCanonical;
    const earlier = lines.get(canonical);
    if (earlier !== undefined)
      faults.push(`Line ${line}: This address is on line ${earlier} already. Remove one of the two.`);
    lines.set(canonical, line);
    const said = claims?.data && claimsOf(claims.data);
    const status = said?.leaving ? "unsubscribed" : person.status;
    checked.push({
      ...person,
      ...said,
      status,
      line,
      recipientHash: status === "pending" ? recipientHash(canonical) : null,
    });
  }
  if (faults.length === 0) return checked;
  const more = faults.length - NAMED;
  const named = faults.slice(0, NAMED);
  if (more > 0) named.push(`And ${more} more.`);
  throw new AppError(
    "validation_error",
    `${faults.length === 1 ? "1 line is" : `${faults.length} lines are`} not clean, so nothing was planned. Fix or remove what is listed.`,
    { errors: { rows: named } },
  );
}

/** Writes the rows of a plan, and counts what becomes of them. */
async function stage(tx: Tx, newsletterId: string, importId: string, rows: StagedRow[]) {
  const counts = { ...noOutcomes };
  const known: ImportPlan["known"] = [];
  const stillHere: ImportPlan["stillHere"]["first"] = [];
  const hash = createHash("sha256").update(importId);
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH);
    const found = await stageRows(tx, newsletterId, importId, batch);
    const fresh = new Map(batch.map((row) => [row.emailCanonical, row]));
    for (const { canonical, outcome } of found) {
      const row = fresh.get(canonical);
      fresh.delete(canonical);
      counts[outcome]++;
      const status = outcome.replace("already_", "") as ImportPlan["known"][number][1];
      known.push([canonical, status]);
      if (row?.leaving && (status === "active" || status === "pending"))
        stillHere.push({ line: row.line, email: row.email, status, ...row.leaving });
    }
    for (const { status } of fresh.values()) counts[`new_${status}`]++;
    hash.update(JSON.stringify([batch, found.map((row) => [row.canonical, row.outcome])]));
  }
  const first = stillHere.sort((one, other) => one.line - other.line).slice(0, mostStillHere);
  return { counts, known, stillHere: { people: stillHere.length, first }, digest: hash.digest("hex") };
}

/**
 * Validates a list, compares it with the subscribers, stores it, and returns exactly what a commit will do. Writes to nobody;
 * a plan that is not carried out is deleted after a day.
 * @param replaces the plan that this one takes the place of
 * @throws AppError validation_error with the lines that are not valid
 */
export async function planImport(
  ctx: Ctx,
  newsletterId: string,
  input: PlanInput,
  replaces?: string,
): Promise<ImportPlan> {
  const { fileName, defaultStatus, answers } = input;
  const importId = newId();
  const rows = await checkRows({ newsletterId, source: "import", sourceId: importId }, input);
  const work = async (tx: Tx) => {
    if (replaces) await discardPlan(tx, newsletterId, replaces);
    const { stillHere, ...staged } = await stage(tx, newsletterId, importId, rows);
    const { digest, counts } = staged;
    const rejected = [...new Map(input.rejected.map((line) => [line.line, line])).values()];
    for (let from = 0; from < rejected.length; from += BATCH)
      await insertRejected(tx, importId, rejected.slice(from, from + BATCH));
    const staffId = staffIdOf(ctx);
    const sizes = { rows: rows.length, rejected: rejected.length };
    await insertPlan(tx, {
      id: importId,
      newsletterId,
      staffId,
      fileName,
      defaultStatus,
      digest,
      counts,
      answers,
      stillHere: stillHere.people,
      ...sizes,
    });
    const trustedDomains = await listTrustedDomains(tx, newsletterId, importId, TRUSTED_FROM);
    return { importId, ...staged, stillHere, trustedDomains };
  };
  return withRetry(() => ctx.db.$transaction(work, { timeout: 60_000 }));
}
