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

export const longestName = 255;

/** Why a name is rejected. Each message says what is wrong and what to do. */
export const nameFaults = lineFaults("name", longestName);
export type NameFault = LineFault;

type NameValidation =
  | { ok: true; name: string; firstName: string; lastName: string }
  | { ok: false; code: NameFault; message: string };

/** Folds tabs and line breaks, with the spaces around them, to one space. Spreadsheets and forms leave them in names. */
function foldBreaks(input: string): string {
  // Almost no name has one. Reading lists of 100,000 people calls this for each.
  if (!/[\t\r\n]/.test(input)) return input;
  return input.replace(/[ \t\r\n]+/g, (blank) => (/[\t\r\n]/.test(blank) ? " " : blank));
}

/** Validates a name by contract.md, section 4, and splits it at the first space (U+0020). Never throws. */
export function parseName(input: string): NameValidation {
  const line = parseLine(foldBreaks(input), longestName);
  if (!line.ok) return { ok: false, code: line.code, message: nameFaults[line.code] };
  const name = line.text;
  const space = name.indexOf(" ");
  if (space === -1) return { ok: true, name, firstName: name, lastName: "" };
  return { ok: true, name, firstName: name.slice(0, space), lastName: name.slice(space + 1) };
}

/** Joins the parts that `parseName` split into the same name. A trimmed name never ends at its first space. */
export function joinName(firstName: string, lastName: string): string {
  return lastName === "" ? firstName : `${firstName} ${lastName}`;
}
