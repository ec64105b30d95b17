import type { TextEdit } from "@/server/imports/list-parser/edits";
import type { LineAccount } from "@/server/imports/list-parser/line-account";
import type {
  Delimiter,
  ListColumn,
  ListField,
  ListNote,
  ListQuestion,
  Override,
  Shape,
} from "@/server/imports/list-parser/list-types";
import type { ImportPlan, StatusRule, StoredEvidence } from "@/server/imports/schema/imports";
import type { FieldValue } from "@/server/subscribers/field-values";
import type { Status } from "@/server/subscribers/status-moves";

// What the page and its worker send each other. Lists of any length stay in the worker: the page gets counts, marks in
// arrays that are transferred rather than copied, and the few items that it shows.

/**
 * What becomes of each entry, as the bar counts it. `asked`: nobody knows before a question is answered; `leaving`: added
 * as unsubscribed, because the list says so; `unsubscribed`: has unsubscribed here, earlier.
 */
export const groups = [
  "fix",
  "asked",
  "leaving",
  "unsubscribed",
  "suppressed",
  "twice",
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
  /** The newsletter's, which a column can be about. */
  fields: readonly ListField[];
  /** The first values of each column. */
  samples: string[][];
  ignoredColumns: string[];
  questions: ListQuestion[];
  notes: ListNote[];
  account: LineAccount;
  counts: GroupCounts;
  /** Entries to fix that are somebody; the others have no address. */
  peopleToFix: number;
  /** Whether anybody has a status of their own in the list, and how many of the new people. */
  saysStatus: boolean;
  ownStatuses: { active: number; pending: number };
  /** Of most entries there is something to say beside what happens. */
  mostlyExplained: boolean;
  marks: Marks;
  /** How many people would be asked about, had they not been kept as they are. */
  kept: number;
  /** Rows that a plan would have: who is ready, and who is here already. */
  rows: number;
  /** Two readings with the same one ask for the same plan; null before there is one. */
  fingerprint: number | null;
};

/** One row of the preview: what will be stored, or what is not and why. */
export type Item = {
  group: Group;
  line: number;
  /** Where it stands in the text that was read. */
  from: number;
  to: number;
  /** The address as it is stored; what is written there, where it cannot be. */
  text: string;
  name: string;
  /** What they will have, or have already; null for those who are not on the list and do not get on it. */
  status: Status | null;
  /** English sentences about it, of this worker and of the list parser; the page translates them. */
  message: string;
  /** What of the list is stored with a person, and that somebody who is here left elsewhere; null where it says nothing. */
  evidence: StoredEvidence | null;
  /** Somebody must look at them. */
  mustCheck: boolean;
  /** Fields by key and tags, of who is added. */
  fields: Record<string, FieldValue>;
  tags: string[];
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
export type CheckedPlan = Pick<
  ImportPlan,
  "importId" | "digest" | "counts" | "stillHere" | "relatedOptOuts"
> & {
  fingerprint: number;
  statusRule: StatusRule;
  rejected: number;
  reading: Reading;
};
