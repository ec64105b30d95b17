/** `id` is the browser's name for the encoding. */
export type Encoding = { id: string; name: string };

/** In order of preference among encodings that give the same text. */
export const encodings: readonly Encoding[] = [
  { id: "utf-8", name: "Unicode (UTF-8)" },
  { id: "utf-16le", name: "Unicode (UTF-16)" },
  { id: "utf-16be", name: "Unicode (UTF-16, big end first)" },
  // ISO-8859-1 is decoded as Windows-1252, which has letters where ISO-8859-1 has control codes.
  { id: "windows-1252", name: "Western Europe (Windows-1252, ISO-8859-1)" },
  { id: "windows-1250", name: "Central Europe (Windows-1250)" },
  { id: "windows-1251", name: "Cyrillic (Windows-1251)" },
  { id: "windows-1254", name: "Turkish (Windows-1254, ISO-8859-9)" },
  { id: "windows-1253", name: "Greek (Windows-1253)" },
  { id: "iso-8859-15", name: "Western Europe (ISO-8859-15)" },
  { id: "iso-8859-2", name: "Central Europe (ISO-8859-2)" },
  { id: "macintosh", name: "Western Europe (Mac Roman)" },
  { id: "shift_jis", name: "Japanese (Shift_JIS)" },
  { id: "euc-jp", name: "Japanese (EUC-JP)" },
  { id: "gb18030", name: "Simplified Chinese (GBK, GB18030)" },
  { id: "big5", name: "Traditional Chinese (Big5)" },
  { id: "euc-kr", name: "Korean (EUC-KR)" },
  { id: "windows-1257", name: "Baltic (Windows-1257)" },
  { id: "windows-1255", name: "Hebrew (Windows-1255)" },
  { id: "windows-1256", name: "Arabic (Windows-1256)" },
  { id: "koi8-r", name: "Cyrillic (KOI8-R)" },
];

export const encodingOf = (id: string): Encoding => {
  const found = encodings.find((one) => one.id === id);
  if (!found) throw new Error(`no encoding ${id}`);
  return found;
};

// The characters of Windows-1252 from 0x80 on. Node 20, which runs the tests, decodes them as ISO-8859-1.
const cp1252 =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

/** Decodes the bytes. Invalid bytes become U+FFFD. A byte order mark is removed. */
export function decodeBytes(bytes: Uint8Array, { id }: Encoding): string {
  if (id !== "windows-1252") return new TextDecoder(id).decode(bytes);
  const units = new Uint16Array(bytes).map((byte) => (byte < 0x80 ? byte : cp1252.charCodeAt(byte - 0x80)));
  return new TextDecoder("utf-16le").decode(units);
}
