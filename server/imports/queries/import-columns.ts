// Rows as PostgreSQL array literals for unnest: one string passes faster than thousands of values.

import { type NewPerson, type PersonArrays, personArrays, rareArray } from "../../subscribers/shared-queries";
import type { LeavingReason } from "../list-parser/list-types";

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

export function stagedArrays(rows: StagedRow[]): StagedArrays {
  return {
    people: personArrays(rows),
    lines: `{${rows.map(({ line }) => line)}}`,
    recipientHashes: rareArray(rows.map((row) => row.recipientHash)),
    reasons: rareArray(rows.map(({ leaving }) => leaving?.reason ?? null)),
    leftAt: rareArray(rows.map(({ leaving }) => leaving?.at ?? null)),
    evidence: rareArray(rows.map((row) => row.evidence)),
  };
}
