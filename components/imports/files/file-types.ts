// The result of reading a file, and its options. Plain data: it passes between the page and its worker.

import type { Encoding } from "./encodings";

export type SheetOption = { name: string; rows: number; addresses: number; hidden: boolean };

/** `value` is the sheet or encoding that was read. */
type SheetChoice = { value: string; hiddenRows: number; options: SheetOption[] };
type EncodingChoice = { value: string; options: Encoding[] };

/** The user's choices. Absent choices are detected from the file. */
export type Chosen = { sheet?: string; encoding?: string };

export type FileRead = {
  /** Lines end with LF, as in the editor. */
  text: string;
  sheet?: SheetChoice;
  encoding?: EncodingChoice;
  /** Bytes that mean nothing in the encoding; `line` has the first of them. */
  broken?: { bytes: number; line: number } | undefined;
};

/** A rejected file. The message continues after the file's name and offers an alternative. */
export class RefusedFile extends Error {}
