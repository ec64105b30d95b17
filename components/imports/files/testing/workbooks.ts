import { strToU8, zipSync } from "fflate";

/** The content of a cell. `date` is written as the number of days that Excel counts. */
export type TestCell =
  | string
  | number
  | boolean
  | null
  | { inline: string }
  | { rich: string[]; phonetic?: string }
  | { date: Date; time?: boolean }
  | { formula: string; value: string }
  | { error: string };
export type TestSheet = { name: string; rows: TestCell[][]; state?: "hidden"; hiddenRows?: number[] };

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const zipped = (parts: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relationships = (all: string[]) =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join("")}</Relationships>`;
const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${escaped(target)}"/>`;

const letters = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : letters(Math.floor(column / 26) - 1) + letters(column % 26);
const daysOf = (date: Date) => date.getTime() / 86_400_000 + 25_569;

/** Creates a workbook as Excel writes it, with shared strings and numbers with styles. */
export function makeXlsx(sheets: TestSheet[]): Uint8Array<ArrayBuffer> {
  const strings = new Map<string, number>();
  const shared = (xml: string) => {
    const at = strings.get(xml) ?? strings.size;
    strings.set(xml, at);
    return at;
  };
  const parts: Record<string, string> = {};
  for (const [index, sheet] of sheets.entries()) {
    const cellOf = (cell: TestCell, place: string): string => {
      if (cell === null) return "";
      if (typeof cell === "string")
        return `<c r="${place}" t="s"><v>${shared(`<t>${escaped(cell)}</t>`)}</v></c>`;
      if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
      if (typeof cell === "boolean") return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
      if ("inline" in cell)
        return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell.inline)}</t></is></c>`;
      if ("rich" in cell) {
        const runs = cell.rich.map((text) => `<r><rPr><b/></rPr><t>${escaped(text)}</t></r>`).join("");
        const above = cell.phonetic ? `<rPh sb="0" eb="1"><t>${escaped(cell.phonetic)}</t></rPh>` : "";
        return `<c r="${place}" t="s"><v>${shared(runs + above)}</v></c>`;
      }
      if ("date" in cell) return `<c r="${place}" s="${cell.time ? 2 : 1}"><v>${daysOf(cell.date)}</v></c>`;
      if ("formula" in cell)
        return `<c r="${place}" t="str"><f>${escaped(cell.formula)}</f><v>${escaped(cell.value)}</v></c>`;
      return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
    };
    const rows = sheet.rows.map((cells, row) => {
      if (cells.length === 0) return "";
      const hidden = sheet.hiddenRows?.includes(row) ? ' hidden="1"' : "";
      const written = cells.map((cell, column) => cellOf(cell, `${letters(column)}${row + 1}`)).join("");
      return `<row r="${row + 1}"${hidden}>${written}</row>`;
    });
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `${declaration}<worksheet ${main} xmlns:r="${office}"><dimension ref="A1"/><sheetData>${rows.join("")}</sheetData></worksheet>`;
  }
  const entries = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ""} r:id="rId${index + 1}"/>`,
  );
  const items = [...strings.keys()].map((xml) => `<si>${xml}</si>`);
  return zipped({
    "[Content_Types].xml": `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "_rels/.rels": relationships([relation("rId1", "officeDocument", "xl/workbook.xml")]),
    "xl/workbook.xml": `${declaration}<workbook ${main} xmlns:r="${office}"><sheets>${entries.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships([
      ...sheets.map((_, index) =>
        relation(`rId${index + 1}`, "worksheet", `worksheets/sheet${index + 1}.xml`),
      ),
      relation("rId98", "styles", "styles.xml"),
      relation("rId99", "sharedStrings", "sharedStrings.xml"),
    ]),
    "xl/styles.xml": `${declaration}<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `${declaration}<sst ${main}>${items.join("")}</sst>`,
    ...parts,
  });
}
