import { RefusedFile } from "./file-types";
import { unzipParts } from "./zip";

type Link = { row: number; column: number; target: string };

/** Facts that `read-excel-file` doesn't report. Rows and columns count from 0. Links are `mailto:` links. */
export type SheetFacts = { hidden: boolean; hiddenRows: number; links: Link[] };

// The library pads each row to the widest row. A stray cell in column XFD costs gigabytes in a list of 100,000 rows.
const mostCells = 20_000_000;

/** Returns facts for each sheet, in workbook order. @throws RefusedFile for a sheet that is too large */
export function sheetFacts(bytes: Uint8Array): SheetFacts[] {
  const parts = unzipParts(bytes, (name) => /^xl\/.*\.(?:xml|rels)$/.test(name) && !unread.test(name));
  const textOf = (path: string) => new TextDecoder().decode(parts[path]);
  const targets = targetsOf(textOf("xl/_rels/workbook.xml.rels"));
  return elements(textOf("xl/workbook.xml"), "sheet").map((sheet) => {
    const target = targets.get(attribute(sheet, "id")) ?? "";
    const path = target.startsWith("/") ? target.slice(1) : `xl/${target}`;
    const links = targetsOf(textOf(path.replace(/([^/]*)$/, "_rels/$1.rels")));
    const hidden = /hidden/i.test(attribute(sheet, "state"));
    return { hidden, ...factsOfRows(textOf(path), links) };
  });
}
const unread = /sharedStrings|styles|theme/;

function factsOfRows(xml: string, targets: Map<string, string>): Omit<SheetFacts, "hidden"> {
  let lastRow = 0;
  let hiddenRows = 0;
  for (const row of elements(xml, "row")) {
    lastRow = Number(attribute(row, "r")) || lastRow + 1;
    if (/^(?:1|true)$/.test(attribute(row, "hidden"))) hiddenRows++;
  }
  let columns = 1;
  for (const [, letters = ""] of xml.matchAll(/\sr="([A-Z]{2,3})\d+"/g))
    columns = Math.max(columns, columnOf(letters) + 1);
  if (lastRow * columns > mostCells)
    throw new RefusedFile(
      "has a cell far outside its list. Delete that cell, save the file and drop it again.",
    );
  const links = elements(xml, "hyperlink").map((link) =>
    linkOf(attribute(link, "ref"), targets.get(attribute(link, "id")) ?? ""),
  );
  const formulas = xml.includes("HYPERLINK(")
    ? [...xml.matchAll(linkFormula)].map(([, place = "", target = ""]) => linkOf(place, target))
    : [];
  return { hiddenRows, links: [...links, ...formulas].filter(({ target }) => /^mailto:/i.test(target)) };
}
const linkFormula =
  /<(?:\w+:)?c\s[^>]*?\br="([A-Z]+\d+)"[^>]*>\s*<(?:\w+:)?f[^>]*>HYPERLINK\((?:"|&quot;|&#34;)(mailto:[^"&]+)/gi;

const linkOf = (place: string, target: string): Link => ({
  row: Number(/\d+/.exec(place)?.[0]) - 1,
  column: columnOf(place),
  target,
});

/** "AB12" → 27 */
const columnOf = (place: string) =>
  [...(/^[A-Z]+/.exec(place)?.[0] ?? "")].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) -
  1;

/** Returns the attributes of each element with this name. Some programs prefix all element names. */
const elements = (xml: string, name: string) =>
  Array.from(
    xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b([^>]*)>`, "g")),
    ([, attributes = ""]) => attributes,
  );

function attribute(attributes: string, name: string): string {
  const value = new RegExp(`\\s(?:\\w+:)?${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  return value.replace(/&(?:amp|#38);/g, "&");
}

const targetsOf = (relations: string) =>
  new Map(
    elements(relations, "Relationship").map(
      (one) => [attribute(one, "Id"), attribute(one, "Target")] as const,
    ),
  );
