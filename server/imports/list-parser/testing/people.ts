// Test material: random people, and a writer for each format of pasted lists.
import fc from "fast-check";
import { cleanName, isLabel, isNothing, tidyName, turnName } from "../clean-text";
import type { TextEdit } from "../edits";

export type Person = { email: string; name: string };

const local = fc.stringMatching(/^[a-z0-9]{1,8}(?:[._+-][a-z0-9]{1,6})?$/);
const host = fc.stringMatching(/^[a-z]{2,9}(?:-[a-z0-9]{1,4})?$/);
const ending = fc.constantFrom("org", "com", "example", "co.uk", "bücher.example");
export const email = fc.tuple(local, host, ending).map(([name, at, tld]) => `${name}@${at}.${tld}`);

const word = fc.constantFrom(
  ..."Ada Grace Alan Joan Hedy Mary Sophie Lovelace Hopper Turing Clarke Lamarr O'Neill Anne-Marie Jürgen Åsa Łucja Ольга Ζωή 太郎 山田 יעל".split(
    " ",
  ),
);
export const plainName = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "));
/** Names that need quotes: separators, brackets, quotes. */
const awkwardName = fc
  .string({ unit: fc.constantFrom(..."abÉ,;|<>()\"\\'.: \t"), minLength: 1, maxLength: 12 })
  .filter((name) => /\p{L}/u.test(name) && cleanName(name) === name && turnName(name) === null)
  .filter((name) => !isNothing(name) && !isLabel(name) && !/^'.*'$/.test(name) && tidyName(name) !== "");

export const plainPeople = fc.array(fc.record({ email, name: plainName }), { minLength: 2, maxLength: 12 });
export const anyPeople = fc.array(
  fc.record({ email, name: fc.oneof(plainName, awkwardName, fc.constant("")) }),
  { minLength: 1, maxLength: 12 },
);

const lines = (write: (person: Person, index: number) => string) => (people: Person[]) =>
  people.map(write).join("\n");
const displayed = ({ email: address, name }: Person) =>
  name === "" ? `<${address}>` : `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`;

/** A cell in CSV, with quotes where needed. */
function cell(value: string, delimiter: string): string {
  return /["\r\n\t,;|]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
}

const table = (delimiter: string, eol: string, header: boolean, nameFirst: boolean) => (people: Person[]) => {
  const order = (name: string, address: string) => (nameFirst ? [name, address] : [address, name]);
  const rows = people.map((person) => order(person.name, person.email));
  return [...(header ? [order("Name", "E-Mail")] : []), ...rows]
    .map((row) => row.map((value) => cell(value, delimiter)).join(delimiter))
    .join(eol);
};

/** Formats that can hold any name. */
export const anyWriters: Record<string, (people: Person[]) => string> = {
  "a To field with commas": (people) => people.map(displayed).join(", "),
  "a To field with semicolons": (people) => people.map(displayed).join("; "),
  "one quoted name a line": lines(displayed),
  "CSV with a header": table(",", "\n", true, false),
  "CSV with a header, name first, CRLF": table(",", "\r\n", true, true),
  "CSV with semicolons": table(";", "\n", true, true),
  "CSV with bars": table("|", "\n", true, false),
  "TSV with CR": table("\t", "\r", true, true),
  "CSV, all quoted, a note on three lines": (people) =>
    ["email,note,name"]
      .concat(
        people.map(({ email: address, name }) => `"${address}","one\n\ntwo","${name.replaceAll('"', '""')}"`),
      )
      .join("\n"),
  JSON: (people) => JSON.stringify(people),
  "JSON, pretty": (people) => JSON.stringify(people, null, 2),
  "JSON Lines": (people) => people.map((person) => JSON.stringify(person)).join("\n"),
  "JSON within an answer": (people) => JSON.stringify({ data: people, meta: { total: people.length } }),
  vCards: (people) =>
    people
      .map(({ email: address, name }) => {
        const written = name.replace(/[\\,;]/g, "\\$&");
        return `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${written}\r\nEMAIL;TYPE=HOME:${address}\r\nEND:VCARD`;
      })
      .join("\r\n"),
};

/** Formats that can hold only names of words. */
export const plainWriters: Record<string, (people: Person[]) => string> = {
  "name <address>": lines(({ email: address, name }) => `${name} <${address}>`),
  "address (name)": lines(({ email: address, name }) => `${address} (${name})`),
  "name address": lines(({ email: address, name }) => `${name} ${address}`),
  "address name": lines(({ email: address, name }) => `${address} ${name}`),
  "name - address": lines(({ email: address, name }) => `${name} - ${address}`),
  "name, address": lines(({ email: address, name }) => `${name}, ${address}`),
  bullets: lines(({ email: address, name }) => `- ${name} <${address}>,`),
  numbers: lines(({ email: address, name }, index) => `${index + 1}. ${name}, ${address}`),
  "name<mailto:address>": lines(({ email: address, name }) => `${name}<mailto:${address}>`),
  "Markdown links": lines(({ email: address, name }) => `* [${name}](mailto:${address})`),
  "a line for the name, a line for the address": lines(({ email: address, name }) => `${name}\n${address}`),
  "blocks of two lines": (people) =>
    people.map(({ email: address, name }) => `${name}\n${address}`).join("\n\n"),
  "TSV without a header": table("\t", "\n", false, true),
  "CSV without a header": table(",", "\r\n", false, false),
  "mixed lines": lines(
    ({ email: address, name }, index) =>
      [`${name} <${address}>`, `${address} (${name})`, `"${name}" <${address}>;`, `${name}, ${address}`][
        index % 4
      ] as string,
  ),
};

/** Formats without names. */
export const bareWriters: Record<string, (people: Person[]) => string> = {
  "one address a line": lines(({ email: address }) => address),
  "CRLF and spaces": (people) => people.map(({ email: address }) => ` ${address} \r\n`).join(""),
  commas: (people) => people.map(({ email: address }) => address).join(","),
  semicolons: (people) => people.map(({ email: address }) => address).join("; "),
  spaces: (people) => people.map(({ email: address }) => address).join(" "),
  "angle brackets": lines(({ email: address }) => `<${address}>`),
  "address<mailto:address>": lines(({ email: address }) => `${address}<mailto:${address}>`),
  "one column with a title": (people) =>
    `E-mail address\n${people.map(({ email: address }) => address).join("\n")}`,
  "JSON strings": (people) => JSON.stringify(people.map(({ email: address }) => address)),
  "quotes and commas": lines(({ email: address }) => `"${address}",`),
};

/** Applies edits in any order. Edits must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = text;
  for (const { from, to, insert } of [...edits].sort((one, other) => other.from - one.from))
    result = result.slice(0, from) + insert + result.slice(to);
  return result;
}
