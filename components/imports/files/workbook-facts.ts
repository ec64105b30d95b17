import { unzipSync } from "fflate";
import { RefusedFile } from "./file-types";

/** Facts that `read-excel-file` doesn't report. */
export type SheetFacts = { hidden: boolean; hiddenRows: number };

// The library pads each row to the widest row. A stray cell in column XFD costs gigabytes in a list of 100,000 rows.
const mostCells = 20_000_000;

/** Returns facts for each sheet, in workbook order. @throws RefusedFile for a sheet that is too large */
export function sheetFacts(bytes: Uint8Array): SheetFacts[] {
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
