import { RefusedFile } from "./file-types";
import { addLink, cellText, type Sheet, type SheetRows } from "./sheet-text";
import { readXml } from "./xml";
import type { Zip } from "./zip";

type Attributes = Record<string, string>;

// A style that reaches to the last column or row says that it repeats an empty cell a million times.
const mostRepeats = 10_000;

/** The sheets of an OpenDocument spreadsheet. */
export function readOds(zip: Zip): Sheet[] {
  const manifest = zip.read("META-INF/manifest.xml");
  if (manifest && new TextDecoder().decode(manifest).includes("encryption-data"))
    throw new RefusedFile("is protected by a password. Open it, save it without one, and drop that.");
  const content = zip.read("content.xml");
  if (!content) throw new RefusedFile("is a spreadsheet without content. Save it again, and drop that.");
  const reader = new OdsReader();
  readXml(content, {
    open: (name, attributes) => reader.open(name, attributes),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
    passed: (size) => zip.passed(size),
  });
  return reader.sheets;
}

// Comments, and the readings above characters, are no text of the cell.
const asides = new Set(["office:annotation", "text:ruby-text", "text:note"]);

class OdsReader {
  readonly sheets: Sheet[] = [];
  readonly #hiddenStyles = new Set<string>();
  #tableStyle = "";
  #rows: SheetRows = [];
  #row = 0;
  #rowRepeats = 1;
  #cells: string[] = [];
  #column = 0;
  #cell: Attributes = {};
  #lines: string[] = [];
  #inLine = false;
  #asides = 0;
  #link = "";
  #links: { column: number; target: string }[] = [];

  open(name: string, attributes: () => Attributes): void {
    if (asides.has(name)) this.#asides++;
    if (this.#asides > 0) return;
    switch (name) {
      case "style:style":
        this.#tableStyle = attributes()["style:name"] ?? "";
        break;
      case "style:table-properties":
        if (attributes()["table:display"] === "false") this.#hiddenStyles.add(this.#tableStyle);
        break;
      case "table:table":
        this.#openTable(attributes());
        break;
      case "table:table-row":
        this.#openRow(attributes());
        break;
      case "table:table-cell":
      case "table:covered-table-cell":
        this.#cell = attributes();
        this.#lines = [];
        this.#link = "";
        break;
      default:
        this.#openText(name, attributes);
    }
  }

  #openTable({ "table:name": name = "", "table:style-name": style = "" }: Attributes): void {
    this.#rows = [];
    this.#row = 0;
    const hidden = this.#hiddenStyles.has(style);
    this.sheets.push({ name, hidden, hiddenRows: 0, rows: this.#rows });
  }

  #openRow(attributes: Attributes): void {
    this.#cells = [];
    this.#links = [];
    this.#column = 0;
    this.#rowRepeats = Number(attributes["table:number-rows-repeated"] ?? 1);
    const sheet = this.sheets.at(-1);
    if (sheet && /collapse|filter/.test(attributes["table:visibility"] ?? "")) sheet.hiddenRows++;
  }

  #openText(name: string, attributes: () => Attributes): void {
    if (name === "text:p" || name === "text:h") {
      this.#lines.push("");
      this.#inLine = true;
    } else if (name === "text:s") this.#add(" ".repeat(Number(attributes()["text:c"] ?? 1)));
    else if (name === "text:tab") this.#add("\t");
    else if (name === "text:line-break") this.#add("\n");
    else if (name === "text:a") this.#link ||= attributes()["xlink:href"] ?? "";
  }

  text(text: string): void {
    if (this.#inLine && this.#asides === 0) this.#add(text);
  }

  #add(text: string): void {
    const last = this.#lines.length - 1;
    if (last >= 0) this.#lines[last] += text;
  }

  close(name: string): void {
    if (asides.has(name)) this.#asides--;
    if (this.#asides > 0) return;
    if (name === "text:p" || name === "text:h") this.#inLine = false;
    else if (name === "table:table-cell" || name === "table:covered-table-cell") this.#closeCell();
    else if (name === "table:table-row") this.#closeRow();
  }

  #closeCell(): void {
    const repeats = Number(this.#cell["table:number-columns-repeated"] ?? 1);
    const text = textOf(this.#cell, this.#lines);
    if (text !== "") {
      for (let at = 0; at < Math.min(repeats, mostRepeats); at++) this.#cells[this.#column + at] = text;
    }
    if (this.#link.startsWith("mailto:")) this.#links.push({ column: this.#column, target: this.#link });
    this.#column += repeats;
  }

  #closeRow(): void {
    for (const { column, target } of this.#links) addLink(this.#cells, column, target);
    if (this.#cells.length > 0) {
      for (let at = 0; at < Math.min(this.#rowRepeats, mostRepeats); at++)
        this.#rows[this.#row + at] = this.#cells;
    }
    this.#row += this.#rowRepeats;
  }
}

function textOf(cell: Attributes, lines: string[]): string {
  switch (cell["office:value-type"]) {
    case "date":
      return (cell["office:date-value"] ?? "").replace(/T00:00:00(?:\.0+)?$/, "").replace(/\.\d+$/, "");
    case "time":
      return timeOf(cell["office:time-value"] ?? "");
    case "boolean":
      return cell["office:boolean-value"] === "true" ? "TRUE" : "FALSE";
    case "float":
    case "percentage":
    case "currency":
      return String(Number(cell["office:value"]));
    default:
      return cellText(lines.length > 0 ? lines.join("\n") : (cell["office:string-value"] ?? ""));
  }
}

/** "PT14H30M00S" → "14:30:00" */
function timeOf(written: string): string {
  const [, hours = "0", minutes = "0", seconds = "0"] =
    /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.\d+)?S)?$/.exec(written) ?? [];
  return [hours, minutes, seconds].map((part) => part.padStart(2, "0")).join(":");
}
