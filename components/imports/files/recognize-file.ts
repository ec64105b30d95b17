import { unzipSync } from "fflate";
import { RefusedFile } from "./file-types";

const largestBytes = 50 * 1024 * 1024;

/** Advice by the ending of the file's name. */
const documents = {
  endings: ["pdf", "rtf", "doc", "docx", "odt", "pages", "ppt", "pptx"],
  advice: "Open it, copy the list and paste it here.",
};
const lists = {
  endings: ["xls", "xlsb", "ods", "numbers", "xml", "eml", "mbox", "msg", "pst"],
  advice: "Save it as .xlsx or .csv and drop that file.",
};
const archives = {
  endings: ["zip", "gz", "bz2", "xz", "7z", "rar", "tar"],
  advice: "Unpack it and drop the list.",
};
/** Files of these types contain text, but no list that can be read. */
const unreadableTexts = ["pdf", "rtf", "xml", "eml", "mbox"];

/** Detects the file's type by its content. Throws {@link RefusedFile}. */
export async function recognizeFile(file: File): Promise<"text" | "xlsx"> {
  if (file.size === 0) throw new RefusedFile("is empty. Drop the file with the list.");
  if (file.size > largestBytes)
    throw new RefusedFile("is larger than 50 MB. Split it; one import takes up to 100,000 people.");
  if (await isWorkbook(file)) return "xlsx";
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? "";
  const known = [documents, lists, archives].find(({ endings }) => endings.includes(ending));
  // Several services export texts whose names end in .xls.
  if (known && (unreadableTexts.includes(ending) || (await isBinary(file))))
    throw new RefusedFile(`is a .${ending} file. ${known.advice}`);
  // Excel encrypts a workbook with a password, so it isn't a ZIP archive.
  if (ending === "xlsx")
    throw new RefusedFile(
      "is damaged or has a password. Open it, save it without a password and drop that file.",
    );
  return "text";
}

async function isWorkbook(file: File): Promise<boolean> {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  // Every ZIP archive begins with "PK".
  if (first !== 0x50 || second !== 0x4b) return false;
  try {
    const entries = zipEntries(new Uint8Array(await file.arrayBuffer()));
    return entries.some(({ name }) => /^xl\/workbook\d*\.xml$/i.test(name));
  } catch {
    return false;
  }
}

/** Whether the file has a 0 byte and is not UTF-16. */
async function isBinary(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 1024).arrayBuffer());
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return !isUtf16 && head.includes(0);
}

/** Lists the names and unpacked sizes of an archive's parts. Throws for a damaged archive. */
export function zipEntries(bytes: Uint8Array): { name: string; size: number }[] {
  const entries: { name: string; size: number }[] = [];
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      entries.push({ name, size: originalSize });
      return false;
    },
  });
  return entries;
}
