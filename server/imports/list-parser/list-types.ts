import type { FieldRule, FieldValue } from "../../subscribers/field-values";
import type { LineIndex } from "./line-index";

/** How many rows, and how many rejected lines, one call uploads. */
export const maxPartRows = 2_000;

/** What a column can mean. `ignored` columns are named to the person. */
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
/** `field:company`: the field with this key. */
export type ColumnRole = (typeof columnRoles)[number] | `field:${string}`;
/** A field of the newsletter, which a column can be about. */
export type ListField = FieldRule & { label: string };

/** How the text is laid out: free lines, name and address on alternating lines, rows of cells, JSON, vCards. */
export type Shape = "lines" | "pairs" | "table" | "json" | "vcard";
export type Delimiter = "\t" | "," | ";" | "|" | "^";

/** Why somebody must not be written to, as the list says it. `bounced` and `complained` are suppressed as well. */
export const leavingReasons = ["unsubscribed", "bounced", "complained"] as const;
export type LeavingReason = (typeof leavingReasons)[number];
/** `at`: when, in ISO 8601 with an offset; null where the list does not say. */
export type Leaving = { reason: LeavingReason; at: string | null };

/** What the list says about how somebody agreed. Times in ISO 8601 with an offset; texts of at most 200 characters. */
export type ListEvidence = { optedInAt?: string; confirmedAt?: string; ip?: string; source?: string };

/** What a word of the list can mean for the person beside it. `nothing`: it is not about the subscription. */
export const meanings = ["active", "pending", "unsubscribed", "bounced", "complained", "nothing"] as const;
export type Meaning = (typeof meanings)[number];

/**
 * What a person must answer before the people concerned are ready. `about`: the cells of a column, words beside an
 * address, a heading over a block of lines, or the name of the file; `title` is the column's, or "".
 */
export type ListQuestion = {
  id: string;
  about: "column" | "remark" | "heading" | "file";
  title: string;
  /** As they are written, the most frequent first. `meaning` is understood or answered; null holds these people back. */
  values: { value: string; count: number; meaning: Meaning | null; answered: boolean }[];
};
/** Question id → value as it is written → its meaning. */
export type Answers = Record<string, Record<string, Meaning>>;

/**
 * `title` is the header's, or "column 3"; `empty`: without a title, and with nothing in it to ignore; `dismissed`: a person
 * chose to ignore what it says.
 */
export type ListColumn = { title: string; role: ColumnRole; empty?: boolean; dismissed?: boolean };

/** What the person corrects. A delimiter, a header or columns mean a table; `columns` counts from the left. */
export type Override = {
  shape?: Shape;
  delimiter?: Delimiter;
  header?: boolean;
  columns?: readonly ColumnRole[];
  answers?: Answers;
  /** The newsletter's, which columns can be about. */
  fields?: readonly ListField[];
};

/** How a place in the text writes what stands there, so that a fix is written the same way. */
export type Quoting = "bare" | "cell" | "quoted-cell" | "json" | "vcard";
/** Offsets in UTF-16 units into the text as given, without the quotes around. */
export type TextPlace = { from: number; to: number; quoting: Quoting };

export type PastedPerson = {
  /** On one line, without quotes and artefacts; "" when there is none. */
  name: string;
  /** The row's own, where it has one that is understood. */
  status?: "active" | "pending";
  /** The list says that they left: they are brought along as unsubscribed. */
  leaving?: Leaving;
  evidence?: ListEvidence;
  /** Values by the keys of the newsletter's fields, and tags as they are written. */
  fields?: Record<string, FieldValue>;
  tags?: string[];
  /** What is wrong with the value of a field. */
  fault?: { field: string; message: string };
  /** The ids of questions that are not answered yet, and until then hold the person back. */
  asked?: string[];
  /** From 1; of the address. A line ends at LF, CRLF or CR, as in an editor. */
  line: number;
  /** From 1, in UTF-16 units; of the address. */
  column: number;
  /** The last line of the row, where that is a later one. */
  endLine?: number;
  /** The address exactly as it stands in the text. */
  raw: string;
  /** Without artefacts of pasting; not validated yet. */
  email: string;
  address: TextPlace;
  /** The same address written a second time, as in `ada@x.com<mailto:ada@x.com>`. */
  again?: TextPlace;
};

/** Something that was not read as a person. It names its line and shows its text. */
export type ListProblem = { line: number; column: number; text: string; code: ProblemCode; message: string };

export const problemMessages = {
  no_address: "This line has no address and is not imported. Add the address or delete the line.",
  heading: "This looks like a heading, not a person. It is not imported. You can keep or delete the line.",
  json_syntax:
    "The rest is not valid JSON and was not read. Put keys and texts in double quotes, with commas between them.",
  xml: "XML can't be read. Save the list as .xlsx or .csv and drop the file here.",
  json_item: "This item has no email and is not imported. Add the email or delete the item.",
} as const;
export type ProblemCode = keyof typeof problemMessages;

/**
 * Something that was read, but not to the letter: reported once for all lines it happened on. `texts`: the first of what
 * was ignored.
 */
export type ListNote = { code: NoteCode; message: string; count: number; lines: number[]; texts: string[] };

export const noteMessages = {
  invisible_removed: "Invisible characters around or inside addresses were removed.",
  name_turned: 'Names written "Last, First" were changed to "First Last".',
  text_ignored: "Text next to an address that is not a name was ignored.",
  row_ragged: "Rows that do not fit the columns were read separately.",
} as const;
export type NoteCode = keyof typeof noteMessages;

export type PastedList = {
  /** What the text was taken for, e.g. "tab-separated, header on line 1". */
  format: string;
  shape: Shape;
  delimiter: Delimiter | null;
  /** The line of the header, or null. */
  headerLine: number | null;
  /** A table's columns from the left; empty for the other shapes. */
  columns: ListColumn[];
  /** The titles of the columns (or JSON keys) that nothing was taken from. */
  ignoredColumns: string[];
  lines: LineIndex;
  records: PastedPerson[];
  problems: ListProblem[];
  notes: ListNote[];
  /** What holds people back until it is answered, and what was answered. */
  questions: ListQuestion[];
};
