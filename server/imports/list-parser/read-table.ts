import { AttributeCells } from "./attribute-cells";
import { cleanName, isNothing, trimUnseen } from "./clean-text";
import { applyNameCells } from "./column-titles";
import { readEntries } from "./entries";
import type { Findings } from "./findings";
import type { ColumnRole, PastedPerson, TextPlace } from "./list-types";
import { piecesBeside, withoutRemark } from "./remarks";
import { RowReader } from "./row-reader";
import { SubscriptionCells } from "./subscription-cells";
import { hasTitles, type TableShape } from "./table-shape";

/** A table; `reader` is at the current row. `email` is the index of the column, or -1. */
type Table = {
  found: Findings;
  reader: RowReader;
  roles: ColumnRole[];
  email: number;
  /** Returns a column's cell, or "". */
  textOf(index: number): string;
  subscriptions: SubscriptionCells;
  attributes: AttributeCells;
};

const simpleAddress = /^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]*[A-Za-z0-9]$/;
// Signs that an address is wrapped in other text, or that a cell has several.
const composed = /[<(;,\n\r[|]|mailto:|^['"“‘]/i;

/**
 * Reads the rows of a table. Rows that do not fit the columns are read as free text.
 * @returns the header line of another table below, or null
 */
export function readTable(found: Findings, shape: TableShape, firstLine = 0): number | null {
  const reader = new RowReader(found.lines, shape.delimiter, firstLine);
  const table = openTable(found, reader, shape);
  const { email } = table;
  const { lines, text } = found;
  const titles =
    shape.headerLine === null ? null : text.slice(lines.start(shape.headerLine), lines.end(shape.headerLine));
  while (reader.next()) {
    if (reader.line === shape.headerLine || isBlankRow(found.text, reader)) continue;
    const first = found.records.length;
    // Rows above the titles, and repeated titles, do not begin another table.
    const isBelow = reader.line > (shape.headerLine ?? firstLine);
    const cell = emailCell(table);
    const isTitles = reader.to - reader.from === titles?.length && text.startsWith(titles, reader.from);
    if (isTitles && isBelow) found.problem("heading", reader.from, reader.to);
    else if (isBelow && !cell.includes("@") && hasTitles(lines, reader.line)) return reader.line;
    else if (simpleAddress.test(cell)) found.person(reader.place(email), "");
    else if (!readCell(table, cell)) {
      // A row read as free text has its own name, because its cells are in other columns.
      if (readAsFreeText(table)) continue;
      if (!readInvalid(table, cell)) continue;
    }
    readOtherCells(table, first);
  }
  return null;
}

function emailCell({ reader, email }: Table): string {
  return email === -1 || email >= reader.count ? "" : reader.value(email);
}

function openTable(found: Findings, reader: RowReader, { columns, samples, fields }: TableShape): Table {
  const roles = columns.map(({ role }) => role);
  return {
    found,
    reader,
    roles,
    email: roles.indexOf("email"),
    textOf: (index) => (reader.isEmpty(index) ? "" : reader.value(index)),
    subscriptions: new SubscriptionCells(columns, samples, found.questions),
    attributes: new AttributeCells(columns, fields),
  };
}

/** Asks about a row that does not fit its columns, because its cells may report an opt-out in any place. */
function askAboutRow({ found, reader, subscriptions }: Table, first: number): void {
  const row = found.text.slice(reader.from, reader.to);
  const people = found.records.slice(first);
  found.remark(people, [row]);
  if (subscriptions.tellsWhoLeft) for (const person of people) found.ask(person, "remark", row.slice(0, 200));
}

/** Applies the other cells of a row to its people. @param first index of the first person */
function readOtherCells(table: Table, first: number): void {
  const { found, reader, roles, subscriptions, attributes } = table;
  let isShifted = false;
  for (let index = roles.length; index < reader.count; index++) {
    if (reader.isEmpty(index)) continue;
    isShifted = true;
    found.note("text_ignored", reader.from);
  }
  if (isShifted) askAboutRow(table, first);
  for (let at = first; at < found.records.length; at++) {
    const person = found.records[at] as PastedPerson;
    subscriptions.read(table.textOf, person);
    if (!isShifted) attributes.read(table.textOf, person);
    applyNameCells(found, person, roles, (index) => nameCell(reader, index));
    if (reader.nextLine - reader.line > 1 && reader.nextLine > person.line) person.endLine = reader.nextLine;
  }
}

function nameCell(reader: RowReader, index: number): string {
  if (reader.isEmpty(index)) return "";
  const written = reader.value(index);
  // A quote without its pair is not part of the name.
  const lone = written.startsWith('"') && !reader.isQuoted(index) && written.indexOf('"', 1) === -1;
  return lone ? written.slice(1) : written;
}

/** Reads an email cell with an @ sign. @returns false if it has none */
function readCell({ found, reader, email }: Table, cell: string): boolean {
  if (!cell.includes("@")) return false;
  const place = reader.place(email);
  const several = cell.indexOf("@") !== cell.lastIndexOf("@") && /\s/.test(cell);
  if (!composed.test(cell) && !several) {
    found.person(place, "", cell);
    return true;
  }
  const people = readEntries(found.text, place.from, place.to);
  const first = found.records.length;
  found.entries(people);
  const persons = found.records.slice(first);
  found.remark(persons, piecesBeside(found.text, people, place.from, place.to));
  for (const person of persons) person.name = withoutRemark(person.name);
  return people.length > 0;
}

/** Reads addresses elsewhere in the row as free text. @returns whether there are any */
function readAsFreeText(table: Table): boolean {
  const { found, reader } = table;
  const { from, to } = reader;
  if (reader.nextLine - reader.line > 1 || !found.text.slice(from, to).includes("@")) return false;
  const people = readEntries(found.text, from, to).filter(({ address }) =>
    isCompleteAddress(found.text, address),
  );
  if (people.length === 0) return false;
  const [only] = people;
  if (only && people.length === 1) only.name = readSplitName(table) ?? only.name;
  const first = found.records.length;
  found.entries(people);
  found.note("row_ragged", from);
  askAboutRow(table, first);
  return true;
}

/**
 * Reads any text in the email cell as an invalid address, so that validation reports it. Totals and signatures below
 * the table are not rows.
 */
function readInvalid({ found, reader, email }: Table, cell: string): boolean {
  const written = trimUnseen(cell);
  const isAddress = written !== "" && !isNothing(written) && reader.count > 1;
  if (isAddress) found.person(reader.place(email), "", cell);
  else found.withoutAddress(reader.from, reader.to);
  return isAddress;
}

/** Joins a name whose unquoted commas split it into several cells: King, Ada, Countess,ada@x.com */
function readSplitName({ reader, roles, email }: Table): string | null {
  const name = roles.indexOf("name");
  const surplus = reader.count - roles.length;
  const isSplit = surplus > 0 && name !== -1 && email === name + 1;
  if (!isSplit || !reader.value(email + surplus).includes("@")) return null;
  const cells = Array.from({ length: surplus + 1 }, (_, index) => cleanName(nameCell(reader, name + index)));
  return cells.filter((word) => !isNothing(word)).join(", ");
}

// Outside the email column only complete addresses count, not "see you @ five".
function isCompleteAddress(text: string, address: TextPlace): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.slice(address.from, address.to));
}

const anyWord = /[\p{L}\p{N}@]/u;

// Skips empty rows, Markdown's |---|:--:| and Excel's "sep=;".
function isBlankRow(text: string, reader: RowReader): boolean {
  const unit = text.charCodeAt(reader.from) | 0x20;
  if (unit >= 0x61 && unit <= 0x7a && unit !== 0x73) return false;
  const row = text.slice(reader.from, reader.to);
  return !anyWord.test(row) || /^\s*sep=.?\s*$/i.test(row);
}
