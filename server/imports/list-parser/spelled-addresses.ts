import type { LineIndex } from "./line-index";
import type { PastedPerson } from "./list-types";

// Addresses obscured against crawlers, or changed by links, PDFs and keyboards. They are reported as written:
// `suggestAddress` suggests a correction and the editor decides.
const at = String.raw`(?:\s?@\s?|＠|%40|&#(?:64|x40);|&commat;|\s?[([{]\s?(?:at|a|@|ät|arroba|chez|kukac|małpa)\s?[)\]}]\s?|_at_|\s(?:at|ät|arroba)\s(?=\S{1,63}\s(?:dot|punkt|point|punto)\s))`;
const ending = String.raw`(?=(?:com|org|net|edu|info|eu|de|at|ch|fr|es|it|nl|be|pl|cz|se|dk|no|fi|uk|us|br)(?![\p{L}\d]))`;
const dot = String.raw`(?:\.|．|。|%2e|&period;|_dot_|\s?[([{]\s?(?:dot|punkt|point|punto|\.)\s?[)\]}]\s?|\s(?:dot|punkt|point|punto)\s|\s\.\s?${ending}|\.\s${ending})`;
const label = String.raw`[\p{L}\d]+(?:-\s?[\p{L}\d]+)*`;
const local = String.raw`(?<![\p{L}\d._%+@-])[\p{L}\d](?:[\p{L}\d._+-]|%(?!40)|_(?!at_)){0,63}?`;
const spelled = new RegExp(`${local}${at}${label}(?:${dot}${label}){0,8}`, "iu");
const isOdd = /[%＠．。{[(]|&#|&commat|&period|_at_|\s[@.]|[@.-]\s|\s(?:at|ät|arroba)\s/;
const plainAddress = /[^\s@<>()[\]{},;:"]+@[\w-]+(?:\.[\w-]+)+/g;
const isPlain = /^[\p{L}\p{N}._+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u;

/**
 * Finds the only address of a line if it has an unusual spelling.
 * @param line at most 400 characters, because the pattern backtracks
 * @returns its offsets in the line; null if there is none, or a plain address beside it
 */
export function findSpelledAddress(line: string): { from: number; to: number } | null {
  if (!isOdd.test(line)) return null;
  const match = spelled.exec(line);
  if (!match || isPlain.test(match[0])) return null;
  const [from, to] = [match.index, match.index + match[0].length];
  // A plain @ sign needs an ending: "you @ five" is not an address.
  if (/@/.test(match[0]) && !/[.．。]|dot|punkt|point|punto|%2e/i.test(match[0])) return null;
  for (const plain of line.matchAll(plainAddress))
    if (plain.index < from || plain.index + plain[0].length > to) return null;
  return { from, to };
}

const headOfIt = /[^\s,;<>()"|]{1,64}$/;
const tailOfIt = /^\s*([^\s,;<>()"|]{1,200})\s*$/;

/** Finds an address that a PDF wrapped into the next line. The editor confirms it. */
export function findBrokenAddress(lines: LineIndex, line: number): { from: number; to: number } | null {
  const { text } = lines;
  if (line + 1 >= lines.count) return null;
  const [end, start] = [lines.end(line), lines.start(line + 1)];
  const last = text.charAt(end - 1);
  const opensWithAt = text.charAt(start) === "@";
  if (last !== "-" && last !== "@" && !opensWithAt) return null;
  const head = headOfIt.exec(text.slice(Math.max(lines.start(line), end - 100), end))?.[0] ?? "";
  const tail = tailOfIt.exec(text.slice(start, Math.min(lines.end(line + 1), start + 300)))?.[1] ?? "";
  if (head === "" || tail === "") return null;
  const joined = `${head}${tail}`;
  const hasEnd = /@[^@\s]*[\p{L}\d]\.\p{L}{2,}$/u.test(joined);
  const isPart = /^[\p{L}\d][^@]*@[^@]*$/u.test(joined) && /[\p{L}\d][-@]?$/u.test(head);
  if (!hasEnd || !isPart || (last === "-" && !/[\p{L}\d]-$/u.test(head))) return null;
  const tailStart = start + text.slice(start, lines.end(line + 1)).indexOf(tail);
  return { from: end - head.length, to: tailStart + tail.length };
}

/** Lower-case words before a bare address: a name, or part of an address with a space. */
export type Loose = { person: PastedPerson; from: number };

const smallWords = /(?:^|[\s:])((?:[a-z\d][a-z\d._-]*[ \u00a0]){1,2})$/;

/** Offset of lower-case words before an address that do not resemble it; null if there are none. */
export function looseWordsBefore(before: string, address: string): number | null {
  const words = smallWords.exec(before)?.[1];
  if (words === undefined || before.trim() !== words.trim()) return null;
  const name = address.slice(0, address.indexOf("@")).toLowerCase();
  const isNameOfIt = words
    .trim()
    .split(/\s+/)
    .some((word) => name.includes(word) || word.includes(name));
  return isNameOfIt ? null : before.length - words.length;
}
