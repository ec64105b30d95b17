// RFC 2047: the source of an email writes names as =?utf-8?Q?J=C3=BCrgen?= or =?iso-8859-1?B?SvxyZ2Vu?=.
const word = /=\?([\w-]{2,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=/gi;
// White space between two encoded words is not part of the name.
const between = /(\?=)\s+(?==\?[\w-]{2,40}(?:\*[\w-]{1,20})?\?[bq]\?)/gi;

/** Decodes encoded words and drops those that cannot be decoded. */
export function decodeWords(text: string): string {
  if (!text.includes("=?")) return text;
  return text.replace(between, "$1").replace(word, (_, charset: string, how: string, written: string) => {
    try {
      const bytes = how.toLowerCase() === "b" ? fromBase64(written) : fromQuoted(written);
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      return "";
    }
  });
}

function fromBase64(written: string): Uint8Array {
  return Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
}

function fromQuoted(written: string): Uint8Array {
  const plain = written
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}
