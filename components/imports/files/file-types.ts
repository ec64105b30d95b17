// What a read of files gives, and what about it can be chosen. Plain data: it passes between the page and its worker.

export type SheetOption = { name: string; rows: number; addresses: number; hidden: boolean };
/** `sample`: names of the file as this encoding writes them; null where it is no likelier than any other. */
export type EncodingOption = { id: string; label: string; sample: string | null };

/** `file` counts the files from 0. */
export type FileChoice =
  | { kind: "sheet"; file: number; fileName: string; value: string; options: SheetOption[] }
  /** `asked`: several encodings give names that look right, and `value` is only the likeliest. */
  | {
      kind: "encoding";
      file: number;
      fileName: string;
      value: string;
      asked: boolean;
      options: EncodingOption[];
    };

/** What the person has chosen; what is absent is taken by its looks. */
export type Chosen = {
  sheets: Record<number, string>;
  encodings: Record<number, string>;
};

export const nothingChosen: Chosen = { sheets: {}, encodings: {} };

/** Which stretch of the text came from where, in UTF-16 units. */
export type FileSpan = { name: string; from: number; to: number };

/** What was read, but not to the letter; or what was not read. The page makes the sentence. */
export type FileRemark =
  | { kind: "otherSheets"; fileName: string; sheets: { name: string; addresses: number }[] }
  | { kind: "hiddenRows"; sheet: string; rows: number }
  /** `line`: of the first. */
  | { kind: "brokenBytes"; fileName: string; bytes: number; line: number };

export type FilesRead = {
  /** Lines end with LF, as in the editor. */
  text: string;
  spans: FileSpan[];
  choices: FileChoice[];
  remarks: FileRemark[];
  /** One sentence for each file that was not taken, with what to do instead. */
  refused: string[];
};

/** A file that can't be taken: the message goes on behind the file's name, and says what to do instead. */
export class RefusedFile extends Error {}

/** What one file became. */
export type FileText = { text: string; sheet?: string; choices: FileChoice[]; remarks: FileRemark[] };
