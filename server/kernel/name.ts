import { type LineFault, lineFaults, parseLine } from "./line-of-text";

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
