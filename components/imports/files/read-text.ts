import { decodeBytes, type Encoding } from "./encodings";
import { type FileRead, RefusedFile } from "./file-types";
import { guessEncoding } from "./guess-encoding";

const looksAt = 10_000;
// A list may use control characters as separators, but they stay below this share.
const mostControls = 0.1;

/** @param chosen the encoding that the user chose, or undefined */
export function readTextBytes(bytes: Uint8Array, chosen: string | undefined): FileRead {
  const guesses = guessEncoding(bytes);
  const encoding = guesses.find(({ id }) => id === chosen) ?? (guesses[0] as Encoding);
  const text = decodeBytes(bytes, encoding).replace(/\r\n?/g, "\n");
  const start = text.slice(0, looksAt);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  const controls = start.match(/[\x01-\x08\x0e-\x1a]/g)?.length ?? 0;
  if (start.includes("\0") || controls > start.length * mostControls)
    throw new RefusedFile("is not a text file. Drop a .csv, .tsv, .txt or .xlsx file, or paste the list.");
  return {
    text,
    broken: brokenBytes(text),
    ...(guesses.length > 1 && { encoding: { value: encoding.id, options: guesses } }),
  };
}

function brokenBytes(text: string): FileRead["broken"] {
  const [before = "", ...others] = text.split("\ufffd");
  return others.length > 0 ? { bytes: others.length, line: before.split("\n").length } : undefined;
}
