import { type FileText, RefusedFile, type SheetOption } from "./file-types";
import { readXlsx } from "./read-xlsx";
import { countRows, type Sheet, sheetText } from "./sheet-text";
import { Zip } from "./zip";

/** `chosen` is the name of a sheet; without it the first that is shown and has addresses is taken. */
type Wanted = {
  file: number;
  fileName: string;
  chosen: string | undefined;
  onShare?: ((share: number) => void) | undefined;
};

/** The text of one sheet of a workbook, and which others there are. */
export function readWorkbook(bytes: Uint8Array, { file, fileName, chosen, onShare }: Wanted): FileText {
  const options: SheetOption[] = [];
  let taken: { sheet: Sheet; option: SheetOption; worth: number } | null = null;
  for (const sheet of readXlsx(new Zip(bytes, onShare))) {
    const option = { name: sheet.name, hidden: sheet.hidden, ...countRows(sheet.rows) };
    options.push(option);
    const worth = worthOf(option, chosen);
    if (!taken || worth > taken.worth) taken = { sheet, option, worth };
  }
  if (!taken || options.every(({ rows }) => rows === 0))
    throw new RefusedFile("is a workbook with nothing in it. Drop the one with the list.");
  const { sheet, option } = taken;
  const remarks: string[] = [];
  const others = options.filter((one) => one !== option && one.addresses > 0);
  if (others.length > 0) {
    const named = others
      .map(({ name, addresses }) => `${name} (${addresses.toLocaleString("en")})`)
      .join(", ");
    remarks.push(`Other sheets of ${fileName} have addresses, too, and are not read: ${named}.`);
  }
  if (sheet.hiddenRows > 0)
    remarks.push(
      `${sheet.hiddenRows.toLocaleString("en")} hidden ${sheet.hiddenRows === 1 ? "row" : "rows"} of ${sheet.name} ${sheet.hiddenRows === 1 ? "is" : "are"} read, too.`,
    );
  return {
    text: sheetText(sheet.rows),
    sheet: sheet.name,
    choices: [{ kind: "sheet", file, fileName, value: sheet.name, options }],
    remarks,
  };
}

function worthOf({ name, hidden, rows, addresses }: SheetOption, chosen: string | undefined): number {
  if (name === chosen) return 4;
  if (addresses > 0) return hidden ? 2 : 3;
  return rows > 0 ? 1 : 0;
}
