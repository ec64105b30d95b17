import { RefusedFile } from "./file-types";
import { addLink, cellText, type Sheet, type SheetRows } from "./sheet-text";
import { dateFormats, excelTime, type TimeFormat } from "./xlsx-dates";
import { readXml } from "./xml";
import type { Zip } from "./zip";

type Attributes = Record<string, string>;
type Relation = { type: string; target: string };
type Book = { strings: string[]; formats: (TimeFormat | null)[]; from1904: boolean };

/** Some programs prefix every element. */
const local = (name: string) => name.slice(name.indexOf(":") + 1);

/** The sheets of an Excel workbook one after the other, so that only one need be kept. */
export function* readXlsx(zip: Zip): Generator<Sheet> {
  const root = [...relationsOf(zip, "").values()].find(({ type }) => type.endsWith("/officeDocument"));
  const workbook = root?.target ?? "xl/workbook.xml";
  const relations = relationsOf(zip, workbook);
  const sheets: { name: string; hidden: boolean; relation: string }[] = [];
  let from1904 = false;
  readPart(zip, workbook, (name, attributes) => {
    if (name === "workbookPr") from1904 = /^(1|true)$/.test(attributes().date1904 ?? "");
    if (name !== "sheet") return;
    const { name: title = "", state = "visible", ...rest } = attributes();
    const relation =
      Object.entries(rest).find(([key]) => local(key) === "id" && key !== "sheetId")?.[1] ?? "";
    sheets.push({ name: title, hidden: state !== "visible", relation });
  });
  const partOf = (kind: string) => [...relations.values()].find(({ type }) => type.endsWith(kind))?.target;
  const book: Book = {
    strings: readStrings(zip, partOf("/sharedStrings")),
    formats: readFormats(zip, partOf("/styles")),
    from1904,
  };
  for (const { name, hidden, relation } of sheets) {
    const part = relations.get(relation);
    if (part?.type.endsWith("/worksheet")) yield { name, hidden, ...readSheet(zip, part.target, book) };
  }
}

function readPart(
  zip: Zip,
  part: string,
  open: (name: string, attributes: () => Attributes) => void,
  more: { close?(name: string): void; text?(text: string): void } = {},
): void {
  const bytes = zip.read(part);
  if (!bytes)
    throw new RefusedFile("is a workbook with a part missing. Save it again as .xlsx, and drop that.");
  const { close, text } = more;
  readXml(bytes, {
    open: (name, attributes) => open(local(name), attributes),
    passed: (size) => zip.passed(size),
    ...(close && { close: (name: string) => close(local(name)) }),
    ...(text && { text }),
  });
}

/** What a part refers to, by id; the archive's own for "". */
function relationsOf(zip: Zip, part: string): Map<string, Relation> {
  const folder = part.slice(0, part.lastIndexOf("/") + 1);
  const path = `${folder}_rels/${part.slice(folder.length)}.rels`;
  const relations = new Map<string, Relation>();
  if (!zip.has(path)) return relations;
  readPart(zip, path, (name, attributes) => {
    if (name !== "Relationship") return;
    const { Id = "", Type = "", Target = "", TargetMode } = attributes();
    const target = TargetMode === "External" ? Target : pathFrom(folder, Target);
    relations.set(Id, { type: Type, target });
  });
  return relations;
}

const pathFrom = (folder: string, target: string) =>
  new URL(target, `file:///${folder}`).pathname.slice(1).replace(/%20/g, " ");

/** Texts that cells refer to; what is shown above them in kana is left out. */
function readStrings(zip: Zip, part: string | undefined): string[] {
  const strings: string[] = [];
  if (!part || !zip.has(part)) return strings;
  const text = new RichText();
  readPart(
    zip,
    part,
    (name) => {
      if (name === "si") text.begin();
      text.open(name);
    },
    {
      close: (name) => {
        text.close(name);
        if (name === "si") strings.push(text.value);
      },
      text: (piece) => text.add(piece),
    },
  );
  return strings;
}

/** Gathers the `t` elements of a text, without those of its phonetic runs. */
class RichText {
  #value = "";
  #inText = false;
  #inPhonetic = false;

