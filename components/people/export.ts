import { fieldNames, type Person, personFields } from "./person-fields";

/**
 * A cell of a CSV file. What a spreadsheet would take for a formula is made text by an apostrophe: names come from
 * strangers. Also within the text: where a semicolon separates cells, as in German Excel, quotes do not hold it together.
 */
export function cell(text: string): string {
  const safe = text.replace(/(^|[;\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  return `"${safe.replaceAll('"', '""')}"`;
}

const fieldsOf = (person: Person) =>
  fieldNames.map((name) => {
    const value = personFields[name].value(person);
    return (value instanceof Date ? value.toISOString() : value) ?? "";
  });

/** People as a spreadsheet reads them. */
export function toCsv(people: Person[]): string {
  const rows = [fieldNames, ...people.map(fieldsOf)].map((row) => row.map(cell).join(","));
  // The mark at the start tells Excel that it is UTF-8.
  return `\u{feff}${rows.join("\r\n")}\r\n`;
}

/** People as a program reads them. */
export function toJson(people: Person[]): string {
  const records = people.map((person) => {
    const fields = fieldsOf(person);
    return Object.fromEntries(fieldNames.map((name, i) => [name, fields[i] || null]));
  });
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
