import { Findings } from "./findings";
import { LineIndex } from "./line-index";
import type { Override, PastedList } from "./list-types";
import { plainText } from "./plain-text";
import { Questions } from "./questions";
import { readBlocks, startsBlock } from "./read-blocks";
import { readJsonList } from "./read-json";
import { readLines } from "./read-lines";
import { readTable } from "./read-table";
import { readVcards } from "./read-vcards";
import { findStruckOut } from "./struck-out";
import { detectTable, type TableShape } from "./table-shape";

/** A reader's findings besides people, problems and notes. */
type Layout = Pick<PastedList, "shape"> &
  Partial<Pick<PastedList, "delimiter" | "headerLine" | "columns" | "ignoredKeys">>;

/**
 * Reads a list of any format. Never throws, and takes linear time. Every line with letters or digits ends up in a
 * record, a problem, the header or a note. Words about opting out hold their people back or make them unsubscribed.
 * @param fileName null for a paste
 */
export function parseList(text: string, override: Override = {}, fileName: string | null = null): PastedList {
  const readable = plainText(text);
  const found = new Findings(readable, new LineIndex(readable), new Questions(override.answers));
  const layout = readLayout(found, override);
  found.askAboutStruckOut(findStruckOut(text));
  found.finish(fileName);
  const { lines, records, problems } = found;
  const [notes, questions] = [found.notes(), found.questions.list()];
  const noTable = { delimiter: null, headerLine: null, columns: [], ignoredKeys: [] };
  return { ...noTable, ...layout, lines, records, problems, notes, questions };
}

function readLayout(found: Findings, override: Override): Layout {
  const wantsTable = override.delimiter !== undefined || override.columns !== undefined;
  const shape = override.shape ?? (wantsTable ? "table" : undefined);
  const start = firstVisible(found.text);
  if (shape === "json" || (!shape && looksLikeJson(found.text, start))) {
    const ignoredKeys = readJsonList(found, start);
    // The brackets are not JSON if they hold no person and begin no object.
    if (found.records.length > 0 || beginsObject.test(found.text.slice(start, start + 1000)))
      return { shape: "json", ignoredKeys };
    found.problems.length = 0;
  }
  if (shape === "vcard" || (!shape && startsVcard(found.text, start)))
    return { shape: "vcard", ignoredKeys: readVcards(found) };
  if (!shape && looksLikeXml(found.text, start)) {
    found.problem("xml", start, found.text.length);
    return { shape: "lines" };
  }
  if (!shape && startsBlock(found.lines) && readBlocks(found)) return { shape: "lines" };
  const asLines = shape !== undefined && shape !== "table";
  const table = asLines ? null : detectTable(found.lines, { ...override, shape });
  return table ? readTables(found, table, override.fields) : readLines(found, shape, override.header);
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
function readTables(found: Findings, first: TableShape, fields: Override["fields"]): Layout {
  let next = readTable(found, first);
  for (let tables = 1; next !== null; tables++) {
    const shape = tables < mostTables ? detectTable(found.lines, { fields }, next) : null;
    next = readTable(found, shape ?? first, shape ? next : next + 1);
  }
  const { delimiter, headerLine, columns, samples } = first;
  return {
    shape: "table",
    delimiter,
    headerLine: headerLine === null ? null : headerLine + 1,
    columns: columns.map((column, index) => ({ ...column, samples: shownSamples(samples(index)) })),
  };
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
function looksLikeXml(text: string, start: number): boolean {
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