  begin(): void {
    this.#value = "";
  }
  open(name: string): void {
    if (name === "t") this.#inText = !this.#inPhonetic;
    else if (name === "rPh") this.#inPhonetic = true;
  }
  close(name: string): void {
    if (name === "t") this.#inText = false;
    else if (name === "rPh") this.#inPhonetic = false;
  }
  add(piece: string): void {
    if (this.#inText) this.#value += piece;
  }
  get value(): string {
    // Excel writes characters that XML forbids, and a plain _x0041_, in this way.
    const plain = this.#value.includes("_x")
      ? this.#value.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
      : this.#value;
    return cellText(plain);
  }
}

/** By number of a cell's style: how its number is a time, or null. */
function readFormats(zip: Zip, part: string | undefined): (TimeFormat | null)[] {
  const formats: (TimeFormat | null)[] = [];
  if (!part || !zip.has(part)) return formats;
  const known = dateFormats();
  let inCells = false;
  readPart(
    zip,
    part,
    (name, attributes) => {
      if (name === "numFmt") known.add(attributes());
      else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells) formats.push(known.of(attributes().numFmtId ?? ""));
    },
    {
      close: (name) => {
        if (name === "cellXfs") inCells = false;
      },
    },
  );
  return formats;
}

function readSheet(zip: Zip, part: string, book: Book): { rows: SheetRows; hiddenRows: number } {
  const reader = new SheetReader(book, relationsOf(zip, part));
  readPart(zip, part, (name, attributes) => reader.open(name, attributes), {
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  const { rows, hiddenRows } = reader.end();
  return { rows, hiddenRows };
}

class SheetReader {
  readonly rows: SheetRows = [];
  hiddenRows = 0;
  #row = -1;
  #column = -1;
  #cell: Attributes = {};
  #value = "";
  #formula = "";
  /** The element of a cell whose text is being read. */
  #inside: "v" | "f" | null = null;
  readonly #inline = new RichText();
  readonly #targets: { row: number; column: number; target: string }[] = [];

  constructor(
    readonly book: Book,
    readonly links: Map<string, Relation>,
  ) {}

  open(name: string, attributes: () => Attributes): void {
    if (name === "c") this.#openCell(attributes());
    else if (name === "v" || name === "f") this.#inside = name;
    else if (name === "row") {
      const { r, hidden } = attributes();
      this.#row = r ? Number(r) - 1 : this.#row + 1;
      this.#column = -1;
      if (hidden === "1" || hidden === "true") this.hiddenRows++;
    } else if (name === "hyperlink") this.#link(attributes());
    else this.#inline.open(name);
  }

  #openCell(cell: Attributes): void {
    this.#cell = cell;
    this.#column = cell.r ? columnOf(cell.r) : this.#column + 1;
    this.#value = "";
    this.#formula = "";
    this.#inline.begin();
  }

  text(text: string): void {
    if (this.#inside === "v") this.#value += text;
    else if (this.#inside === "f") this.#formula += text;
    else this.#inline.add(text);
  }

  close(name: string): void {
    if (name === "v" || name === "f") this.#inside = null;
    else if (name === "c") this.#closeCell();
    else this.#inline.close(name);
  }

  #closeCell(): void {
    const text = this.#cell.t === "inlineStr" ? this.#inline.value : this.#textOfValue();
    const target = /^HYPERLINK\("(mailto:[^"]+)"/i.exec(this.#formula)?.[1];
    if (target) this.#targets.push({ row: this.#row, column: this.#column, target });
    if (text !== "") this.#cells(this.#row)[this.#column] = text;
  }

  #cells(row: number): string[] {
    const cells = this.rows[row] ?? [];
    this.rows[row] = cells;
    return cells;
  }

  /** Once all cells are known. */
  end(): this {
    for (const { row, column, target } of this.#targets) addLink(this.#cells(row), column, target);
    return this;
  }

  #textOfValue(): string {
    const value = this.#value;
    switch (this.#cell.t) {
      case "s":
        return this.book.strings[Number(value)] ?? "";
      case "b":
        return value === "1" || value === "true" ? "TRUE" : "FALSE";
      case undefined:
      case "n":
        return this.#textOfNumber(value);
      default:
        return cellText(value);
    }
  }

  #textOfNumber(written: string): string {
    if (written.trim() === "") return "";
    const value = Number(written);
    if (Number.isNaN(value)) return written;
    const format = this.#cell.s ? this.book.formats[Number(this.#cell.s)] : null;
    return format ? excelTime(value, format, this.book.from1904) : String(value);
  }

  #link(attributes: Attributes): void {
    const { ref = "" } = attributes;
    const id = Object.entries(attributes).find(([key]) => local(key) === "id")?.[1];
    const target = id && this.links.get(id)?.target;
    const row = Number(/\d+/.exec(ref)?.[0]) - 1;
    if (target?.toLowerCase().startsWith("mailto:"))
      this.#targets.push({ row, column: columnOf(ref), target });
  }
}

/** "AB12" → 27 */
function columnOf(place: string): number {
  let column = 0;
  for (let at = 0; at < place.length; at++) {
    const letter = (place.charCodeAt(at) & 0xdf) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
