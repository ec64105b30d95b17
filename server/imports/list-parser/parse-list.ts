import { Findings } from "./findings";
import { LineIndex } from "./line-index";
import type { Delimiter, Override, PastedList } from "./list-types";
import { plainText } from "./plain-text";
import { Questions } from "./questions";
import { readBlocks, startsBlock } from "./read-blocks";
import { readJsonList } from "./read-json";
import { readLines } from "./read-lines";
import { readTable } from "./read-table";
import { readVcards } from "./read-vcards";
import { findStruckOut } from "./struck-out";
import { detectTable, type TableShape } from "./table-shape";

const delimiterNames: Record<Delimiter, string> = {
  "\t": "tab-separated",
  ",": "comma-separated",
  ";": "semicolon-separated",
  "|": "separated by |",
  "^": "separated by ^",
};

/**
 * Reads a list of any format. Never throws, and takes linear time. Every line with letters or digits ends up in a
 * record, a problem, the header or a note. Words about opting out hold their people back or make them unsubscribed.
 * @param fileName null for a paste
 */
export function parseList(text: string, override: Override = {}, fileName: string | null = null): PastedList {
  const readable = plainText(text);
  const found = new Findings(readable, new LineIndex(readable), new Questions(override.answers));
  const list: PastedList = {
    format: "",
    shape: "lines",
    delimiter: null,
    headerLine: null,
    columns: [],
    ignoredColumns: [],
    lines: found.lines,
    records: found.records,
    problems: found.problems,
    notes: [],
    questions: [],
  };
  read(found, override, list);
  found.askAboutStruckOut(findStruckOut(text));
  found.finish(fileName);
  list.notes = found.notes();
  list.questions = found.questions.list();
  return list;
}

function read(found: Findings, override: Override, list: PastedList): void {
  const wantsTable = override.delimiter !== undefined || override.columns !== undefined;
  const shape = override.shape ?? (wantsTable ? "table" : undefined);
  const start = firstVisible(found.text);
  if (shape === "json" || (!shape && looksLikeJson(found.text, start))) {
    const json = readJsonList(found, start);
    // The brackets are not JSON if they hold no person and begin no object.
    if (found.records.length > 0 || beginsObject.test(found.text.slice(start, start + 1000)))
      return void Object.assign(list, json, { shape: "json" });
    found.problems.length = 0;
  }
  if (shape === "vcard" || (!shape && startsVcard(found.text, start))) {
    const ignoredColumns = readVcards(found);
    return void Object.assign(list, { shape: "vcard", format: "vCards", ignoredColumns });
  }
  if (!shape && looksLikeXml(found.text, start)) {
    found.problem("xml", start, found.text.length);
    list.format = "XML";
    return;
  }
  if (!shape && startsBlock(found.lines) && readBlocks(found))
    return void Object.assign(list, { shape: "lines", format: "blocks of titles and values" });
  const asLines = shape !== undefined && shape !== "table";
  const table = asLines ? null : detectTable(found.lines, override);
  if (table) {
    readTables(found, table, override.fields);
    list.shape = "table";
    list.delimiter = table.delimiter;
    list.headerLine = table.headerLine === null ? null : table.headerLine + 1;
    list.columns = table.columns.map((column, index) => ({
      ...column,
      samples: shownSamples(table.samples(index)),
    }));
    list.ignoredColumns = table.columns
      .filter(({ role, empty }) => role === "ignored" && !empty)
      .map(({ title }) => title);
    const titled = list.headerLine === null ? "no header" : `header on line ${list.headerLine}`;
    list.format = `${delimiterNames[table.delimiter]}, ${titled}`;
    return;
  }
  const lines = readLines(
    found,
    shape === "pairs" ? "yes" : shape === "lines" ? "no" : "maybe",
    override.header,
  );
  list.shape = lines.pairs ? "pairs" : "lines";
  list.headerLine = lines.headerLine;
  list.format = nameLines(found, lines.pairs, lines.headerLine);
}

const mostSamples = 3;
const longestSample = 40;

/** The first different cells of a column. They help the editor to choose its meaning. */
function shownSamples(cells: string[]): string[] {
  const shown = cells.map((cell) => {
    const line = cell.replace(/\s+/g, " ").trim();
    return line.length > longestSample ? `${line.slice(0, longestSample)}…` : line;
  });
  return [...new Set(shown)].slice(0, mostSamples);
}

const mostTables = 50;

/** Reads a table, and tables below it with titles of their own. */
function readTables(found: Findings, first: TableShape, fields: Override["fields"]): void {
  let next = readTable(found, first);
  for (let tables = 1; next !== null; tables++) {
    const shape = tables < mostTables ? detectTable(found.lines, { fields }, next) : null;
    next = readTable(found, shape ?? first, shape ? next : next + 1);
  }
}

function nameLines(found: Findings, pairs: boolean, headerLine: number | null): string {
  const { records } = found;
  if (records.length === 0) return "no addresses found";
  const header = headerLine === null ? "" : `, header on line ${headerLine}`;
  if (pairs) return `names and addresses on separate lines${header}`;
  let crowded = 0;
  for (let index = 1; index < records.length; index++)
    if (records[index]?.line === records[index - 1]?.line) crowded++;
  const some = crowded * 4 < records.length ? "one or more addresses per line" : "several addresses per line";
  return `${crowded === 0 ? "one address per line" : some}${header}`;
}

function firstVisible(text: string): number {
  const match = /[^\s\ufeff\u200b]/.exec(text);
  return match ? match.index : text.length;
}

// A Markdown link also opens with a bracket, but a letter follows.
function looksLikeJson(text: string, start: number): boolean {
  const open = text.charAt(start);
  if (open !== "[" && open !== "{") return false;
  const next = /\S/.exec(text.slice(start + 1, start + 1000))?.[0] ?? "";
  return open === "[" ? "{[\"']".includes(next) && next !== "" : /["'}\p{L}]/u.test(next);
}

const beginsObject = /^(?:\[\s*)?\{\s*(?:"[^"\n]*"|'[^'\n]*'|[\p{L}_][\p{L}\p{N}_]*)\s*:/u;

/** Whether the first element is XML other than HTML. A line may also begin with an address in angle brackets. */
export function looksLikeXml(text: string, start = 0): boolean {
  const head = text.slice(start, start + 4000);
  const root = /^(?:<\?xml[^<>]*>\s*)?<(?:!doctype\s+)?([a-z_][\w:.-]*)[\s>/]/i.exec(head)?.[1];
  if (!root || html.test(root)) return false;
  return /^<\?xml|<\/[a-z_]|\/>/i.test(head);
}
const html =
  /^(?:html|head|meta|title|style|link|body|main|article|section|header|footer|nav|div|span|p|br|hr|a|img|[ou]l|li|d[ldt]|table|thead|tbody|t[rdh]|h[1-6]|b|i|u|s|em|strong|del|strike|font|pre|code|small|center|blockquote)$/i;

function startsVcard(text: string, start: number): boolean {
  return /^BEGIN:VCARD/i.test(text.slice(start, start + 11));
}
