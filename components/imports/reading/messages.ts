import type { Consent, ImportPlan, ImportRecord, NewStatus, RejectedLine } from "@/server/contract/imports";
import type { TextEdit } from "@/server/domain/list-parser/edits";
import type {
  Column,
  Delimiter,
  Note,
  Override,
  ProblemCode,
  Shape,
} from "@/server/domain/list-parser/list-types";
import type { Rejection } from "../../trpc";

// What the page and its worker say to each other. Lists of any length stay in the worker: the page is given counts,
// marks in arrays that are handed over rather than copied, and the few items that it shows.

/** How the bar counts what became of each entry; the order is that in which they are listed. */
export const groups = ["fix", "twice", "left", "suppressed", "here", "skipped", "ready"] as const;
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
  columns: Column[];
  ignoredColumns: string[];
  notes: Note[];
  lineCount: number;
  counts: GroupCounts;
  marks: Marks;
  /** How many people would be asked about, had they not been kept as they are. */
  kept: number;
  /** Rows that a plan would hold: who is ready, and who is on the list already. */
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
  /** What Keep keeps, or null. */
  keepKey: string | null;
  slip: { domain: string; suggestedDomain: string; people: number } | null;
  /** A line that can go as a whole, because nothing else stands on it. */
  deletable: boolean;
  firstLine: number | null;
  code: ProblemCode | null;
};

/** Kept on this machine only, so that a reload loses nothing. */
export type Draft = {
  text: string;
  fileName: string | null;
  override: Override;
  kept: string[];
  /** The run that this list was given to; it is kept until that run is done. */
  importId: string | null;
};

/** What a check has found. */
export type CheckedPlan = Pick<ImportPlan, "importId" | "digest" | "counts"> & {
  fingerprint: number;
  defaultStatus: NewStatus;
  rejected: number;
  reading: Reading;
};

/** What the page asks of the worker: name → what it gives, what it is answered. */
export type Calls = {
  open: { gives: { newsletterId: string; appUrl: string }; answer: Draft | null };
  read: {
    gives: { version: number; text: string; override: Override; fileName: string | null };
    answer: Reading;
  };
  keep: { gives: { key: string }; answer: Reading };
  /** Takes back every Keep. */
  askAgain: { gives: Record<string, never>; answer: Reading };
  items: {
    gives: { group: Group | null; from: number; to: number };
    answer: { version: number; items: Item[] };
  };
  fixDomain: { gives: { domain: string }; answer: { version: number; edits: TextEdit[] } };
  next: { gives: { after: number; back: boolean }; answer: { version: number; item: Item | null } };
  file: { gives: { file: File }; answer: FileRead };
  check: { gives: { defaultStatus: NewStatus }; answer: CheckedPlan };
  commit: { gives: { importId: string; digest: string; consent: Consent }; answer: ImportRecord };
  rejected: { gives: { importId: string }; answer: RejectedLine[] };
  apiCall: { gives: { status: "active" | "pending" }; answer: string | null };
};
export type CallName = keyof Calls;

export type FileRead = { ok: true; text: string } | { ok: false; message: string };

export type Asked = {
  [Name in CallName]: { number: number; name: Name; gives: Calls[Name]["gives"] };
}[CallName];
export type Answered =
  | { number: number; ok: true; answer: Calls[CallName]["answer"] }
  | { number: number; ok: false; rejection: Rejection };
