// The result of reading files, and its options. Plain data: it passes between the page and its worker.

export type SheetOption = { name: string; rows: number; addresses: number; hidden: boolean };
/** `sample`: names from the file in this encoding; null for an encoding that is no likelier than the others. */
export type EncodingOption = { id: string; label: string; sample: string | null };

/** `file` counts the files from 0. */
export type FileChoice =
  | { kind: "sheet"; file: number; fileName: string; value: string; options: SheetOption[] }
  /** `asked`: several encodings give plausible names, and `value` is only the likeliest. */
  | {
      kind: "encoding";
      file: number;
      fileName: string;
      value: string;
      asked: boolean;
      options: EncodingOption[];
    };

/** The user's choices. Absent choices are detected from the file. */
export type Chosen = {
  sheets: Record<number, string>;
  encodings: Record<number, string>;
};

export const noChoices: Chosen = { sheets: {}, encodings: {} };

/** A span of the text that came from a file, in UTF-16 units. */
export type FileSpan = { name: string; from: number; to: number };

/** Content that was read inexactly or skipped. The page writes the sentence. */
export type FileRemark =
  | { kind: "otherSheets"; fileName: string; sheets: { name: string; addresses: number }[] }
  | { kind: "hiddenRows"; sheet: string; rows: number }
  /** `line`: line of the first broken byte. */
  | { kind: "brokenBytes"; fileName: string; bytes: number; line: number };

export type FilesRead = {
  /** Lines end with LF, as in the editor. */
  text: string;
  spans: FileSpan[];
  choices: FileChoice[];
  remarks: FileRemark[];
  /** One sentence for each rejected file, with an alternative. */
  refused: string[];
};

/** A rejected file. The message continues after the file's name and offers an alternative. */
export class RefusedFile extends Error {}

/** The result of reading one file. */
export type FileText = { text: string; sheet?: string; choices: FileChoice[]; remarks: FileRemark[] };
