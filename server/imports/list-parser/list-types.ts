import type { FieldRule, FieldValue } from "../../subscribers/field-values";
import type { LineIndex } from "./line-index";

/** Limit of rows, and of rejected lines, in one call of an upload. */
export const maxPartRows = 2_000;

/** Meanings of a column. The screen lists `ignored` columns. */
export const columnRoles = [
  "email",
  "name",
  "firstName",
  "middleName",
  "lastName",
  "status",
  "subscribed",
  "confirmed",
  "unsubscribed",
  "bounced",
  "complained",
  "otherChannel",
  "state",
  "optedInAt",
  "ip",
  "source",
  "tags",
  "ignored",
] as const;
/** `field:company` is the field with the key "company". */
export type ColumnRole = (typeof columnRoles)[number] | `field:${string}`;
/** A field of the newsletter that a column can hold. */
export type ListField = FieldRule & { label: string };

/** Layout of a text: free lines, names and addresses on alternating lines, rows of cells, JSON or vCards. */
export const shapes = ["lines", "pairs", "table", "json", "vcard"] as const;
export type Shape = (typeof shapes)[number];
export type Delimiter = "\t" | "," | ";" | "|" | "^";

/**
 * Why a person must not receive email, according to the list. `bounced` and `complained` also lead to a suppression.
 */
export const leavingReasons = ["unsubscribed", "bounced", "complained"] as const;
export type LeavingReason = (typeof leavingReasons)[number];
/** `at` is ISO 8601 with an offset, or null if the list has no date. */
export type Leaving = { reason: LeavingReason; at: string | null };

/** Evidence of consent in the list. Times are ISO 8601 with an offset; texts have at most 200 characters. */
export type ListEvidence = { optedInAt?: string; confirmedAt?: string; ip?: string; source?: string };

/** Meanings of a word in the list. `nothing`: the word is not about the subscription. */
export const meanings = ["active", "pending", ...leavingReasons, "nothing"] as const;
export type Meaning = (typeof meanings)[number];

/**
 * A question that holds people back until the editor answers. `about`: cells of a column, words beside an address, a
 * heading above lines, or the name of the file. `title` is the column's title, else "".
 */
export type ListQuestion = {
  id: string;
  about: "column" | "remark" | "heading" | "file";
  title: string;
  /** As written, most frequent first. `meaning` is understood or answered; null holds the people back. */
  values: { value: string; count: number; meaning: Meaning | null; answered: boolean }[];
};
/** Question id → value as written → meaning. */
export type Answers = Record<string, Record<string, Meaning>>;

/**
 * `title` is the header's, or "column 3". `empty`: no title and no content. `dismissed`: the editor chose to ignore the
 * column.
 */
export type ListColumn = { title: string; role: ColumnRole; empty?: boolean; dismissed?: boolean };

/** Corrections by the editor. A delimiter, a header or columns force a table; `columns` counts from the left. */
export type Override = {
  shape?: Shape;
  delimiter?: Delimiter;
  header?: boolean;
  columns?: readonly ColumnRole[];
  answers?: Answers;
  fields?: readonly ListField[];
};

/** Offsets in UTF-16 units into the original text, without quotes. */
export type TextPlace = { from: number; to: number };

export type PastedPerson = {
  /** On one line, without quotes and artefacts; "" if there is none. */
  name: string;
  /** The status in the row, if it is understood. */
  status?: "active" | "pending";
  /** The opt-out in the list. The person is imported as unsubscribed. */
  leaving?: Leaving;
  evidence?: ListEvidence;
  /** Values by field key, and tags as written. */
  fields?: Record<string, FieldValue>;
  tags?: string[];
  /** Why the value of a field is invalid. */
  fault?: string;
  /** Ids of unanswered questions, which hold the person back. */
  asked?: string[];
  /** Line of the address, from 1. A line ends at LF, CRLF or CR, as in an editor. */
  line: number;
  /** The last line of the row, if it has several. */
  endLine?: number;
  /** The address exactly as written. */
  raw: string;
  /** The address without artefacts of pasting, not yet validated. */
  email: string;
  address: TextPlace;
  /** A second copy of the same address, as in `ada@x.com<mailto:ada@x.com>`. */
  again?: TextPlace;
};

/** Text that is not a person, with its line and its offset in the text. */
export type ListProblem = { line: number; from: number; text: string; code: ProblemCode };

export const problemMessages = {
  no_address: "This line has no address and is not imported. Add the address or delete the line.",
  heading: "This looks like a heading, not a person. It is not imported. You can keep or delete the line.",
  json_syntax:
    "The rest is not valid JSON and was not read. Put keys and texts in double quotes, with commas between them.",
  xml: "XML can't be read. Save the list as .xlsx or .csv and drop the file here.",
  json_item: "This item has no email and is not imported. Add the email or delete the item.",
} as const;
export type ProblemCode = keyof typeof problemMessages;

/** A deviation from the exact text, reported once for all its lines. */
export type ListNote = { code: NoteCode; count: number; lines: number[] };

export const noteMessages = {
  invisible_removed: "Invisible characters around or inside addresses were removed.",
  name_turned: 'Names written "Last, First" were changed to "First Last".',
  text_ignored: "Text next to an address that is not a name was ignored.",
  row_ragged: "Rows that do not fit the columns were read separately.",
} as const;
export type NoteCode = keyof typeof noteMessages;

export type PastedList = {
  shape: Shape;
  delimiter: Delimiter | null;
  /** Line of the header, or null. */
  headerLine: number | null;
  /** Columns of a table from the left; empty for other shapes. */
  columns: (ListColumn & { samples: string[] })[];
  /** JSON keys, or properties of vCards, that are not imported. */
  ignoredKeys: string[];
  lines: LineIndex;
  records: PastedPerson[];
  problems: ListProblem[];
  notes: ListNote[];
  /** Open and answered questions. */
  questions: ListQuestion[];
};
