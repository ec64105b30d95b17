import { joinName, parseName } from "../name";
import type { PastedPerson, Place, Quoting } from "./list-types";

/** Replace the text between two offsets. Offsets are those of the text before any of a list of edits. */
export type TextEdit = { from: number; to: number; insert: string };

/** Writes another address where this one stands, everywhere it stands on its line, and nothing else. */
export function fixAddress(person: PastedPerson, email: string): TextEdit[] {
  const places = person.again ? [person.again, person.address] : [person.address];
  return places.map(({ from, to, quoting }) => ({
    from,
    to,
    insert: quoting === "bare" ? email : written(email, quoting),
  }));
}

/** Writes another name beside the address, or null where the text has no room for one, such as a cell of its own. */
export function fixName(text: string, person: PastedPerson, name: string): TextEdit[] | null {
  const [first, last] = person.names;
  if (first && last) {
    const parts = parseName(name);
    const words = parts.ok ? [parts.firstName, parts.lastName] : [joinName(name, ""), ""];
    return [replace(first, words[0] ?? ""), replace(last, words[1] ?? "")];
  }
  if (first) return [replace(first, name)];
  if (person.address.quoting !== "bare" || person.again) return null;
  const { from, to } = person.address;
  if (text.charAt(from - 1) === "<" && text.charAt(to) === ">") {
    return [{ from: from - 1, to: from - 1, insert: `${written(name, "bare")} ` }];
  }
  // Brackets go around the bare address only: around mailto: or quotes they would change what it is.
  if (/[^\s,;|]/.test(text.charAt(from - 1)) || /[^\s,;|]/.test(text.charAt(to))) return null;
  return [
    { from, to: from, insert: `${written(name, "bare")} <` },
    { from: to, to, insert: ">" },
  ];
}

/** Fixes one domain for many people at once: "apply to all 6". */
export function fixDomain(people: readonly PastedPerson[], domain: string): TextEdit[] {
  return people.flatMap((person) =>
    fixAddress(person, `${person.email.slice(0, person.email.lastIndexOf("@") + 1)}${domain}`),
  );
}

/** The text after all edits, which may come in any order and must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const { from, to, insert } of [...edits].sort(
    (one, other) => one.from - other.from || one.to - other.to,
  )) {
    result += text.slice(at, from) + insert;
    at = to;
  }
  return result + text.slice(at);
}

function replace({ from, to, quoting }: Place, value: string): TextEdit {
  return { from, to, insert: written(value, quoting) };
}

function written(value: string, quoting: Quoting): string {
  const line = value.replace(/[\r\n]+/g, " ");
  if (quoting === "json") return JSON.stringify(line).slice(1, -1);
  if (quoting === "quoted-cell") return line.replaceAll('"', '""');
  if (quoting === "cell") return /["\t,;|]/.test(line) ? `"${line.replaceAll('"', '""')}"` : line;
  if (quoting === "vcard") return line.replace(/[\\,;]/g, "\\$&");
  if (quoting === "display-name") return line.replace(/["\\]/g, "\\$&");
  // Free text: what would end a name or begin something else goes into quotes, as mail programs write it.
  return /^[^\p{L}\p{N}]|["(),:;<>@[\]\\|\t“„”«»]/u.test(line) ? `"${line.replace(/["\\]/g, "\\$&")}"` : line;
}
