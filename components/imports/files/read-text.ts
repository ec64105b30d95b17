import { decodeBytes, encodingOf } from "./encodings";
import { type FileRemark, type FileText, RefusedFile } from "./file-types";
import { guessEncoding } from "./guess-encoding";

const looksAt = 10_000;
// A list may use control characters as separators, but they stay below this share.
const mostControls = 0.1;

/** @param chosen the encoding that the user chose, or undefined */
export function readText(
  bytes: Uint8Array,
  file: number,
  fileName: string,
  chosen: string | undefined,
): FileText {
  const guess = guessEncoding(bytes);
  const { options } = guess;
  const encoding = chosen && options.length > 0 ? encodingOf(chosen) : guess.encoding;
  const text = decodeBytes(bytes, encoding).replace(/\r\n?/g, "\n");
  const start = text.slice(0, looksAt);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
  const controls = start.match(/[\x01-\x08\x0e-\x1a]/g)?.length ?? 0;
  if (start.includes("\0") || controls > start.length * mostControls)
    throw new RefusedFile("is not a text file. Drop a .csv, .tsv, .txt or .xlsx file, or paste the list.");
  const remark = remarkOnBroken(text, fileName);
  return {
    text,
    choices:
      options.length === 0
        ? []
        : [{ kind: "encoding", file, fileName, value: encoding.id, asked: guess.asked, options }],
    remarks: remark ? [remark] : [],
  };
}

function remarkOnBroken(text: string, fileName: string): FileRemark | null {
  const first = text.indexOf("\ufffd");
  if (first === -1) return null;
  let bytes = 0;
  for (let at = first; at !== -1; at = text.indexOf("\ufffd", at + 1)) bytes++;
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < first; at = text.indexOf("\n", at + 1)) line++;
  return { kind: "brokenBytes", fileName, bytes, line };
}
