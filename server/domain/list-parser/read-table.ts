import { cleanName, isNothing, trimUnseen } from "./clean-text";
import { readEntries } from "./entries";
import type { Findings } from "./findings";
import { type ColumnRole, isStatusRole, type StatusRole, type TextPlace } from "./list-types";
import { RowReader } from "./row-reader";
import type { TableShape } from "./table-shape";

/** Indexes of the columns; -1 where there is none. */
type Columns = Record<"email" | "name" | "firstName" | "lastName", number> & {
  status: { index: number; role: StatusRole } | null;
};
/** The table that is read; `reader` stands at the current row. */
type Table = { found: Findings; reader: RowReader; columns: Columns; width: number };

const simpleAddress = /^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]*[A-Za-z0-9]$/;
// What an address may be wrapped in, or the sign that a cell holds more than one.
const composed = /[<(;,\n\r[|]|mailto:|^['"“‘]/i;

/** Reads rows of cells. A row that does not fit the columns is read by itself, as free text. */
export function readTable(found: Findings, shape: TableShape): void {
  const reader = new RowReader(found.lines, shape.delimiter);
  const columns = indexRoles(shape);
  const table = { found, reader, columns, width: shape.columns.length };
  const title = shape.headerLine === null ? undefined : shape.columns[columns.email]?.title;
  while (reader.next()) {
    if (reader.line === shape.headerLine || isBlankRow(found.text, reader)) continue;
    const first = found.records.length;
    const cell = columns.email !== -1 && columns.email < reader.count ? reader.value(columns.email) : "";
    if (cell !== "" && cell === title) found.problem("heading", reader.from, reader.to);
    else if (simpleAddress.test(cell)) found.person(reader.place(columns.email), "");
    else if (!readCell(table, cell)) {
      // A row that was read by itself has its own name: its cells are not where the columns say.
      if (readByItself(table)) continue;
      if (!readInvalid(table, cell)) continue;
    }
    readBeside(table, first);
  }
}

function indexRoles({ columns }: TableShape): Columns {
  const at = (role: ColumnRole) => columns.findIndex((column) => column.role === role);
  const index = columns.findLastIndex(({ role }) => isStatusRole(role));
  const role = columns[index]?.role;
  return {
    email: at("email"),
    name: at("name"),
    firstName: at("firstName"),
    lastName: at("lastName"),
    status: role && isStatusRole(role) ? { index, role } : null,
  };
}

/** Gives the row's people the name and the status in its other cells. @param first the first of its records */
function readBeside(table: Table, first: number): void {
  const { found, reader, columns, width } = table;
  const name = readName(table);
  const { status: column } = columns;
  const status =
    column && !reader.isEmpty(column.index)
      ? found.status(column.role, reader.value(column.index), reader.from)
      : null;
  for (let index = width; index < reader.count; index++) {
    if (!reader.isEmpty(index)) found.note("text_ignored", reader.from);
  }
  for (const person of found.records.slice(first)) {
    if (name !== "") person.name = name;
    if (status) person.status = status;
    if (reader.nextLine - reader.line > 1 && reader.nextLine > person.line) person.endLine = reader.nextLine;
  }
}

/** An email cell that is more than a plain address. @returns false when it has no @ sign */
function readCell({ found, reader, columns }: Table, cell: string): boolean {
  if (!cell.includes("@")) return false;
  const place = reader.place(columns.email);
  const several = cell.indexOf("@") !== cell.lastIndexOf("@") && /\s/.test(cell);
  if (!composed.test(cell) && !several) {
    found.person(place, "", cell);
    return true;
  }
  const { people } = readEntries(found.text, place.from, place.to);
  found.entries(people, place.quoting);
  return people.length > 0;
}

/** Addresses elsewhere in the row, read as free text. @returns whether there are any */
function readByItself(table: Table): boolean {
  const { found, reader } = table;
  const { from, to } = reader;
  if (reader.nextLine - reader.line > 1 || !found.text.slice(from, to).includes("@")) return false;
  const people = readEntries(found.text, from, to).people.filter(({ address }) =>
    isWhole(found.text, address),
  );
  if (people.length === 0) return false;
  const [only] = people;
  if (only && people.length === 1) only.name = readSplitName(table) ?? only.name;
  found.entries(people, "cell");
  found.note("row_ragged", from);
  return true;
}

/**
 * What stands where the address belongs is the address, and its validation tells what is wrong with it. But a total or a
 * signature below the table is no row of it.
 */
function readInvalid({ found, reader, columns }: Table, cell: string): boolean {
  const written = trimUnseen(cell);
  const isAddress = written !== "" && !isNothing(written) && reader.count > 1;
  if (isAddress) found.person(reader.place(columns.email), "", cell);
  else found.withoutAddress(reader.from, reader.to);
  return isAddress;
}

/** A name that fell into several cells because nobody quoted its commas: King, Ada, Countess,ada@x.com */
function readSplitName({ found, reader, columns: { name, email }, width }: Table): string | null {
  const surplus = reader.count - width;
  if (surplus < 1 || name === -1 || email !== name + 1 || !reader.has(email + surplus, "@")) return null;
  const cells = Array.from({ length: surplus + 1 }, (_, index) => readWord(reader, name + index));
  return found.turned(cells.filter((word) => word !== "").join(", "), reader.from);
}

// Of the cells beside the columns only what can be an address, not "see you @ five".
function isWhole(text: string, address: TextPlace): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.slice(address.from, address.to));
}

function readName({ found, reader, columns }: Table): string {
  const whole = columns.name === -1 ? "" : found.turned(readWord(reader, columns.name), reader.from);
  if (whole !== "" || columns.firstName === -1 || columns.lastName === -1) return whole;
  const [first, last] = [readWord(reader, columns.firstName), readWord(reader, columns.lastName)];
  return first && last ? `${first} ${last}` : first || last;
}

function readWord(reader: RowReader, index: number): string {
  if (reader.isEmpty(index)) return "";
  const written = reader.value(index);
  // A quote that never closed is no part of the name.
  const lone =
    written.startsWith('"') && reader.place(index).quoting === "cell" && written.indexOf('"', 1) === -1;
  const word = cleanName(lone ? written.slice(1) : written);
  return isNothing(word) ? "" : word;
}

const anyWord = /[\p{L}\p{N}@]/u;

// Empty rows, and Markdown's |---|:--:|; "sep=;" is a line that Excel writes for itself.
function isBlankRow(text: string, reader: RowReader): boolean {
  const unit = text.charCodeAt(reader.from) | 0x20;
  if (unit >= 0x61 && unit <= 0x7a && unit !== 0x73) return false;
  const row = text.slice(reader.from, reader.to);
  return !anyWord.test(row) || /^\s*sep=.?\s*$/i.test(row);
}
