import { unzipSync } from "fflate";
import readExcelFile, { type CellValue } from "read-excel-file/web-worker";
import { type FileRead, RefusedFile, type SheetOption } from "./file-types";
import { zipEntries } from "./recognize-file";

// A workbook of 100,000 people with nine columns unpacks to 55 MB.
const largestUnpacked = 500 * 1024 * 1024;

/**
 * Reads one sheet of a workbook as text, and lists the other sheets.
 * @param chosen the sheet's name; the default is the first visible sheet with addresses
 */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  chosen: string | undefined,
): Promise<FileRead> {
  const sheets = await sheetsOf(bytes);
  const [taken] = sheets.toSorted((one, other) => worthOf(other, chosen) - worthOf(one, chosen));
  if (!taken || sheets.every(({ rows }) => rows === 0))
    throw new RefusedFile("is an empty workbook. Drop the workbook with the list.");
  const options = sheets.map(({ name, hidden, rows, addresses }) => ({ name, hidden, rows, addresses }));
  return {
    text: sheetText(taken.cells),
    sheet: { value: taken.name, hiddenRows: taken.hiddenRows, options },
  };
}

type Sheet = SheetOption & SheetFacts & { cells: SheetRows };

async function sheetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<Sheet[]> {
  if (zipEntries(bytes).reduce((sum, { size }) => sum + size, 0) > largestUnpacked)
    throw new RefusedFile("unpacks to more than 500 MB. Save the list alone as .csv and drop that file.");
  const facts = sheetFacts(bytes);
  const sheets = await readExcelFile(bytes.buffer, { trim: false }).catch(() => {
    throw new RefusedFile("is a workbook that can't be read. Save it again as .xlsx and drop that file.");
  });
  return sheets.map(({ sheet: name, data = [] }, index) => {
    const cells: SheetRows = data.map((row) => {
      const texts = row.map(cellText);
      return texts.some((text) => text !== "") ? texts : undefined;
    });
    return { name, ...(facts[index] as SheetFacts), ...countRows(cells), cells };
  });
}

function cellText(value: CellValue | null): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  if (value instanceof Date) return timeText(value);
  return value === null ? "" : String(value).replace(/\r\n?/g, "\n");
}

/** ISO 8601 without a zone, because a sheet has no time zone. */
function timeText(time: Date): string {
  if (Number.isNaN(time.getTime())) return "";
  // Excel's fractions of a day miss whole seconds by microseconds.
  const iso = new Date(Math.round(time.getTime() / 1000) * 1000).toISOString();
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  // Excel stores a time without a date as day 0.
  if (day === "1899-12-31" || day === "1899-12-30") return clock;
  return clock === "00:00:00" ? day : `${day}T${clock}`;
}

function worthOf({ name, hidden, rows, addresses }: SheetOption, chosen: string | undefined): number {
  if (name === chosen) return 4;
  if (addresses > 0) return hidden ? 2 : 3;
  return rows > 0 ? 1 : 0;
}

/** Facts that `read-excel-file` doesn't report. */
type SheetFacts = { hidden: boolean; hiddenRows: number };

// The library pads each row to the widest row. A stray cell in column XFD costs gigabytes in a list of 100,000 rows.
const mostCells = 20_000_000;

/** Returns facts for each sheet, in workbook order. @throws RefusedFile for a sheet that is too large */
function sheetFacts(bytes: Uint8Array): SheetFacts[] {
  const parts = unzipSync(bytes, {
    filter: ({ name }) => /^xl\/(?:workbook|_rels\/workbook|worksheets\/\w+)\.xml(?:\.rels)?$/.test(name),
  });
  const textOf = (path: string) => new TextDecoder().decode(parts[path]);
  const relations = elements(textOf("xl/_rels/workbook.xml.rels"), "Relationship");
  const targets = new Map(relations.map((one) => [attribute(one, "Id"), attribute(one, "Target")]));
  return elements(textOf("xl/workbook.xml"), "sheet").map((sheet) => {
    const target = targets.get(attribute(sheet, "id")) ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    const hidden = /hidden/i.test(attribute(sheet, "state"));
    return { hidden, hiddenRows: countHiddenRows(textOf(path)) };
  });
}

function countHiddenRows(xml: string): number {
  let lastRow = 0;
  let hiddenRows = 0;
  for (const row of elements(xml, "row")) {
    lastRow = Number(attribute(row, "r")) || lastRow + 1;
    if (/^(?:1|true)$/.test(attribute(row, "hidden"))) hiddenRows++;
  }
  let columns = 1;
  for (const [, letters = ""] of xml.matchAll(/\sr="([A-Z]{2,3})\d+"/g))
    columns = Math.max(columns, columnsUpTo(letters));
  if (lastRow * columns > mostCells)
    throw new RefusedFile(
      "has a cell far outside its list. Delete that cell, save the file and drop it again.",
    );
  return hiddenRows;
}

/** "AB" → 28 */
const columnsUpTo = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Returns the attributes of each element with this name. Some programs prefix all element names. */
const elements = (xml: string, name: string) =>
  Array.from(
    xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b([^>]*)>`, "g")),
    ([, attributes = ""]) => attributes,
  );

const attribute = (attributes: string, name: string) =>
  new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";

/** Rows of cells; holes are empty rows. */
type SheetRows = (string[] | undefined)[];

// Empty rows stay, so line 42 is row 42. A longer gap means a stray cell far below.
const longestGap = 1000;
const anAddress = /[^\s@]@[^\s@]/;

/** Counts rows with content, and rows with something like an address. */
function countRows(rows: SheetRows): Pick<SheetOption, "rows" | "addresses"> {
  const filled = rows.filter((cells) => cells !== undefined);
  const addresses = filled.filter((cells) => cells.some((cell) => anAddress.test(cell)));
  return { rows: filled.length, addresses: addresses.length };
}

/** Joins cells with tabs and quotes them as in CSV. Drops empty columns at the left. All rows have equal length. */
function sheetText(rows: SheetRows): string {
  const filled = rows.filter((cells) => cells !== undefined);
  const first = (cells: string[]) => cells.findIndex((cell) => cell !== "");
  const left = filled.reduce((least, cells) => Math.min(least, first(cells)), Number.POSITIVE_INFINITY);
  // A single column is a list of lines, where quotes may surround names.
  const isTable = filled.some((cells) => cells.length > left + 1);
  const special = isTable ? /["\t\n]/ : /[\t\n]/;
  const quoted = (cell: string) => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines: string[] = [];
  let gap = 0;
  for (const cells of rows) {
    if (!cells) {
      gap++;
      continue;
    }
    for (let empty = gap > longestGap ? 1 : gap; empty > 0; empty--) lines.push("");
    gap = 0;
    lines.push(cells.slice(left).map(quoted).join("\t"));
  }
  return lines.join("\n");
}
