import {
  type AddressHeader,
  type Chosen,
  type FileChoice,
  type FilesRead,
  type FileText,
  RefusedFile,
} from "./file-types";
import { bytesOf, type FileKind, recognizeFile } from "./recognize-file";

/** Makes one list of the files. What can't be taken is refused by its name; the others are taken. */
export async function takeFiles(files: readonly File[], chosen: Chosen): Promise<FilesRead> {
  const taken: { name: string; text: string }[] = [];
  const mails: File[] = [];
  const choices: FileChoice[] = [];
  const remarks: string[] = [];
  const refused: string[] = [];
  const take = (name: string, read: FileText) => {
    taken.push({ name: read.sheet === undefined ? name : `${name} (${read.sheet})`, text: read.text });
    choices.push(...read.choices);
    remarks.push(...read.remarks);
  };
  for (const [index, file] of files.entries()) {
    try {
      const kind = await recognizeFile(file);
      if (kind === "mails") mails.push(file);
      else take(file.name, await readOne(file, kind, index, chosen));
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
  if (taken.length < 2) {
    const [{ name, text } = { name: "", text: "" }] = taken;
    const spans = taken.length === 0 ? [] : [{ name, from: 0, to: text.length }];
    return { text, spans, choices, remarks, refused };
  }
  const { joinTexts } = await import("./join-texts");
  const joined = joinTexts(taken);
  const left = new Set(joined.left);
  return {
    text: joined.text,
    spans: joined.spans,
    choices,
    remarks,
    refused: [
      ...refused,
      ...[...left].map(
        (name) =>
          `${name} is laid out otherwise than ${taken[0]?.name}. Add these people first, then drop it by itself.`,
      ),
    ],
  };
}

async function readOne(
  file: File,
  kind: Exclude<FileKind, "mails">,
  index: number,
  { sheets, encodings }: Chosen,
): Promise<FileText> {
  const bytes = await bytesOf(file);
  if (kind === "text") {
    const { readText } = await import("./read-text");
    return readText(bytes, index, file.name, encodings[index]);
  }
  const { readWorkbook } = await import("./read-workbook");
  return readWorkbook(bytes, kind, { file: index, fileName: file.name, chosen: sheets[index] });
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
