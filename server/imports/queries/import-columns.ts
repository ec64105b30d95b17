// Rows as PostgreSQL array literals for unnest: one string passes faster than thousands of values.

import { textArray } from "../../platform/db/text-array";
import { type NewPerson, type PersonArrays, personArrays } from "../../subscribers/shared-queries";
import type { LeavingReason } from "../list-parser/list-types";
import type { RejectedLine } from "../schema/imports";

/** One validated person of a list. */
export type StagedRow = NewPerson & {
  line: number;
  /** The key of the mail throttle; null unless the person is pending. */
  recipientHash: string | null;
  /** The opt-out in the list; the person is then added as unsubscribed. `at` is ISO 8601, or null if unknown. */
  leaving: { reason: LeavingReason; at: string | null } | null;
  /** JSON of `StoredEvidence`. */
  evidence: string | null;
};

export type StagedArrays = {
  people: PersonArrays;
  lines: string;
  recipientHashes: string;
  reasons: string;
  leftAt: string;
  evidence: string;
};

/**
 * A column that most lists leave empty. unnest fills a short array with nulls, so that an empty column sends no data.
 */
const rareColumn = (values: (string | null)[]) =>
  values.every((value) => value === null) ? "{}" : textArray(values);

export function stagedArrays(rows: StagedRow[]): StagedArrays {
  return {
    people: personArrays(rows),
    lines: `{${rows.map(({ line }) => line)}}`,
    recipientHashes: rareColumn(rows.map((row) => row.recipientHash)),
    reasons: rareColumn(rows.map(({ leaving }) => leaving?.reason ?? null)),
    leftAt: rareColumn(rows.map(({ leaving }) => leaving?.at ?? null)),
    evidence: rareColumn(rows.map((row) => row.evidence)),
  };
}

export type RejectedArrays = { lines: string; texts: string; reasons: string };

export function rejectedArrays(lines: RejectedLine[]): RejectedArrays {
  return {
    lines: `{${lines.map(({ line }) => line)}}`,
    texts: textArray(lines.map(({ text }) => text)),
    reasons: textArray(lines.map(({ reason }) => reason)),
  };
}
