import { type EncodingOption as Encoding, type FileRead, type FileRemark, RefusedFile } from "./file-types";

const looksAt = 10_000;
// A list may use control characters as separators, but they stay below this share.
const mostControls = 0.1;

/** @param chosen the encoding that the user chose, or undefined */
export function readText(bytes: Uint8Array, chosen: string | undefined): FileRead {
  const likely = likelyEncodings(bytes);
  const isCertain = likely.length === 1;
  const encoding = (!isCertain && chosen) || (likely[0] as Encoding).id;
  const text = decodeBytes(bytes, encoding).replace(/\r\n?/g, "\n");
  const start = text.slice(0, looksAt);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  const controls = start.match(/[\x01-\x08\x0e-\x1a]/g)?.length ?? 0;
  if (start.includes("\0") || controls > start.length * mostControls)
    throw new RefusedFile("is not a text file. Drop a .csv, .tsv, .txt or .xlsx file, or paste the list.");
  return {
    text,
    remarks: remarksOnBroken(text),
    ...(!isCertain && { encoding: { value: encoding, options: likely } }),
  };
}

function remarksOnBroken(text: string): FileRemark[] {
  const bytes = text.split("\ufffd").length - 1;
  if (bytes === 0) return [];
  const line = text.slice(0, text.indexOf("\ufffd")).split("\n").length;
  return [{ kind: "brokenBytes", bytes, line }];
}

/** In order of preference among encodings that are equally plausible. `id` is the browser's label. */
const encodings: Encoding[] = [
  { id: "utf-8", label: "Unicode (UTF-8)" },
  // Browsers decode ISO-8859-1 as Windows-1252, which has letters where ISO-8859-1 has control codes.
  { id: "windows-1252", label: "Western Europe (Windows-1252, ISO-8859-1)" },
  { id: "windows-1250", label: "Central Europe (Windows-1250)" },
  { id: "windows-1251", label: "Cyrillic (Windows-1251)" },
  { id: "windows-1254", label: "Turkish (Windows-1254, ISO-8859-9)" },
  { id: "windows-1253", label: "Greek (Windows-1253)" },
  { id: "iso-8859-15", label: "Western Europe (ISO-8859-15)" },
  { id: "iso-8859-2", label: "Central Europe (ISO-8859-2)" },
  { id: "macintosh", label: "Western Europe (Mac Roman)" },
  { id: "shift_jis", label: "Japanese (Shift_JIS)" },
  { id: "euc-jp", label: "Japanese (EUC-JP)" },
  { id: "gb18030", label: "Simplified Chinese (GBK, GB18030)" },
  { id: "big5", label: "Traditional Chinese (Big5)" },
  { id: "euc-kr", label: "Korean (EUC-KR)" },
  { id: "windows-1257", label: "Baltic (Windows-1257)" },
  { id: "windows-1255", label: "Hebrew (Windows-1255)" },
  { id: "windows-1256", label: "Arabic (Windows-1256)" },
  { id: "koi8-r", label: "Cyrillic (KOI8-R)" },
];

/** Decodes the bytes. Invalid bytes become U+FFFD. A byte order mark is removed. */
const decodeBytes = (bytes: Uint8Array, id: string) => new TextDecoder(id).decode(bytes);

const comparedBytes = 100_000;

/** Encodings with the likeliest first; a single one when the bytes leave no doubt. */
function likelyEncodings(bytes: Uint8Array): Encoding[] {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return [{ id: "utf-16le", label: "" }];
  if (first === 0xfe && second === 0xff) return [{ id: "utf-16be", label: "" }];
  if (!decodeBytes(bytes, "utf-8").includes("\ufffd")) return encodings.slice(0, 1);
  const start = bytes.subarray(0, comparedBytes);
  return encodings
    .map((encoding) => ({ encoding, odd: countOdd(decodeBytes(start, encoding.id), encoding.id) }))
    .sort((one, other) => one.odd - other.odd)
    .map(({ encoding }) => encoding);
}

/**
 * Signs of a wrong decoding: a broken character, a capital or a symbol inside a word, several scripts in a word, or
 * three Latin letters beyond ASCII in a row. Encodings of one alphabet may stay equal, and then the menu decides.
 */
const oddSigns = [
  /[\ufffd\uff61-\uff9f]/g,
  /\p{Ll}\p{Lu}/gu,
  /(?<=\p{L})(?![\p{L}\p{M}’·ªº])[\u0080-\uffff]|[\u0080-\u009f]/gu,
  /\p{sc=Latin}(?!\p{sc=Latin})[\p{L}\p{M}]|(?!\p{sc=Latin})\p{L}\p{sc=Latin}/gu,
  /(?:(?=\p{sc=Latin})[\u0080-\uffff]){3}/gu,
];

function countOdd(text: string, id: string): number {
  const count = (sign: RegExp) => text.match(sign)?.length ?? 0;
  // Other bytes are rarely valid UTF-8 by accident. One invalid byte may be a slip.
  const valid = id === "utf-8" ? count(/(?!\ufffd)[\u0080-\uffff]/g) : 0;
  return oddSigns.reduce((sum, sign) => sum + count(sign), -valid);
}
