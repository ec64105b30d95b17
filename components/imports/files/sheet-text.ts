/** Rows of cells; holes are empty rows. */
export type SheetRows = (string[] | undefined)[];

// Empty rows stay, so line 42 is row 42. A longer gap means a stray cell far below.
const longestGap = 1000;
const anAddress = /[^\s@]@[^\s@]/;

export type SheetCounts = { rows: number; addresses: number };

/** Counts rows with content, and rows with something like an address. */
export function countRows(rows: SheetRows): SheetCounts {
  const filled = rows.filter((cells) => cells !== undefined);
  const addresses = filled.filter((cells) => cells.some((cell) => anAddress.test(cell)));
  return { rows: filled.length, addresses: addresses.length };
}

/** Joins cells with tabs and quotes them as in CSV. Drops empty columns at the left. All rows have equal length. */
export function sheetText(rows: SheetRows): string {
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
