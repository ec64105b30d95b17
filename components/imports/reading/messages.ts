import type { ImportPlan, NewStatus } from "@/server/contract/imports";
import type { TextEdit } from "@/server/domain/list-parser/edits";
import type {
  Delimiter,
  ListColumn,
  ListNote,
  ListQuestion,
  Override,
  Shape,
} from "@/server/domain/list-parser/list-types";

// What the page and its worker send each other. Lists of any length stay in the worker: the page gets counts, marks in
// arrays that are transferred rather than copied, and the few items that it shows.

/** How the bar counts what became of each entry; the order is that in which they are listed. */
export const groups = [
  "fix",
  "asked",
  "twice",
  "leaving",
  "unsubscribed",
  "suppressed",
  "here",
  "skipped",
  "ready",
] as const;
export type Group = (typeof groups)[number];
export type GroupCounts = Record<Group, number>;

/** Where the editor marks something: sorted, in UTF-16 units of the text that was read. `group` indexes `groups`. */
export type Marks = { from: Uint32Array; to: Uint32Array; group: Uint8Array };

/** What a text was read as; no longer than the page is high, however long the text. */
export type Reading = {
  /** The text's, as the page counts them. */
  version: number;
  format: string;
  shape: Shape;
  delimiter: Delimiter | null;
  headerLine: number | null;
  columns: ListColumn[];
  ignoredColumns: string[];
  notes: ListNote[];
  questions: ListQuestion[];
  lineCount: number;
  counts: GroupCounts;
  marks: Marks;
  /** How many people would be asked about, had they not been kept as they are. */
  kept: number;
  /** Rows that a plan would have: who is ready, and who is here already. */
  rows: number;
  /** Two readings with the same one ask for the same plan. */
  fingerprint: number;
};

/** One line of the list of problems, or of people. */
export type Item = {
  group: Group;
  line: number;
  /** Where it stands in the text that was read. */
  from: number;
  to: number;
  text: string;
  message: string;
  /** What one click writes instead, or null. */
  suggestion: string | null;
  /** How it is written, in the text that was read; empty where one click fixes nothing. */
  edits: TextEdit[];
  /** A domain that looks mistyped, and how many people have it; each can be kept by `canonical`, all by `@domain`. */
  slip: { canonical: string; domain: string; suggestedDomain: string; people: number } | null;
  /** A line that can be deleted as a whole, because nothing else stands on it. */
  deletable: boolean;
};

/** Kept on this machine only, so that a reload loses nothing. */
export type Draft = {
  text: string;
  fileName: string | null;
  override: Override;
  kept: string[];
  /** The import that this list was committed to; the draft stays until that import is done. */
  importId: string | null;
};

/** What a check has found. */
export type CheckedPlan = Pick<ImportPlan, "importId" | "digest" | "counts"> & {
  fingerprint: number;
  defaultStatus: NewStatus;
  rejected: number;
  reading: Reading;
};

export type FileRead = { ok: true; text: string } | { ok: false; message: string };
