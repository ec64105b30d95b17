// Rows of a list as arrays for unnest, each as PostgreSQL writes it: one string passes faster than thousands.

import { textArray } from "../../platform/db/text-array";
import { type NewPerson, type PersonArrays, personArrays } from "../../subscribers/shared-queries";
import type { LeavingReason } from "../list-parser/list-types";
import type { RejectedLine } from "../schema/imports";

/** One validated person of a list. */
export type StagedRow = NewPerson & {
  line: number;
  /** What the mail throttle counts a pending person by; null for the others. */
  recipientHash: string | null;
  /** Why they are not to be written to, as the list says it; then they are unsubscribed. `at`: in ISO 8601, null where it does not say when. */
  leaving: { reason: LeavingReason; at: string | null } | null;
  /** JSON of what the list says of how they agreed and left. */
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

/** A column that most lists do not have: unnest fills it up with nulls, so that nothing crosses. */
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
