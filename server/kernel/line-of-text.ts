/** Why a line of text is rejected. */
export type LineFault = "too_long" | "lone_surrogate" | "control_char" | "bidi_control";

/** Says what is wrong and what to do. @param noun such as "name" */
export const lineFaults = (noun: string, longest: number): Record<LineFault, string> => ({
  too_long: `The ${noun} is too long: at most ${longest.toLocaleString("en")} characters.`,
  lone_surrogate: `The ${noun} contains a broken character (half of a surrogate pair). Send valid Unicode text.`,
  control_char: `The ${noun} contains a line break, tab or other control character. Write it on one line.`,
  bidi_control: `The ${noun} contains an invisible character that changes the direction of text. Remove it.`,
});

/**
 * Trims a text, normalises it to NFC, and rejects characters that do not belong on one line. Never throws.
 * @param longest in code points
 */
export function parseLine(
  input: string,
  longest: number,
): { ok: true; text: string } | { ok: false; code: LineFault } {
  // Trims JavaScript's white space: tab, Unicode's spaces, BOM. A line break at either end is rejected.
  const trimmed = input.trim();
  // NFC turns at most four code units into one code point (at most two units). A longer text can't become short enough.
  if (trimmed.length > longest * 2 * 4) return { ok: false, code: "too_long" };
  if (/\p{Cs}/u.test(trimmed)) return { ok: false, code: "lone_surrogate" };
  if (/[\n\v\f\r\u2028\u2029]/.test(input) || /\p{Cc}/u.test(trimmed))
    return { ok: false, code: "control_char" };
  if (/\p{Bidi_Control}/u.test(trimmed)) return { ok: false, code: "bidi_control" };
  const text = trimmed.normalize("NFC");
  if (Array.from(text).length > longest) return { ok: false, code: "too_long" };
  return { ok: true, text };
}
