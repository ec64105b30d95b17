import readExcelFile, { type CellValue } from "read-excel-file/web-worker";
import { type FileRead, type FileRemark, RefusedFile, type SheetOption } from "./file-types";
import { countRows, type SheetRows, sheetText } from "./sheet-text";
import { type SheetFacts, sheetFacts } from "./workbook-facts";
import { zipEntries } from "./zip";

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
  const remarks: FileRemark[] = [];
  if (taken.hiddenRows > 0) remarks.push({ kind: "hiddenRows", sheet: taken.name, rows: taken.hiddenRows });
  const options = sheets.map(({ name, hidden, rows, addresses }) => ({ name, hidden, rows, addresses }));
  return { text: sheetText(taken.cells), sheet: { value: taken.name, options }, remarks };
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
