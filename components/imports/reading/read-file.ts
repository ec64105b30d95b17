import type { FileRead } from "./messages";

const largestBytes = 50 * 1024 * 1024;

const no = (message: string): FileRead => ({ ok: false, message });

/** The text of a file that was dropped, in whatever encoding spreadsheets save. */
export async function readFile(file: File): Promise<FileRead> {
  if (file.size > largestBytes) {
    return no(`${file.name} is larger than 50 MB. Split it; one import takes up to 100,000 people.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return no(`${file.name} can't be read: it was moved, or another program holds it. Drop it again.`);
  }
  const [first, second] = bytes;
  if (first === 0x50 && second === 0x4b) {
    return no(
      `${file.name} is a workbook, not a text. Save it as CSV in your spreadsheet program, or copy the cells and paste them here.`,
    );
  }
  const text = decode(bytes);
  if (text.slice(0, 10_000).includes("\0")) {
    return no(`${file.name} is not a text. Drop a .csv, .tsv or .txt file, or paste the list.`);
  }
  return { ok: true, text };
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // What Excel in western Europe still calls "CSV".
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
