import { fieldOfRole, withAttributeRoles } from "./attribute-cells";
import { isNothing } from "./clean-text";
import { mayTitleEmail, roleOfTitle, rolesOfTitles } from "./column-titles";
import type { LineIndex } from "./line-index";
import type { ColumnRole, Delimiter, ListColumn, Override } from "./list-types";
import { RowReader } from "./row-reader";
import { isStatusWord, meaningOfWord } from "./status-words";
import { signOfTitle } from "./title-signs";
import { yesOrNo } from "./yes-or-no";

export type TableShape = {
  delimiter: Delimiter;
  headerLine: number | null;
  columns: ListColumn[];
  fields?: Override["fields"];
  /** The first non-empty cells of a column below the header. */
  samples(index: number): string[];
};

type Row = { line: number; cells: string[] };

const sampleRows = 200;
// Includes empty lines.
const sampleLines = 2000;
const mostCells = 200;
const headerWithin = 10;
const delimiters: readonly Delimiter[] = ["\t", "|", "^", ";", ","];

/**
 * Detects a table from its first 200 rows, starting at a line. Returns null if the text is better read as lines, and
 * `override` does not force a table.
 */
export function detectTable(lines: LineIndex, override: Override, firstLine = 0): TableShape | null {
  const tried = override.delimiter ? [override.delimiter] : delimiters;
  const samples = tried.map((delimiter) => ({ delimiter, rows: sample(lines, delimiter, firstLine) }));
  let best: (TableShape & { score: number }) | null = null;
  for (const { delimiter, rows } of samples) {
    const header = override.header === false ? -1 : findHeader(rows);
    if (header === -1) continue;
    const columns = withHeader(rows, header);
    const score = columns.filter(({ role }) => role !== "ignored").length * 100 + columns.length;
    if (!best || score > best.score) {
      const samples = samplesOf(rows.slice(header + 1));
      best = { delimiter, headerLine: rows[header]?.line ?? 0, columns, samples, score };
    }
  }
  let shape: TableShape | null = best;
  for (const { delimiter, rows } of samples) {
    if (shape) break;
    const email = emailColumn(rows);
    if (email === -1 && !(override.shape === "table" && delimiter === tried.at(-1))) continue;
    shape = withoutHeader(rows, delimiter, Math.max(email, 0), override.header);
  }
  if (!shape) return null;
  const { columns: roles } = override;
  const { fields = [] } = override;
  if (!roles) return { ...shape, columns: withAttributeRoles(shape.columns, fields), fields };
  const columns = Array.from({ length: Math.max(roles.length, shape.columns.length) }, (_, index) => {
    const { title, role: read } = shape.columns[index] ?? { title: `column ${index + 1}`, role: "ignored" };
    const chosen = roles[index] ?? "ignored";
    const isGone = chosen.startsWith("field:") && !fieldOfRole(chosen, fields);
    const role = isGone ? "ignored" : chosen;
    return {
      ...shape.columns[index],
      title,
      role,
      ...(role === "ignored" && read !== "ignored" && { dismissed: true }),
    };
  });
  return { ...shape, columns, fields };
}

const samplesOf = (body: Row[]) => (index: number) =>
  body.map(({ cells }) => cells[index] ?? "").filter((cell) => cell !== "");

/** Whether a line is the header of another table, pasted below the first. */
export function hasTitles(lines: LineIndex, line: number): boolean {
  const from = lines.start(line);
  const text = lines.text.slice(from, Math.min(lines.end(line), from + 2000));
  if (text.includes("@")) return false;
  return delimiters.some((delimiter) => {
    if (!text.includes(delimiter)) return false;
    const cells = text.split(delimiter).map((cell) => cell.trim().replace(/^"|"$/g, ""));
    return cells.some((cell) => roleOfTitle(cell) === "email");
  });
}

function sample(lines: LineIndex, delimiter: Delimiter, firstLine: number): Row[] {
  const reader = new RowReader(lines, delimiter, firstLine);
  const rows: Row[] = [];
  while (rows.length < sampleRows && reader.nextLine < firstLine + sampleLines && reader.next()) {
    const cells = Array.from({ length: Math.min(reader.count, mostCells) }, (_, index) =>
      reader.value(index),
    );
    if (cells.some((cell) => cell !== "")) rows.push({ line: reader.line, cells });
  }
  return rows;
}

