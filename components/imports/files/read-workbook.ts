import readExcelFile, { type CellValue } from "read-excel-file/web-worker";
import { type FileRemark, type FileText, RefusedFile, type SheetOption } from "./file-types";
import { addLink, countRows, type SheetRows, sheetText } from "./sheet-text";
import { type SheetFacts, sheetFacts } from "./workbook-facts";
import { zipEntries } from "./zip";

/** `chosen`: a sheet's name. The default is the first visible sheet with addresses. */
type Wanted = { file: number; fileName: string; chosen: string | undefined };

const MB = 1024 * 1024;
// A workbook of 100,000 people with nine columns unpacks to 55 MB.
const largestUnpacked = 500 * MB;

/** Reads one sheet of a workbook as text, and lists the other sheets. */
export async function readWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  { file, fileName, chosen }: Wanted,
): Promise<FileText> {
  const options: SheetOption[] = [];
  let taken: { option: SheetOption; rows: SheetRows; hiddenRows: number; worth: number } | null = null;
  for (const { name, hidden, rows, hiddenRows } of await sheetsOf(bytes)) {
    const option = { name, hidden, ...countRows(rows) };
    options.push(option);
    const worth = worthOf(option, chosen);
    if (!taken || worth > taken.worth) taken = { option, rows, hiddenRows, worth };
  }
  if (!taken || options.every(({ rows }) => rows === 0))
    throw new RefusedFile("is an empty workbook. Drop the workbook with the list.");
  const { option, rows, hiddenRows } = taken;
  const remarks: FileRemark[] = [];
  const others = options.filter((one) => one !== option && one.addresses > 0);
  if (others.length > 0) {
    const sheets = others.map(({ name, addresses }) => ({ name, addresses }));
    remarks.push({ kind: "otherSheets", fileName, sheets });
  }
  if (hiddenRows > 0) remarks.push({ kind: "hiddenRows", sheet: option.name, rows: hiddenRows });
  return {
    text: sheetText(rows),
    sheet: option.name,
    choices: [{ kind: "sheet", file, fileName, value: option.name, options }],
    remarks,
  };
}

type Sheet = Omit<SheetFacts, "links"> & { name: string; rows: SheetRows };

async function sheetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<Sheet[]> {
  if (zipEntries(bytes).reduce((sum, { size }) => sum + size, 0) > largestUnpacked)
    throw new RefusedFile("unpacks to more than 500 MB. Save the list alone as .csv and drop that file.");
  const facts = sheetFacts(bytes);
  const sheets = await readExcelFile(bytes.buffer, { trim: false }).catch(() => {
    throw new RefusedFile("is a workbook that can't be read. Save it again as .xlsx and drop that file.");
  });
  return sheets.map(({ sheet: name, data = [] }, index) => {
    const { links, hidden, hiddenRows } = facts[index] as SheetFacts;
    const rows: SheetRows = data.map((cells) =>
      cells.some((cell) => cell !== null) ? cells.map(cellText) : undefined,
    );
    for (const { row, column, target } of links) addLink(rows[row] ?? [], column, target);
    return { name, hidden, hiddenRows, rows };
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
