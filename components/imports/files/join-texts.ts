import { LineIndex } from "@/server/imports/list-parser/line-index";
import type { ColumnRole, Delimiter, ListColumn } from "@/server/imports/list-parser/list-types";
import { parseList } from "@/server/imports/list-parser/parse-list";
import { RowReader } from "@/server/imports/list-parser/row-reader";
import type { FileSpan } from "./file-types";
import { rowText } from "./sheet-text";

export type NamedText = { name: string; text: string };
export type JoinedText = { text: string; spans: FileSpan[] };

type Titled = { delimiter: Delimiter; headerLine: number; columns: ListColumn[] };
type Layout = { kind: string; table: Titled | null };

const sampleLength = 64 * 1024;
/** Columns with these roles are merged under any title. Other columns are merged only under the same title. */
const merged = new Set<ColumnRole>(["email", "name", "firstName", "middleName", "lastName"]);

/**
 * Joins several lists. Tables become one table with all columns, so each cell keeps its title. Lists without titles
 * are appended. Other layouts are returned in `left`.
 */
export function joinTexts<One extends NamedText>(all: readonly One[]): JoinedText & { left: One[] } {
  const layouts = all.map(({ text }) => layoutOf(text));
  const kind = layouts[0]?.kind;
  const left = all.filter((_, index) => layouts[index]?.kind !== kind);
  const fitting = all.flatMap(({ name, text }, index) => {
    const layout = layouts[index];
    return layout?.kind === kind ? [{ name, text, layout }] : [];
  });
  const tables = fitting.flatMap(({ name, text, layout }) =>
    layout?.table ? [{ name, text, table: layout.table }] : [],
  );
  return { ...(tables.length > 0 ? joinTables(tables) : joinPlain(fitting)), left };
}

function layoutOf(text: string): Layout {
  const end = text.length <= sampleLength ? text.length : text.lastIndexOf("\n", sampleLength);
  const { shape, format, delimiter, headerLine, columns, lines } = parseList(text.slice(0, end));
  if (shape !== "table") return { kind: format.startsWith("blocks") ? format : shape, table: null };
  if (headerLine === null || !delimiter) return { kind: "lines", table: null };
  const above = text.slice(0, lines.start(headerLine - 1)).replace(/^\s*sep=.*$/im, "");
  // Text above the titles may describe all rows, so such a table can't be joined with others.
  if (above.trim() !== "") return { kind: `below ${above.trim()}`, table: null };
  return { kind: "table", table: { delimiter, headerLine: headerLine - 1, columns } };
}

function joinPlain(all: readonly NamedText[]): JoinedText {
  let text = "";
  const spans: FileSpan[] = [];
  for (const one of all) {
    const added = one.text.replace(/^\n+|\n+$/g, "");
    if (text !== "") text += "\n\n";
    spans.push({ name: one.name, from: text.length, to: text.length + added.length });
    text += added;
  }
  return { text, spans };
}

function joinTables(all: readonly (NamedText & { table: Titled })[]): JoinedText {
  const columns: ListColumn[] = [];
  const placed = all.map(({ table }) => place(table.columns, columns));
  const rows: { name: string; cells: string[] }[] = [];
  for (const [index, { name, text, table }] of all.entries()) {
    const places = placed[index] as number[];
    const reader = new RowReader(new LineIndex(text), table.delimiter, table.headerLine + 1);
    while (reader.next()) {
      const cells: string[] = [];
      for (let at = 0; at < reader.count; at++) {
        if (reader.isEmpty(at)) continue;
        // Cells after the last title get columns of their own, without a title.
        places[at] ??= columns.push({ title: "", role: "ignored" }) - 1;
        cells[places[at] as number] = reader.value(at);
      }
      if (cells.length > 0) rows.push({ name, cells });
    }
  }
  let text = rowText(
    columns.map(({ title }) => title),
    0,
    columns.length,
  );
  const spans: FileSpan[] = [];
  for (const { name, cells } of rows) {
    const from = text.length + 1;
    text += `\n${rowText(cells, 0, columns.length)}`;
    const last = spans.at(-1);
    if (last?.name === name) last.to = text.length;
    else spans.push({ name, from, to: text.length });
  }
  return { text, spans };
}

/** Returns each column's position among all columns, and appends new columns. */
function place(own: readonly ListColumn[], columns: ListColumn[]): number[] {
  const taken = new Set<number>();
  return own.map(({ title, role }) => {
    let at = columns.findIndex(
      (one, index) =>
        !taken.has(index) && (same(one.title, title) || (merged.has(role) && one.role === role)),
    );
    if (at === -1) at = columns.push({ title, role }) - 1;
    taken.add(at);
    return at;
  });
}

const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
