import { type Chosen, type FileRead, RefusedFile } from "./file-types";
import { recognizeFile } from "./recognize-file";

/** The read file. `name` also names the sheet of a workbook. */
export type NamedFile = FileRead & { name: string };

/** Reads a text or a workbook. Throws an error whose message names the file and offers an alternative. */
export async function readFile(file: File, chosen: Chosen): Promise<NamedFile> {
  try {
    const kind = await recognizeFile(file);
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (kind === "text") {
      const { readTextBytes } = await import("./read-text");
      return { ...readTextBytes(bytes, chosen.encoding), name: file.name };
    }
    const { readWorkbook } = await import("./read-workbook");
    const read = await readWorkbook(bytes, chosen.sheet);
    return { ...read, name: `${file.name} (${read.sheet?.value})` };
  } catch (error) {
    throw new RefusedFile(`${file.name} ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedFile) return error.message;
  // The browser throws DOMException when it can't read the disk.
  if (error instanceof DOMException)
    return "can't be read: it was moved, is a folder, or is open in another program. Drop it again.";
  const detail = error instanceof Error ? error.message : String(error);
  return `can't be read (${detail}). Save it again as .xlsx or .csv and drop that file.`;
}
