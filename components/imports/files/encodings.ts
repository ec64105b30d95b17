/** `label` is the browser's name. Encodings without a label define bytes from 0x80 in `upper`. */
export type Encoding = { id: string; name: string; label?: string; upper?: string };

// Browsers support this encoding. Node 20, which runs the tests, decodes it as ISO-8859-1.
const cp1252 =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
/** In order of preference among encodings that give the same text. */
export const encodings: readonly Encoding[] = [
  { id: "utf-8", name: "Unicode (UTF-8)", label: "utf-8" },
  { id: "utf-16le", name: "Unicode (UTF-16)", label: "utf-16le" },
  { id: "utf-16be", name: "Unicode (UTF-16, big end first)", label: "utf-16be" },
  // ISO-8859-1 is decoded as Windows-1252, which has letters where ISO-8859-1 has control codes.
  { id: "windows-1252", name: "Western Europe (Windows-1252, ISO-8859-1)", upper: cp1252 },
  { id: "windows-1250", name: "Central Europe (Windows-1250)", label: "windows-1250" },
  { id: "windows-1251", name: "Cyrillic (Windows-1251)", label: "windows-1251" },
  { id: "windows-1254", name: "Turkish (Windows-1254, ISO-8859-9)", label: "windows-1254" },
  { id: "windows-1253", name: "Greek (Windows-1253)", label: "windows-1253" },
  { id: "iso-8859-15", name: "Western Europe (ISO-8859-15)", label: "iso-8859-15" },
  { id: "iso-8859-2", name: "Central Europe (ISO-8859-2)", label: "iso-8859-2" },
  { id: "macintosh", name: "Western Europe (Mac Roman)", label: "macintosh" },
  { id: "shift_jis", name: "Japanese (Shift_JIS)", label: "shift_jis" },
  { id: "euc-jp", name: "Japanese (EUC-JP)", label: "euc-jp" },
  { id: "gb18030", name: "Simplified Chinese (GBK, GB18030)", label: "gb18030" },
  { id: "big5", name: "Traditional Chinese (Big5)", label: "big5" },
  { id: "euc-kr", name: "Korean (EUC-KR)", label: "euc-kr" },
  { id: "windows-1257", name: "Baltic (Windows-1257)", label: "windows-1257" },
  { id: "windows-1255", name: "Hebrew (Windows-1255)", label: "windows-1255" },
  { id: "windows-1256", name: "Arabic (Windows-1256)", label: "windows-1256" },
  { id: "koi8-r", name: "Cyrillic (KOI8-R)", label: "koi8-r" },
];

export const encodingOf = (id: string): Encoding => {
  const found = encodings.find((one) => one.id === id);
  if (!found) throw new Error(`no encoding ${id}`);
  return found;
};

/** Decodes the bytes. Invalid bytes become U+FFFD. A byte order mark is removed. */
export function decodeBytes(bytes: Uint8Array, { label, upper }: Encoding): string {
  if (label) return new TextDecoder(label).decode(bytes);
  const units = new Uint16Array(bytes.length);
  const table = Uint16Array.from({ length: 256 }, (_, byte) =>
    byte < 0x80 ? byte : (upper?.charCodeAt(byte - 0x80) ?? 0xfffd),
  );
  for (let at = 0; at < bytes.length; at++) units[at] = table[bytes[at] as number] as number;
  return new TextDecoder("utf-16le").decode(units);
}
