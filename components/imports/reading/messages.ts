import type { TextEdit } from "@/server/imports/list-parser/edits";
import type { Override } from "@/server/imports/list-parser/list-types";
import type { StoredEvidence } from "@/server/imports/schema/imports";
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
