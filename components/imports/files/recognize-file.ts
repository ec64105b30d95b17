import { looksLikeXml } from "@/server/imports/list-parser/parse-list";
import { RefusedFile } from "./file-types";
import { unzipParts, zipEntries } from "./zip";

export type FileKind = "text" | "xlsx";

const copyText = "Open it, copy the list and paste it here.";
const saveAsXlsx = "Save it as .xlsx or .csv and drop that file.";
const saveAddresses = "Save its addresses as .xlsx or .csv and drop that file.";
const noList = "Drop the list itself, as text or a spreadsheet.";
const unpack = "Unpack it and drop the lists.";

type Magic = { at?: number; bytes: string; what: string; instead: string };

/** Documents that only programs can read as text. */
const documents: Magic[] = [
  { bytes: "%PDF", what: "a PDF", instead: copyText },
  { bytes: "{\\rtf", what: "a formatted text (RTF)", instead: copyText },
  { bytes: "%!PS", what: "a PostScript document", instead: copyText },
];

const noListIn = (what: string, ...starts: [bytes: string, at?: number][]): Magic[] =>
  starts.map(([bytes, at]) => ({ bytes, at, what, instead: noList }));

// The first bytes (as Latin-1) of files that aren't text, and the advice for each. The first match counts.
const magics: Magic[] = [
  ...noListIn("a picture (PNG)", ["\x89PNG"]),
  ...noListIn("a picture (JPEG)", ["\xff\xd8\xff"]),
  ...noListIn("a picture (GIF)", ["GIF8"]),
  ...noListIn("a picture (TIFF)", ["II*\0"], ["MM\0*"]),
  ...noListIn("a picture (Photoshop)", ["8BPS"]),
  ...noListIn("a picture (icon)", ["\0\0\x01\0"]),
  ...noListIn("a picture (WebP)", ["WEBP", 8]),
  ...noListIn("a picture (AVIF)", ["ftypavif", 4]),
  ...["heic", "heix", "mif1", "msf1", "hevc"].flatMap((brand) =>
    noListIn("a picture (HEIC)", [`ftyp${brand}`, 4]),
  ),
  ...noListIn("a sound recording", ["ftypM4A", 4], ["WAVE", 8], ["ID3"], ["OggS"], ["fLaC"]),
  ...noListIn("a video", ["ftyp", 4], ["AVI ", 8], ["\x1aE\xdf\xa3"]),
  { bytes: "\x1f\x8b", what: "compressed (gzip)", instead: unpack },
  { bytes: "BZh", what: "compressed (bzip2)", instead: unpack },
  { bytes: "\xfd7zXZ", what: "compressed (xz)", instead: unpack },
  { bytes: "(\xb5/\xfd", what: "compressed (zstd)", instead: unpack },
  { bytes: "7z\xbc\xaf", what: "an archive (7-Zip)", instead: unpack },
  { bytes: "Rar!", what: "an archive (RAR)", instead: unpack },
  { bytes: "ustar", at: 257, what: "an archive (tar)", instead: unpack },
  {
    bytes: "SQLite format 3",
    what: "a database (SQLite)",
    instead: "Export the table of people as .csv and drop that file.",
  },
  {
    bytes: "Standard ",
    at: 4,
    what: "a database (Access)",
    instead: "Export the table of people as .csv and drop that file.",
  },
  { bytes: "PAR1", what: "a Parquet file", instead: "Export it as .csv and drop that file." },
  {
    bytes: "!BDN",
    what: "an Outlook mailbox (.pst)",
    instead: "Export its contacts as .csv and drop that file.",
  },
  ...noListIn("a Mac settings file", ["bplist"]),
  ...noListIn("a program", ["MZ"], ["\x7fELF"], ["\xcf\xfa\xed\xfe"], ["\xca\xfe\xba\xbe"]),
  {
    bytes: "\x09\x08",
    what: "an old Excel workbook (.xls)",
    instead: "Save it as .xlsx and drop that file.",
  },
];

/** Compound files of Microsoft Office, by the name of a stream inside. The names are UTF-16. */
const compound: { stream: string; what: string; instead: string }[] = [
  {
    stream: "EncryptedPackage\0",
    what: "password-protected",
    instead: "Open it, save it without a password and drop that file.",
  },
  { stream: "WordDocument\0", what: "a Word document (.doc)", instead: copyText },
  { stream: "PowerPoint Document\0", what: "a presentation (.ppt)", instead: copyText },
  {
    stream: "Workbook\0",
    what: "an old Excel workbook (.xls)",
    instead: "Save it as .xlsx and drop that file.",
  },
  { stream: "Book\0", what: "an old Excel workbook (.xls)", instead: "Save it as .xlsx and drop that file." },
  { stream: "__substg1.0_", what: "an Outlook item (.msg)", instead: saveAddresses },
];

