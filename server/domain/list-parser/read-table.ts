import { cleanName, isNothing, trimUnseen } from "./clean-text";
import { readEntries } from "./entries";
import { type Findings, setStatus } from "./findings";
import { isStatusRole, type PastedPerson, type Place, type Role, type StatusRole } from "./list-types";
import { RowReader } from "./row-reader";
import type { TableShape } from "./table-shape";

type Columns = Record<"email" | "name" | "firstName" | "lastName", number> & {
  status: { index: number; role: StatusRole } | null;
};

const simpleAddress = /^[A-Za-z0-9._+-]+@[A-Za-z0-9.-]*[A-Za-z0-9]$/;
// What an address may be wrapped in, or the sign that a cell holds more than one.
const composed = /[<(;,\n\r[|]|mailto:|^['"“‘]/i;

/** Reads rows of cells. A row that does not fit the columns is read by itself, as free text. */
export function readTable(found: Findings, shape: TableShape): void {
  const reader = new RowReader(found.lines, shape.delimiter);
  const columns = indexRoles(shape);
  const title = shape.headerLine === null ? undefined : shape.columns[columns.email]?.title;
  while (reader.next()) {
    if (reader.line === shape.headerLine || isBlankRow(found.text, reader)) continue;
    const first = found.records.length;
    const cell = columns.email !== -1 && columns.email < reader.count ? reader.value(columns.email) : "";
    if (cell !== "" && cell === title) found.problem("heading", reader.from, reader.to);
    else if (simpleAddress.test(cell)) found.person(reader.place(columns.email), "");
    // What was read alone has its own name: the row's cells are not where the columns say.
    else if (!readCell(found, reader, columns.email, cell) && readAlone(found, reader, shape, columns, cell))
      continue;
    const name = readName(found, reader, columns);
    const status = readStatus(found, reader, columns);
    for (let index = shape.columns.length; index < reader.count; index++) {
      if (!reader.isEmpty(index)) found.note("text_ignored", reader.from);
    }
    for (let index = first; index < found.records.length; index++) {
      const person = found.records[index] as PastedPerson;
      if (name !== "") person.name = name;
      setStatus(person, status);
      if (reader.nextLine - reader.line > 1 && reader.nextLine > person.line)
        person.endLine = reader.nextLine;
    }
  }
}

function indexRoles({ columns }: TableShape): Columns {
  const at = (role: Role) => columns.findIndex((column) => column.role === role);
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

/** An email cell that is more than a plain address. False when there is no @ sign in it. */
function readCell(found: Findings, reader: RowReader, index: number, cell: string): boolean {
  if (!cell.includes("@")) return false;
  const place = reader.place(index);
  const several = cell.indexOf("@") !== cell.lastIndexOf("@") && /\s/.test(cell);
  if (!composed.test(cell) && !several) {
    found.person(place, "", cell);
    return true;
  }
  const entries = readEntries(found.text, place.from, place.to);
  found.entries(entries.people, place.quoting);
  return entries.people.length > 0;
}

/** False when the cell is the address after all, and the row's other cells are where they should be. */
function readAlone(
  found: Findings,
  reader: RowReader,
  shape: TableShape,
  columns: Columns,
  cell: string,
): boolean {
  const { from, to } = reader;
  const oneLine = reader.nextLine - reader.line === 1;
  const entries =
    oneLine && found.text.slice(from, to).includes("@") ? readEntries(found.text, from, to) : null;
  const people = entries?.people.filter(({ address }) => isWhole(found.text, address)) ?? [];
  if (people.length > 0) {
    for (const { address, again, name } of people) {
      const person = found.person({ ...address, quoting: "cell" }, name);
      if (again) person.again = again;
      if (people.length === 1) person.name = readSplitName(found, reader, shape, columns) ?? name;
    }
    found.note("row_ragged", from);
    return true;
  }
  // Something stands where the address belongs: it is the address, and the policy says what is wrong with it. But a
  // total or a signature below the table is no row of it.
  const written = trimUnseen(cell);
  const isAddress = written !== "" && !isNothing(written) && reader.count > 1;
  if (isAddress) found.person(reader.place(columns.email), "", cell);
  else found.withoutAddress(from, to);
  return !isAddress;
}

/** A name that fell into several cells because nobody quoted its commas: King, Ada, Countess,ada@x.com */
function readSplitName(
  found: Findings,
  reader: RowReader,
  shape: TableShape,
  { name, email }: Columns,
): string | null {
  const surplus = reader.count - shape.columns.length;
  if (surplus < 1 || name === -1 || email !== name + 1 || !reader.has(email + surplus, "@")) return null;
  const cells = Array.from({ length: surplus + 1 }, (_, index) => readWord(reader, name + index));
  const joined = cells.filter((word) => word !== "").join(", ");
  return found.turned(joined, reader.from);
}

// Of the cells beside the columns only what can be an address, not "see you @ five".
function isWhole(text: string, address: Place): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.slice(address.from, address.to));
}

function readName(found: Findings, reader: RowReader, columns: Columns): string {
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

function readStatus(found: Findings, reader: RowReader, { status }: Columns) {
  if (!status || reader.isEmpty(status.index)) return null;
  return found.status(status.role, reader.value(status.index), reader.from);
}

const anyWord = /[\p{L}\p{N}@]/u;

// Empty rows, and Markdown's |---|:--:|; "sep=;" is Excel's word to itself.
function isBlankRow(text: string, reader: RowReader): boolean {
  const unit = text.charCodeAt(reader.from) | 0x20;
  if (unit >= 0x61 && unit <= 0x7a && unit !== 0x73) return false;
  const row = text.slice(reader.from, reader.to);
  return !anyWord.test(row) || /^\s*sep=.?\s*$/i.test(row);
}
