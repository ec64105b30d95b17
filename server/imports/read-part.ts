// Validates a part of a list before any query runs.

import { AppError } from "../kernel/errors";
import { recipientHash } from "../mail/recipient-hash";
import { NewSubscriber, storeTexts } from "../subscribers/schema/subscriber";
import { type StagedArrays, type StagedRow, stagedArrays } from "./queries/import-columns";
import { type NewStatus, type PlanRow, RowClaims, type StoredEvidence } from "./schema/imports";

/** Limit of invalid rows that an error lists. */
const NAMED = 20;

/** Fields, tags and external id of one row. */
export type RowAttributes = { line: number; canonical: string } & Pick<
  NewSubscriber,
  "fields" | "tags" | "external_id"
>;

export type ReadPart = {
  people: StagedRow[];
  arrays: StagedArrays;
  /** Only rows with fields, tags or an external id. Custom fields are validated later, by `stageAttributes`. */
  attributes: RowAttributes[];
};

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

/** Validates rows with the schema of a new subscriber and detects repeated addresses. */
class RowReader {
  readonly #lines = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly attributes: RowAttributes[] = [];

  constructor(readonly defaultStatus: NewStatus) {}

  #fault(line: unknown, message: string | undefined): null {
    this.#faults.push(`Line ${line}: ${message}`);
    return null;
  }

  /** @returns null for an invalid row or a repeated address */
  read(row: PlanRow): StagedRow | null {
    const { line, leaving, evidence } = row;
    const result = NewSubscriber.safeParse({ ...row, status: row.status ?? this.defaultStatus });
    const claims = leaving || evidence ? RowClaims.safeParse({ leaving, evidence }) : null;
    if (!result.success || claims?.success === false)
      return this.#fault(line, (result.error ?? claims?.error)?.issues[0]?.message);
    const person = result.data;
    const { canonical } = person.email;
    const earlier = this.#lines.get(canonical);
    if (earlier !== undefined) return this.#fault(line, repeatOf(earlier));
    this.#lines.set(canonical, line);
    const { fields, tags, external_id } = person;
    if (fields || tags || external_id) this.attributes.push({ line, canonical, fields, tags, external_id });
    return this.#staged(line, person, claims?.data ?? null);
  }

  #staged(line: number, person: NewSubscriber, claims: RowClaims | null): StagedRow {
    const { canonical } = person.email;
    const said = evidenceOf(claims ?? noClaims);
    const status = said.left ? "unsubscribed" : person.status;
    return {
      line,
      ...storeTexts(person),
      status,
      recipientHash: status === "pending" ? recipientHash(canonical) : null,
      leaving: said.left ?? null,
      evidence: claims && Object.keys(said).length > 0 ? JSON.stringify(said) : null,
    };
  }

  /** @throws AppError validation_error with the invalid and repeated lines */
  close(): void {
    if (this.#faults.length > 0) throw invalidLines(this.#faults);
  }
}

const repeatOf = (line: number) => `This address is also on line ${line}. Remove one of them.`;

function invalidLines(faults: string[]): AppError {
  const more = faults.length - NAMED;
  return new AppError(
    "validation_error",
    `${faults.length === 1 ? "1 line is" : `${faults.length} lines are`} not valid, so the list was not checked. Fix or remove the listed lines.`,
    { errors: { rows: more > 0 ? [...faults.slice(0, NAMED), `And ${more} more.`] : faults } },
  );
}

/** @throws AppError validation_error with the lines of `people` whose address an earlier part has on another line */
export function checkRepeats(people: StagedRow[], stored: { canonical: string; line: number }[]): void {
  const lines = new Map(stored.map(({ canonical, line }) => [canonical, line]));
  const faults = people.flatMap(({ line, emailCanonical }) => {
    const earlier = lines.get(emailCanonical);
    return earlier === undefined || earlier === line ? [] : [`Line ${line}: ${repeatOf(earlier)}`];
  });
  if (faults.length > 0) throw invalidLines(faults);
}

/** @throws AppError validation_error with the invalid lines */
export function readPart(rows: PlanRow[], defaultStatus: NewStatus): ReadPart {
  const reader = new RowReader(defaultStatus);
  const people = rows.flatMap((row) => reader.read(row) ?? []);
  reader.close();
  return { people, arrays: stagedArrays(people), attributes: reader.attributes };
}
