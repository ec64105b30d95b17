import { type AddressHeader, type Chosen, type FilesRead, type FileText, RefusedFile } from "./file-types";
import { bytesOf, type FileKind, recognizeFile } from "./recognize-file";

type Taken = FileText & { name: string };

type OnShare = (share: number) => void;

/**
 * Makes one list of the files. What can't be taken is refused by its name; the others are taken.
 * @param onShare hears how much of them has been read, from 0 to 1
 */
export async function takeFiles(
  files: readonly File[],
  chosen: Chosen,
  onShare?: OnShare,
): Promise<FilesRead> {
  const taken: Taken[] = [];
  const mails: File[] = [];
  const refused: string[] = [];
  const take = (name: string, read: FileText) =>
    taken.push({ ...read, name: read.sheet === undefined ? name : `${name} (${read.sheet})` });
  for (const [index, file] of files.entries()) {
    try {
      const kind = await recognizeFile(file);
      if (kind === "mails") mails.push(file);
      else {
        const told = onShare && ((share: number) => onShare((index + share) / files.length));
        take(file.name, await readOne(file, kind, { index, chosen, onShare: told }));
      }
    } catch (error) {
      refused.push(`${file.name} ${reasonOf(error)}`);
    }
  }
  const [mail] = mails;
  if (mail) {
    try {
      take(
        mails.length === 1 ? mail.name : `${mails.length} mails`,
        await readMailFiles(mails, chosen.headers),
      );
    } catch (error) {
      refused.push(`${mail.name} ${reasonOf(error)}`);
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
      `${one.name} is laid out otherwise than ${name}. Add these people first, then drop it by itself.`,
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
  kind: Exclude<FileKind, "mails">,
  { index, chosen, onShare }: { index: number; chosen: Chosen; onShare: OnShare | undefined },
): Promise<FileText> {
  const { sheets, encodings } = chosen;
  const bytes = await bytesOf(file);
  if (kind === "text") {
    const { readText } = await import("./read-text");
    return readText(bytes, index, file.name, encodings[index]);
  }
  const { readWorkbook } = await import("./read-workbook");
  return readWorkbook(bytes, kind, { file: index, fileName: file.name, chosen: sheets[index], onShare });
}

async function readMailFiles(files: readonly File[], chosen: AddressHeader[] | null): Promise<FileText> {
  const { headerOptions, mailLines, noMails, readMails } = await import("./read-mails");
  const found = noMails();
  for (const file of files) await readMails(file, found);
  const options = headerOptions(found);
  const [first] = options;
  if (!first)
    throw new RefusedFile(
      "has no addresses in its headers. Copy those out of its text, and paste them here.",
    );
  const value = chosen ?? [first.header];
  return {
    text: mailLines(found, value),
    choices: [{ kind: "headers", value, mails: found.mails, options }],
    remarks: [],
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedFile) return error.message;
  // The browser's own errors: of reading the disk.
  if (error instanceof DOMException)
    return "can't be read: it was moved, is a folder, or another program holds it. Drop it again.";
  const detail = error instanceof Error ? error.message : String(error);
  return `can't be read (${detail}). Save it again as .xlsx or .csv, and drop that.`;
}
