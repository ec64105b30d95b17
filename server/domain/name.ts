/** Why a name is rejected. Each message says what is wrong and what to do. */
export const nameFaults = {
  too_long: "The name is too long: at most 255 characters.",
  lone_surrogate: "The name contains a broken character (half of a surrogate pair). Send valid Unicode text.",
  control_char: "The name contains a line break, tab or other control character. Write it on one line.",
  bidi_control: "The name contains an invisible character that changes the direction of text. Remove it.",
} as const;

export type NameFault = keyof typeof nameFaults;

export type NameValidation =
  | { ok: true; name: string; firstName: string; lastName: string }
  | { ok: false; code: NameFault; message: string };

const longestName = 255;
// NFC makes one code point (two units at most) of four units at most, so anything longer cannot shrink enough.
const longestInput = longestName * 2 * 4;

/** Validates a name by contract.md, section 4, and splits it at the first space (U+0020). Never throws. */
export function parseName(input: string): NameValidation {
  // Trims what JavaScript calls white space (tab, Unicode's spaces, BOM); a line break at the edge is rejected.
  const trimmed = input.trim();
  if (trimmed.length > longestInput) return reject("too_long");
  if (/\p{Cs}/u.test(trimmed)) return reject("lone_surrogate");
  if (/[\n\v\f\r\u2028\u2029]/.test(input) || /\p{Cc}/u.test(trimmed)) return reject("control_char");
  if (/\p{Bidi_Control}/u.test(trimmed)) return reject("bidi_control");
  const name = trimmed.normalize("NFC");
  if (Array.from(name).length > longestName) return reject("too_long");
  const space = name.indexOf(" ");
  if (space === -1) return { ok: true, name, firstName: name, lastName: "" };
  return { ok: true, name, firstName: name.slice(0, space), lastName: name.slice(space + 1) };
}

/** The name that `parseName` split, unit for unit: a trimmed name never ends at its first space. */
export function joinName(firstName: string, lastName: string): string {
  return lastName === "" ? firstName : `${firstName} ${lastName}`;
}

function reject(code: NameFault): NameValidation {
  return { ok: false, code, message: nameFaults[code] };
}
