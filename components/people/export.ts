import { type Person, sourceOf } from "./view-state";

const HEAD = ["email", "name", "status", "source", "added", "confirmed", "unsubscribed", "id"];

/**
 * A cell of a CSV file. What a spreadsheet would take for a formula is made text by an apostrophe: names come from
 * strangers.
 */
export function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const time = (at: Date | null) => at?.toISOString() ?? "";

const fields = (person: Person) => [
  person.email,
  person.name,
  person.status,
  sourceOf(person),
  time(person.createdAt),
  time(person.confirmedAt),
  time(person.unsubscribedAt),
  person.id,
];

/** People as a spreadsheet reads them. */
export function toCsv(people: Person[]): string {
  const rows = [HEAD, ...people.map(fields)].map((row) => row.map(cell).join(","));
  // The mark at the start tells Excel that it is UTF-8.
  return `\u{feff}${rows.join("\r\n")}\r\n`;
}

/** People as a program reads them. */
export function toJson(people: Person[]): string {
  const records = people.map((person) =>
    Object.fromEntries(HEAD.map((name, i) => [name, fields(person)[i] || null])),
  );
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** Hands the browser a file. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
