/** Rows of cells; holes are empty cells, or empty rows. */
export type SheetRows = (string[] | undefined)[];

// Empty rows stay, so line 42 is row 42. A longer gap means a stray cell far below.
const longestGap = 1000;
const anAddress = /[^\s@]@[^\s@]/;

export type SheetCounts = { rows: number; addresses: number };

/** Counts rows with content, and rows with something like an address. */
export function countRows(rows: SheetRows): SheetCounts {
  let filled = 0;
  let addresses = 0;
  for (const cells of rows) {
    if (!cells) continue;
    filled++;
    if (cells.some((cell) => cell !== undefined && anAddress.test(cell))) addresses++;
  }
  return { rows: filled, addresses };
}

/** Joins cells with tabs and quotes them as in CSV. Drops empty columns at the left. All rows have equal length. */
export function sheetText(rows: SheetRows): string {
  let left = Number.POSITIVE_INFINITY;
  let right = 0;
  for (const cells of rows) {
    if (!cells) continue;
    const first = cells.findIndex((cell) => cell !== undefined && cell !== "");
    if (first !== -1 && first < left) left = first;
    right = Math.max(right, cells.length);
  }
  if (right === 0) return "";
  const lines: string[] = [];
  let empty = 0;
  for (const cells of rows) {
    if (!cells) {
      empty++;
      continue;
    }
    for (let gap = empty <= longestGap ? empty : 1; gap > 0; gap--) lines.push("");
    empty = 0;
    lines.push(rowText(cells, left, right));
  }
  return lines.join("\n");
}

/** The cells from `left` to before `right`, as one row of a table with tabs. */
export function rowText(cells: readonly (string | undefined)[], left: number, right: number): string {
  // A single column is a list of lines, where quotes may surround names.
  const special = right - left > 1 ? /["\t\n]/ : /[\t\n]/;
  let line = "";
  for (let at = left; at < right; at++) {
    const cell = cells[at] ?? "";
    if (at > left) line += "\t";
    line += special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return line;
}

/**
 * Appends a cell's linked address to the cell's text. Rows that show an address are skipped: an edited cell often
 * keeps the link of its former text.
 */
export function addLink(cells: string[], column: number, target: string): void {
  if (cells.some((cell) => cell !== undefined && anAddress.test(cell))) return;
  const address = addressOfLink(target);
  if (!address) return;
  const text = cells[column]?.trim();
  cells[column] = text ? `${text} <${address}>` : address;
}

function addressOfLink(target: string): string | null {
  const written = /^mailto:([^?]*)/i.exec(target.trim())?.[1];
  if (!written) return null;
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
