import { type Chosen, type FilesRead, type FileText, RefusedFile } from "./file-types";
import { bytesOf, type FileKind, recognizeFile } from "./recognize-file";

type Taken = FileText & { name: string };

/** Joins the files into one list. Unusable files are rejected by name; the others are read. */
export async function takeFiles(files: readonly File[], chosen: Chosen): Promise<FilesRead> {
  const taken: Taken[] = [];
  const refused: string[] = [];
  for (const [index, file] of files.entries()) {
    try {
      const kind = await recognizeFile(file);
      const read = await readOne(file, kind, index, chosen);
      taken.push({ ...read, name: read.sheet === undefined ? file.name : `${file.name} (${read.sheet})` });
    } catch (error) {
      refused.push(`${file.name} ${reasonOf(error)}`);
    }
  }
  return makeOne(taken, refused);
}

async function makeOne(taken: readonly Taken[], refused: string[]): Promise<FilesRead> {
  const [first] = taken;
  if (!first) return { text: "", spans: [], choices: [], remarks: [], refused };
  const { choices, remarks, text, name } = first;
  if (taken.length === 1)
    return { text, spans: [{ name, from: 0, to: text.length }], choices, remarks, refused };
  const { joinTexts } = await import("./join-texts");
  const { left, ...joined } = joinTexts(taken);
  const fitting = taken.filter((one) => !left.includes(one));
  const otherwise = left.map(
    (one) =>
      `${one.name} has a different layout than ${name}. Import the other files first, then drop it alone.`,
  );
  return {
    ...joined,
    choices: fitting.flatMap((one) => one.choices),
    remarks: fitting.flatMap((one) => one.remarks),
    refused: [...refused, ...otherwise],
  };
}

async function readOne(
  file: File,
  kind: FileKind,
  index: number,
  { sheets, encodings }: Chosen,
): Promise<FileText> {
  const bytes = await bytesOf(file);
  if (kind === "text") {
    const { readText } = await import("./read-text");
    return readText(bytes, index, file.name, encodings[index]);
  }
  const { readWorkbook } = await import("./read-workbook");
  return readWorkbook(bytes, { file: index, fileName: file.name, chosen: sheets[index] });
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedFile) return error.message;
  // The browser throws DOMException when it can't read the disk.
  if (error instanceof DOMException)
    return "can't be read: it was moved, is a folder, or is open in another program. Drop it again.";
  const detail = error instanceof Error ? error.message : String(error);
  return `can't be read (${detail}). Save it again as .xlsx or .csv and drop that file.`;
}
