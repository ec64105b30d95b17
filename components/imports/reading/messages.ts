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

// Messages between the page and its worker. Lists of any length stay in the worker: the page gets counts, marks in
// transferred arrays, and the few items that it shows.

/**
 * The outcome of each entry, as the bar counts it. `asked`: unknown until a question is answered. `leaving`: added as
 * unsubscribed, because the list says so. `unsubscribed`: unsubscribed here earlier.
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

/** The ranges that the editor marks: sorted, in UTF-16 units of the read text. `group` indexes `groups`. */
export type Marks = { from: Uint32Array; to: Uint32Array; group: Uint8Array };

/** The result of reading a text. Its size is independent of the text's length, except for `marks`. */
export type Reading = {
  /** The text's version, as the page counts it. */
  version: number;
  format: string;
  shape: Shape;
  delimiter: Delimiter | null;
  headerLine: number | null;
  columns: ListColumn[];
  /** The newsletter's fields, which a column can be about. */
  fields: readonly ListField[];
  /** The first values of each column. */
  samples: string[][];
  ignoredColumns: string[];
  questions: ListQuestion[];
  notes: ListNote[];
  account: LineAccount;
  counts: GroupCounts;
  /** Entries to fix that are people; the other entries have no address. */
  peopleToFix: number;
  /** Whether anyone has a status of their own in the list. `ownStatuses` counts these among the new people. */
  saysStatus: boolean;
  ownStatuses: { active: number; pending: number };
  marks: Marks;
  /** Number of people with a kept address that would otherwise need a decision. */
  kept: number;
  /** Number of rows in a plan: ready people, and people already on the list. */
  rows: number;
  /** Counts the changes of the list and its corrections. Equal revisions request the same plan. */
  revision: number;
};

/** One row of the preview: the stored values, or the reason why none are stored. */
export type Item = {
  group: Group;
  line: number;
  /** The entry's range in the read text. */
  from: number;
  to: number;
  /** The stored address, or the written text where it has no valid address. */
  text: string;
  name: string;
  /** The future or current status; null for people who are not on the list and aren't added. */
  status: Status | null;
  /** English sentences from this worker and the list parser. The page translates them. */
  message: string;
  /** Evidence stored with the person, or that a listed person left elsewhere; null without either. */
  evidence: StoredEvidence | null;
  /** Staff must look at this person. */
  mustCheck: boolean;
  /** Fields by key, and tags, of a person who is added. */
  fields: Record<string, FieldValue>;
  tags: string[];
  /** The text that one click writes instead, or null. */
  suggestion: string | null;
  /** The edits that write the suggestion into the read text; empty without a one-click fix. */
  edits: TextEdit[];
  /** A domain that looks mistyped, and its number of people. Keep one by `canonical`, all by `@domain`. */
  slip: { canonical: string; domain: string; suggestedDomain: string; people: number } | null;
  /** The whole line can be deleted, because it holds only this entry. */
  deletable: boolean;
};

/** Stored only on this machine, so a reload loses nothing. */
export type Draft = {
  text: string;
  fileName: string | null;
  override: Override;
  kept: string[];
  /** The import of this list. The draft stays until the import is done. */
  importId: string | null;
};

/** The result of a check. */
export type CheckedPlan = Pick<
  ImportPlan,
  "importId" | "digest" | "counts" | "activeDespiteOptOut" | "relatedOptOuts"
> & {
  statusRule: StatusRule;
  rejected: number;
  reading: Reading;
};
