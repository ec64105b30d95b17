/** The byte order mark at the start of a CSV file. It tells Excel that the file is UTF-8. */
export const csvByteOrderMark = "\u{feff}";

/**
 * Formats a cell of a CSV file. An apostrophe turns spreadsheet formulas into text, because names come from strangers.
 * It applies inside the text too: German Excel separates cells by semicolons, even within quotes.
 */
export function csvCell(text: string): string {
  const safe = text.replace(/(^|[;\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** Formats a line of a CSV file, with its line break. */
export const csvLine = (row: readonly string[]) => `${row.map(csvCell).join(",")}\r\n`;