// Sheet titles and Excel's "sep=;" may precede the header; addresses may not.
function findHeader(rows: Row[]): number {
  for (const [index, { cells }] of rows.slice(0, headerWithin).entries()) {
    if (/^#(?!$)/.test(cells[0] ?? "")) continue;
    if (cells.some((cell) => cell.includes("@"))) return -1;
    if (cells.filter((cell) => cell !== "").length < 2) continue;
    if (cells.some((cell) => roleOfTitle(cell) === "email")) return index;
    if (cells.some(mayTitleEmail) && cells.every((cell) => cell.length <= 60)) return index;
  }
  return -1;
}

function withHeader(rows: Row[], header: number): ListColumn[] {
  const titles = rows[header]?.cells ?? [];
  const roles = rolesOfTitles(titles);
  const body = rows.slice(header + 1);
  return titles.map((title, index) => ({
    title: title === "" ? `column ${index + 1}` : title,
    role: /\s/.test(title)
      ? (roles[index] ?? "ignored")
      : roleByCells(roles[index] ?? "ignored", body, index),
    ...(title === "" && isEmptyColumn(body, index) ? { empty: true } : {}),
  }));
}

// "State" may be a part of a country. Status words in its cells make it a status.
function roleByCells(role: ColumnRole, body: Row[], index: number): ColumnRole {
  return role === "state" && body.some(({ cells }) => isStatusWord(cells[index] ?? "")) ? "status" : role;
}

function isEmptyColumn(rows: Row[], index: number): boolean {
  return rows.every(({ cells }) => (cells[index] ?? "") === "");
}

const listed = /^(?:[-*•·‣◦▪●○–—→✓✔☐☑]|\(?\d{1,6}[.)])\s+\S/;
// With an ending: ada@orange,fr is one address with a comma in place of the dot, not two cells.
const bareCell = /^[<'"]?(?:mailto:)?[^\s@<>,;:"()[\]|]+@[^\s@<>,;"()[\]|.]+\.[^\s@<>,;"()[\]|]+[>'"]?$/i;
const bulletCell = /^(?:[-*•·‣◦▪●○–—→✓✔☐☑o]|\(?\d{1,6}[.)])$/;

/** The column with one address per row beside at least one other column; -1 if there is none. */
function emailColumn(rows: Row[]): number {
  const withAt = rows.filter(({ cells }) => cells.some((cell) => cell.includes("@")));
  const counts: number[] = [];
  if (withAt.filter(({ cells }) => listed.test(cells[0] ?? "")).length * 2 > withAt.length) return -1;
  let several = 0;
  let wide = 0;
  for (const { cells } of withAt) {
    let ats = 0;
    for (const [index, cell] of cells.entries()) {
      if (!cell.includes("@")) continue;
      ats++;
      if (bareCell.test(cell)) counts[index] = (counts[index] ?? 0) + 1;
    }
    if (ats > 1) several++;
    if (cells.filter((cell) => cell !== "" && !bulletCell.test(cell)).length > 1) wide++;
  }
  if (several > 0.1 * withAt.length || wide < 0.5 * withAt.length) return -1;
  let best = -1;
  for (const [index, count] of counts.entries()) if ((count ?? 0) > (counts[best] ?? 0)) best = index;
  return (counts[best] ?? 0) > 0 && (counts[best] ?? 0) >= 0.8 * withAt.length ? best : -1;
}

function withoutHeader(
  rows: Row[],
  delimiter: Delimiter,
  email: number,
  wanted: boolean | undefined,
): TableShape {
  const first = rows[0];
  const titled = wanted ?? (first !== undefined && rows.length > 1 && isTitleRow(first, rows, email));
  const body = titled ? rows.slice(1) : rows;
  const width = Math.max(email + 1, ...body.map(({ cells }) => cells.length));
  const roles = rolesOfContent(body, email, width);
  const columns = roles.map((role, index) => {
    const title = titled ? (first?.cells[index] ?? "") : "";
    const named = title === "" ? null : (roleOfTitle(title) ?? signOfTitle(title));
    const fits = named !== null && named !== "email";
    return {
      title: title === "" ? `column ${index + 1}` : title,
      role: fits && role === "ignored" ? named : role,
      ...(title === "" && isEmptyColumn(body, index) ? { empty: true } : {}),
    };
  });
  return { delimiter, headerLine: titled ? (first?.line ?? 0) : null, columns, samples: samplesOf(body) };
}

// A header with unknown words has the width of the rows below, no empty cell, no address and few digits.
function isTitleRow(first: Row, rows: Row[], email: number): boolean {
  if (first.cells.length < 2 || first.cells.length !== rows[1]?.cells.length) return false;
  if (first.cells.some((cell) => cell === "" || cell.length > 60 || /@|^\d|\d{3}/.test(cell))) return false;
  return rows.slice(1).every(({ cells }) => (cells[email] ?? "@").includes("@"));
}

/** Guesses roles from the cells: the first column of words is the name, or the first two if their words are single. */
function rolesOfContent(rows: Row[], email: number, width: number): ColumnRole[] {
  const roles: ColumnRole[] = Array.from({ length: width }, (_, index) =>
    index === email ? "email" : "ignored",
  );
  const names: number[] = [];
  for (let index = 0; index < width; index++) {
    const cells =
      index === email ? [] : rows.map((row) => row.cells[index] ?? "").filter((cell) => cell !== "");
    if (cells.length === 0) continue;
    if (cells.filter((cell) => meaningOfWord(cell) !== null).length * 2 > cells.length)
      roles[index] = "status";
    else if (cells.filter(isNameCell).length >= 0.7 * cells.length) names.push(index);
  }
  const [first, second] = names;
  if (first === undefined) return roles;
  const share = rows.filter(({ cells }) => /\S\s+\S|,/.test(cells[first] ?? "")).length;
  const isNeighbour =
    second !== undefined && (second === first + 1 || (second === first + 2 && email === first + 1));
  if (isNeighbour && share < 0.4 * rows.length) {
    roles[first] = "firstName";
    roles[second] = "lastName";
  } else roles[first] = "name";
  return roles;
}

function isNameCell(cell: string): boolean {
  if (isNothing(cell)) return true;
  return cell.length <= 80 && /\p{L}/u.test(cell) && !/[@\d/=]|\\(?!")/.test(cell) && yesOrNo(cell) === null;
}