/** ZIP archives, by the name of a part inside. */
const zipped: { part: RegExp; what: string; instead: string }[] = [
  { part: /^xl\/workbook\.bin$/, what: "a binary workbook (.xlsb)", instead: saveAsXlsx },
  { part: /^word\//, what: "a Word document (.docx)", instead: copyText },
  { part: /^ppt\//, what: "a presentation (.pptx)", instead: copyText },
];

const openDocuments: Record<string, string> = {
  text: "a text document (.odt)",
  presentation: "a presentation (.odp)",
  graphics: "a drawing (.odg)",
};

const headBytes = 1024;
const MB = 1024 * 1024;
const largestBytes = 50 * MB;

/** Detects the file's type by its content; the name matters only for emails. Throws {@link RefusedFile}. */
export async function recognizeFile(file: File): Promise<FileKind> {
  const head = latin1(await bytesOf(file.slice(0, headBytes)));
  if (head === "") throw new RefusedFile("is empty. Drop the file with the list.");
  // A list may start with MZimmer@example.org, but has no such characters.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  const known = /[\0-\x08\x0e-\x1a]/.test(head) ? magics : documents;
  const magic = known.find(({ at = 0, bytes }) => head.startsWith(bytes, at));
  if (magic) return refuse(magic);
  const mail = mailOf(head, file.name);
  if (mail) return refuse({ what: mail, instead: saveAddresses });
  if (file.size > largestBytes)
    throw new RefusedFile("is larger than 50 MB. Split it; one import takes up to 100,000 people.");
  if (head.startsWith("PK\x03\x04") || head.startsWith("PK\x05\x06"))
    return ofZip(await bytesOf(file), file.name);
  if (head.startsWith("\xd0\xcf\x11\xe0")) return refuse(ofCompound(await bytesOf(file)));
  if (looksLikeXml(head.replace(/^\xef\xbb\xbf/, "").trimStart()))
    return refuse({ what: "an XML file", instead: saveAsXlsx });
  return "text";
}

export const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer());

const latin1 = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function refuse({ what, instead }: { what: string; instead: string }): never {
  throw new RefusedFile(`is ${what}. ${instead}`);
}

function ofZip(bytes: Uint8Array, name: string): FileKind {
  let names: string[];
  try {
    names = zipEntries(bytes).map(({ name }) => name);
  } catch {
    return refuse({ what: "a damaged workbook or archive", instead: "Save it again and drop that file." });
  }
  if (names.some((part) => /^xl\/workbook\d*\.xml$/i.test(part))) return "xlsx";
  const { mimetype: written = new Uint8Array() } = unzipParts(bytes, (name) => name === "mimetype");
  const mimetype = latin1(written.subarray(0, 80));
  const kind = /opendocument\.(\w+)/.exec(mimetype)?.[1];
  if (kind === "spreadsheet")
    return refuse({ what: "an OpenDocument spreadsheet (.ods)", instead: saveAsXlsx });
  if (kind) return refuse({ what: openDocuments[kind] ?? "an OpenDocument file", instead: copyText });
  const found = zipped.find(({ part }) => names.some((one) => part.test(one)));
  if (found) return refuse(found);
  if (names.some((part) => part.endsWith(".iwa") || part === "Index.zip")) return refuse(ofApple(name));
  if (mimetype.startsWith("application/epub")) return refuse({ what: "a book (EPUB)", instead: noList });
  const lists = names.filter((part) => !part.endsWith("/") && !part.startsWith("__MACOSX"));
  const some = lists.slice(0, 3).join(", ") + (lists.length > 3 ? `, and ${lists.length - 3} more` : "");
  return refuse({ what: `a ZIP archive${some && ` (${some})`}`, instead: unpack });
}

/** Pages, Numbers and Keynote write the same parts, so the file name decides. */
function ofApple(name: string): { what: string; instead: string } {
  if (/\.pages$/i.test(name)) return { what: "a Pages document", instead: copyText };
  if (/\.key$/i.test(name)) return { what: "a Keynote presentation", instead: copyText };
  return {
    what: "a Numbers spreadsheet",
    instead: "Export it from Numbers as Excel or CSV and drop that file.",
  };
}

function ofCompound(bytes: Uint8Array): { what: string; instead: string } {
  const text = new TextDecoder("utf-16le").decode(bytes.subarray(0, bytes.length & ~1));
  const found = compound.find(({ stream }) => text.includes(stream));
  return found ?? { what: "a document of an old Office program", instead: copyText };
}

const mailNames = /\.(eml|mbox|mbx|mboxrd)$/i;
const mailFields =
  /^(?:message-id|received|mime-version|return-path|delivered-to|dkim-signature|x-mailer)[ \t]*:/gim;

/** A mailbox starts with "From …". An email has header fields that people don't copy by hand. */
function mailOf(head: string, name: string): string | null {
  if (/^From \S+ .*\d{4}\r?\n[!-9;-~]+:/.test(head)) return "a mailbox (.mbox)";
  const fields = /^[!-9;-~]+:[^\n]*\n/.test(head);
  const isMail = fields && (mailNames.test(name) || new Set(head.match(mailFields)).size >= 2);
  return isMail ? "an email (.eml)" : null;
}
