import { createHash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import type { ImportPlan, OutcomeCounts, PlanInput, PlanRow } from "../contract/imports";
import { type Tx, withRetry } from "../db/client";
import { insertRejected, listTrustedDomains, type StagedRow, stageRows } from "../db/import-rows";
import { discardPlan, insertPlan } from "../db/imports";
import { parseEmail } from "../domain/email";
import { newId } from "../domain/ids";
import { parseName } from "../domain/name";
import { AppError } from "../errors";
import { recipientHash } from "../mail/outbox";
import type { Ctx } from "./context";

/** Rows that are looked at, and written, at a time: in between, the process answers others. */
const CHUNK = 2_000;
/** How many bad rows a rejection names. */
const NAMED = 20;
/** A domain that so many of the list's latest people have is right however it looks. */
const TRUSTED_FROM = 5;

export const noCounts = (): OutcomeCounts => ({
  new_active: 0,
  new_pending: 0,
  already_active: 0,
  already_pending: 0,
  unsubscribed: 0,
  suppressed: 0,
  namesFilled: 0,
});

/** Validates one row as every adapter does. @returns the row, or what is wrong with it */
function checkRow(row: PlanRow, status: "active" | "pending"): StagedRow | string {
  const email = parseEmail(row.email);
  if (!email.ok) return email.message;
  const name = parseName(row.name);
  if (!name.ok) return name.message;
  const { firstName, lastName } = name;
  const own = row.status ?? status;
  return {
    line: row.line,
    email: email.email,
    canonical: email.canonical,
    firstName,
    lastName,
    status: own,
    recipientHash: own === "pending" ? recipientHash(email.canonical) : null,
  };
}

/** @throws AppError validation_error with the lines that are not clean, or there twice */
async function checkRows(rows: PlanRow[], status: "active" | "pending"): Promise<StagedRow[]> {
  const checked: StagedRow[] = [];
  const lines = new Map<string, number>();
  const faults: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % CHUNK === CHUNK - 1) await breathe();
    const result = checkRow(row, status);
    if (typeof result === "string") {
      faults.push(`Line ${row.line}: ${result}`);
      continue;
    }
    const earlier = lines.get(result.canonical);
    if (earlier !== undefined)
      faults.push(`Line ${row.line}: This address is on line ${earlier} already. Remove one of the two.`);
    lines.set(result.canonical, row.line);
    checked.push(result);
  }
  if (faults.length === 0) return checked;
  const more = faults.length - NAMED;
  const named = faults.slice(0, NAMED);
  if (more > 0) named.push(`And ${more} more.`);
  throw new AppError(
    "validation_error",
    `${faults.length === 1 ? "1 line is" : `${faults.length} lines are`} not clean, so nothing was planned. Fix or leave out what is listed.`,
    { errors: { rows: named } },
  );
}

/** Writes the rows, and counts what becomes of them. */
async function stage(
  tx: Tx,
  newsletterId: string,
  importId: string,
  rows: StagedRow[],
  { options }: PlanInput,
) {
  const counts = noCounts();
  const known: ImportPlan["known"] = [];
  const hash = createHash("sha256").update(`${importId} ${JSON.stringify(options)}`);
  const fill = options.existing === "fill_blank_names";
  for (let from = 0; from < rows.length; from += CHUNK) {
    const chunk = rows.slice(from, from + CHUNK);
    const found = await stageRows(tx, newsletterId, importId, chunk, fill);
    const strangers = new Map(chunk.map((row) => [row.canonical, row.status]));
    for (const { canonical, outcome, fillName } of found) {
      strangers.delete(canonical);
      counts[outcome]++;
      if (fillName) counts.namesFilled++;
      known.push([canonical, outcome.replace("already_", "") as ImportPlan["known"][number][1]]);
    }
    for (const status of strangers.values()) counts[`new_${status}`]++;
    hash.update(JSON.stringify([chunk, found.map((row) => [row.canonical, row.outcome, row.fillName])]));
  }
  return { counts, known, digest: hash.digest("hex") };
}

/**
 * Checks a list against the domain's rules and the list, keeps it, and says exactly what a commit will do. Writes to
 * nobody; a plan that is not carried out goes after a day.
 * @param replaces the plan that this one stands in for, which is discarded
 * @throws AppError validation_error with the lines that are not clean
 */
export async function plan(
  ctx: Ctx,
  newsletterId: string,
  input: PlanInput,
  replaces?: string,
): Promise<ImportPlan> {
  const rows = await checkRows(input.rows, input.options.status);
  const importId = newId();
  const work = async (tx: Tx) => {
    if (replaces) await discardPlan(tx, newsletterId, replaces);
    const { counts, known, digest } = await stage(tx, newsletterId, importId, rows, input);
    const rejected = [...new Map(input.rejected.map((line) => [line.line, line])).values()];
    for (let from = 0; from < rejected.length; from += CHUNK)
      await insertRejected(tx, importId, rejected.slice(from, from + CHUNK));
    await insertPlan(tx, {
      id: importId,
      newsletterId,
      staffId: ctx.actor.kind === "staff" ? ctx.actor.id : null,
      fileName: input.fileName,
      options: input.options,
      digest,
      rows: rows.length,
      rejected: rejected.length,
      counts,
    });
    const trustedDomains = await listTrustedDomains(tx, newsletterId, importId, TRUSTED_FROM);
    return { importId, digest, counts, known, trustedDomains };
  };
  return withRetry(() => ctx.db.$transaction(work, { timeout: 60_000 }));
}
