import { evidenceFor } from "./encoding-evidence";
import { decodeBytes, type Encoding, encodingOf, encodings } from "./encodings";
import type { EncodingOption } from "./file-types";

export type EncodingGuess = {
  encoding: Encoding;
  /** Other encodings also give plausible names. */
  asked: boolean;
  /** All possible encodings; empty when the encoding is certain. */
  options: EncodingOption[];
};

const mostSegments = 1500;
const mostOptionsAsked = 3;
const namesInSample = 3;
const longestName = 24;
// An encoding is about as likely within this many points of the best, or within this share of its points.
const closePoints = 5;
const closeShare = 0.2;
// Byte pairs are rarely valid UTF-8 by accident. One invalid byte may be a slip.
const POINTS_OF_UTF8 = 4;
// A page or a contact mostly declares its encoding correctly.
const POINTS_OF_DECLARED = 12;

/** Ranks encodings that programs use today first, for files without telling names. */
function priorOf(id: string): number {
  if (/^windows-125[0-4]$/.test(id)) return 1;
  return /^(cp|ibm|koi|windows-)/.test(id) ? -1 : 0;
}

/**
 * Guesses the encoding by the byte order mark, by valid UTF-8, or by how plausible the names look. For lists of five
 * names this reads 100 %, jschardet 4.1 (1.2 MB) 85 % and chardet 2.2 27 %: those libraries expect sentences.
 */
export function guessEncoding(bytes: Uint8Array): EncodingGuess {
  const certain = certainEncoding(bytes);
  if (certain) return { encoding: encodingOf(certain), asked: false, options: [] };
  const segments = segmentsOf(bytes);
  const declared = declaredEncoding(bytes);
  const all = encodings
    .filter(({ id }) => !id.startsWith("utf-16") && id !== "iso-2022-jp")
    .map((encoding) => rate(encoding, segments, declared))
    .sort((one, other) => other.points - one.points);
  const [best] = all as [Rated, ...Rated[]];
  const least = best.points - Math.max(closePoints, Math.abs(best.points) * closeShare);
  const likely: Rated[] = [];
  for (const one of all) {
    if (one.points < least || likely.length === mostOptionsAsked) break;
    if (likely.every(({ text }) => text !== one.text)) likely.push(one);
  }
  const options = all.map((one) => ({
    id: one.encoding.id,
    label: one.encoding.name,
    sample: likely.includes(one) ? sampleOf(one, likely) : null,
  }));
  // Likely encodings come first, then the rest in list order.
  const rest = encodings.flatMap(({ id }) => options.filter((one) => one.id === id && one.sample === null));
  return {
    encoding: best.encoding,
    asked: likely.length > 1,
    options: [...options.filter(({ sample }) => sample !== null), ...rest],
  };
}

/** @returns null when the encodings disagree about bytes from 0x80 on */
function certainEncoding(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const wide = unmarkedUtf16(bytes.subarray(0, 8192));
  if (wide) return wide;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: how ISO-2022-JP, which is all ASCII, begins Japanese
    return /\x1b\$[@B]/.test(text) ? "iso-2022-jp" : "utf-8";
  } catch {
    return null;
  }
}

/** Reads declarations in HTML, XML and contacts: charset=windows-1250, encoding="ISO-8859-2". */
function declaredEncoding(bytes: Uint8Array): string | null {
  const head = String.fromCharCode(...bytes.subarray(0, 2048));
  const label = /\b(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(head)?.[1];
  try {
    return label ? new TextDecoder(label).encoding : null;
  } catch {
    return null;
  }
}

/** Detects UTF-16 without a mark: ASCII characters have a 0 byte, always on the same side. */
function unmarkedUtf16(bytes: Uint8Array): string | null {
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => count / (bytes.length / 2));
  if (odd > 0.1 && even < 0.02) return "utf-16le";
  return even > 0.1 && odd < 0.02 ? "utf-16be" : null;
}

/** Returns the distinct cells with bytes beyond ASCII, separated by line breaks. */
function segmentsOf(bytes: Uint8Array): Uint8Array {
  const seen = new Set<string>();
  const kept: number[] = [];
  let from = 0;
  let beyond = false;
  for (let at = 0; at <= bytes.length && seen.size < mostSegments; at++) {
    const byte = bytes[at] ?? LF;
    if (byte >= 0x80) beyond = true;
    // Bytes below 0x40 are never the second byte of a character, in any encoding.
    if (byte >= 0x40 || !parts.has(byte)) continue;
    if (beyond) {
      const segment = bytes.subarray(from, Math.min(at, from + 200));
      const key = String.fromCharCode(...segment);
      if (!seen.has(key)) kept.push(...segment, LF);
      seen.add(key);
    }
    from = at + 1;
    beyond = false;
  }
  return Uint8Array.from(kept);
}

const LF = 0x0a;
const parts = new Set(Array.from('\t\n\r",;<>()', (character) => character.charCodeAt(0)));

type Rated = { encoding: Encoding; text: string; points: number };

function rate(encoding: Encoding, segments: Uint8Array, declared: string | null): Rated {
  const text = decodeBytes(segments, encoding);
  let points = evidenceFor(text, encoding.id) + priorOf(encoding.id);
  if (encoding.id === declared) points += POINTS_OF_DECLARED;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
  if (encoding.id === "utf-8") points += POINTS_OF_UTF8 * (text.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0);
  return { encoding, text, points };
}

/** Picks names that differ between the likely encodings, or any names when only one is likely. */
function sampleOf(one: Rated, likely: Rated[]): string {
  const others = likely.filter((other) => other !== one).map(({ text }) => text.split("\n"));
  const lines = one.text.split("\n");
  const telling = lines.filter((line, at) => line.trim() && others.every((texts) => texts[at] !== line));
  const names = (telling.length > 0 ? telling : lines).map((line) => line.trim()).filter(Boolean);
  return names
    .slice(0, namesInSample)
    .map((name) => (name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name))
    .join(", ");
}
