/** A CSV file begins with it: the mark tells Excel that the file is UTF-8. */
export const csvStart = "\u{feff}";

/**
 * A cell of a CSV file. What a spreadsheet would take for a formula is made text by an apostrophe: names come from
 * strangers. Also within the text: where a semicolon separates cells, as in German Excel, quotes do not hold it together.
 */
export function csvCell(text: string): string {
  const safe = text.replace(/(^|[;\t\r\n])(\s*)(?=[=+\-@＝＋－＠])/g, "$1$2'");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** A line of a CSV file, with its end. */
export const csvLine = (row: readonly string[]) => `${row.map(csvCell).join(",")}\r\n`;
