// What a list is made of before it meets the database. Runs in a thread of its own where there is one: nothing here, or
// in what it imports, knows the database.
import { createHash } from "node:crypto";
import { PlanInput, type PlanRow, RowClaims, type StoredEvidence } from "../contract/imports";
import { NewSubscriber } from "../contract/subscriber";
import {
  type RejectedArrays,
  rejectedArrays,
  type StagedArrays,
  type StagedRow,
  stagedArrays,
} from "../db/import-columns";
import { AppError, invalid } from "../errors";
import { recipientHash } from "../mail/recipient-hash";

/** Rows in one part, and in one statement: between two, the process serves other requests. */
const BATCH = 2_000;
/** How many invalid rows an error names. */
const NAMED = 20;

/** What a row says of fields and tags. */
export type RowAttributes = { line: number; canonical: string } & Pick<NewSubscriber, "fields" | "tags">;

/** What a plan says beside its rows, and how many those are. */
export type ListHead = Omit<PlanInput, "rows" | "rejected"> & { rows: number; rejected: number };

/** A list in the order in which it is read: its head, its rows, the lines that add nobody, and the end. */
export type ListPart =
  | { kind: "head"; head: ListHead }
  /** `attributes`: of the rows that have any; fields are validated where the newsletter's are known. */
  | { kind: "rows"; rows: number; arrays: StagedArrays; attributes: RowAttributes[] }
  | { kind: "rejected"; arrays: RejectedArrays }
  /** `digest`: of all rows. */
  | { kind: "end"; digest: string };

function evidenceOf({ leaving, evidence }: RowClaims): StoredEvidence {
  const said: StoredEvidence = {};
  if (evidence?.optedInAt) said.optedInAt = evidence.optedInAt.toISOString();
  if (evidence?.confirmedAt) said.confirmedAt = evidence.confirmedAt.toISOString();
  if (evidence?.ip) said.ip = evidence.ip;
  if (evidence?.source) said.source = evidence.source;
  if (leaving) said.left = { reason: leaving.reason, at: leaving.at?.toISOString() ?? null };
  return said;
}

const noClaims: RowClaims = {};

/** Validates rows by the same rules as every adapter, and remembers the addresses that it has seen. */
class RowReader {
  readonly #lines = new Map<string, number>();
  readonly #named: string[] = [];
  #attributes: RowAttributes[] = [];
  faults = 0;

  constructor(readonly defaultStatus: PlanInput["defaultStatus"]) {}

  #fault(line: unknown, message: string | undefined): null {
    if (++this.faults <= NAMED) this.#named.push(`Line ${line}: ${message}`);
    return null;
  }

  /** @returns null for a row that is not valid, or there already */
  read(row: PlanRow): StagedRow | null {
    const { line, email, name, leaving, evidence, fields, tags } = row;
    const status = row.status ?? this.defaultStatus;
    const result = NewSubscriber.safeParse({ email, name, status, fields, tags });
    const claims = leaving || evidence ? RowClaims.safeParse({ leaving, evidence }) : null;
    if (!result.success || claims?.success === false)
      return this.#fault(line, (result.error ?? claims?.error)?.issues[0]?.message);
    const person = result.data;
    const { canonical } = person.email;
    const earlier = this.#lines.get(canonical);
    if (earlier !== undefined)
      return this.#fault(line, `This address is also on line ${earlier}. Remove one of them.`);
    this.#lines.set(canonical, line);
    if (person.fields || person.tags)
      this.#attributes.push({ line, canonical, fields: person.fields, tags: person.tags });
    return this.#staged(line, person, claims?.data ?? null);
  }

  #staged(line: number, person: NewSubscriber, claims: RowClaims | null): StagedRow {
    const { canonical } = person.email;
    const said = evidenceOf(claims ?? noClaims);
    const status = said.left ? "unsubscribed" : person.status;
    return {
      line,
      email: person.email.email,
      emailCanonical: canonical,
      firstName: person.name.firstName,
      lastName: person.name.lastName,
      status,
      recipientHash: status === "pending" ? recipientHash(canonical) : null,
      leaving: said.left ?? null,
      evidence: claims && Object.keys(said).length > 0 ? JSON.stringify(said) : null,
    };
  }

  /** What the rows since the last call say of fields and tags. */
  takeAttributes(): RowAttributes[] {
    const taken = this.#attributes;
    this.#attributes = [];
    return taken;
  }

  /** @throws AppError validation_error with the lines that are not valid, or there twice */
  close(): void {
    if (this.faults === 0) return;
    const more = this.faults - NAMED;
    throw new AppError(
      "validation_error",
      `${this.faults === 1 ? "1 line is" : `${this.faults} lines are`} not valid, so the list was not checked. Fix or remove the listed lines.`,
      { errors: { rows: more > 0 ? [...this.#named, `And ${more} more.`] : this.#named } },
    );
  }
}

const textsOf = ({ people, lines, recipientHashes, reasons, leftAt, evidence }: StagedArrays) => {
  const { emails, canonicals, firstNames, lastNames, statuses } = people;
  const person = [emails, canonicals, firstNames, lastNames, statuses.one ?? "", statuses.each];
  return [...person, lines, recipientHashes, reasons, leftAt, evidence];
};

/**
 * Reads a plan's list, a part at a time. @param plan a `PlanInput`, when it is valid
 * @throws AppError validation_error, with the lines that are not valid
 */
export function* readPlan(plan: unknown): Generator<ListPart, void> {
  const parsed = PlanInput.safeParse(plan);
  if (!parsed.success) throw invalid(parsed.error.issues);
  const { rows, rejected, ...head } = parsed.data;
  const lines = [...new Map(rejected.map((line) => [line.line, line])).values()];
  yield { kind: "head", head: { ...head, rows: rows.length, rejected: lines.length } };
  const reader = new RowReader(head.defaultStatus);
  const hash = createHash("sha256");
  for (let from = 0; from < rows.length; from += BATCH) {
    const read = rows.slice(from, from + BATCH).flatMap((row) => reader.read(row) ?? []);
    if (reader.faults > 0) continue;
    const arrays = stagedArrays(read);
    const attributes = reader.takeAttributes();
    for (const text of textsOf(arrays)) hash.update(text);
    if (attributes.length > 0) hash.update(JSON.stringify(attributes));
    yield { kind: "rows", rows: read.length, arrays, attributes };
  }
  reader.close();
  for (let from = 0; from < lines.length; from += BATCH)
    yield { kind: "rejected", arrays: rejectedArrays(lines.slice(from, from + BATCH)) };
  yield { kind: "end", digest: hash.digest("hex") };
}
