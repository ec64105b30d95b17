// Validates a part of a list before any query runs.

import { AppError } from "../kernel/errors";
import { recipientHash } from "../mail/recipient-hash";
import { NewSubscriber, storeTexts } from "../subscribers/schema/subscriber";
import type { StagedRow } from "./queries/import-rows";
import { type NewStatus, type PlanRow, RowClaims } from "./schema/imports";

/** Limit of invalid rows that an error lists. */
const NAMED = 20;

/** A row with fields, tags or an external id. */
export type RowAttributes = { row: StagedRow } & Pick<NewSubscriber, "fields" | "tags" | "external_id">;

/** `attributes` still need the newsletter's fields, see `addAttributes`. */
type ReadPart = { people: StagedRow[]; attributes: RowAttributes[] };

/** @throws AppError validation_error with the invalid lines */
export function readPart(rows: PlanRow[], defaultStatus: NewStatus): ReadPart {
  const read: ReadPart = { people: [], attributes: [] };
  const faults: string[] = [];
  for (const row of rows) {
    const { line, leaving, evidence } = row;
    const person = NewSubscriber.safeParse({ ...row, status: row.status ?? defaultStatus });
    const claims = RowClaims.safeParse({ leaving, evidence });
    if (!person.success || !claims.success) {
      faults.push(`Line ${line}: ${(person.error ?? claims.error)?.issues[0]?.message}`);
      continue;
    }
    const staged = stagedRow(line, person.data, claims.data);
    read.people.push(staged);
    const { fields, tags, external_id } = person.data;
    if (fields || tags || external_id) read.attributes.push({ row: staged, fields, tags, external_id });
  }
  if (faults.length > 0) throw invalidLines(faults);
  return read;
}

function stagedRow(line: number, person: NewSubscriber, { leaving, evidence }: RowClaims): StagedRow {
  const status = leaving ? "unsubscribed" : person.status;
  const stored = JSON.stringify({ ...evidence, left: leaving });
  return {
    line,
    ...storeTexts(person),
    status,
    recipientHash: status === "pending" ? recipientHash(person.email.canonical) : null,
    leaving: leaving ?? null,
    evidence: stored === "{}" ? null : stored,
    attributes: null,
  };
}

function invalidLines(faults: string[]): AppError {
  const more = faults.length - NAMED;
  return new AppError(
    "validation_error",
    `${faults.length === 1 ? "1 line is" : `${faults.length} lines are`} not valid, so the list was not checked. Fix or remove the listed lines.`,
    { errors: { rows: more > 0 ? [...faults.slice(0, NAMED), `And ${more} more.`] : faults } },
  );
}

/**
 * @param stored the lines of the stored addresses, of this part or an earlier one
 * @throws AppError validation_error with the lines of `people` whose address is stored with another person
 */
export function checkRepeats(people: StagedRow[], stored: { canonical: string; line: number }[]): void {
  const lines = new Map(stored.map(({ canonical, line }) => [canonical, line]));
  const seen = new Set<string>();
  const faults = people.flatMap(({ line, emailCanonical }) => {
    const other = lines.get(emailCanonical);
    const isRepeat = seen.has(emailCanonical);
    seen.add(emailCanonical);
    if (other === undefined || (other === line && !isRepeat)) return [];
    return [`Line ${line}: This address is also on line ${other}. Remove one of them.`];
  });
  if (faults.length > 0) throw invalidLines(faults);
}
