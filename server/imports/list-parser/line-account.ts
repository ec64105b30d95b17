import type { PastedList } from "./list-types";

/** Counts each line of a text once. `people` includes invalid and repeated people. */
export type LineAccount = {
  lines: number;
  people: number;
  peopleLines: number;
  header: number;
  headings: number;
  /** Lines with words but no address. */
  withoutAddress: number;
  empty: number;
};

const classes = ["empty", "peopleLines", "header", "headings", "withoutAddress"] as const;
type LineClass = (typeof classes)[number];
const codes = Object.fromEntries(classes.map((name, code) => [name, code])) as Record<LineClass, number>;

/**
 * Assigns each line to a class. A line with words but without a finding belongs to the row, card or object around it:
 * to the next line with a finding if it opens one, else to the previous.
 */
export function accountLines(list: PastedList): LineAccount {
  const { lines, records, problems, headerLine, shape } = list;
  const named = new Uint8Array(lines.count);
  for (const { line, code } of problems)
    named[line - 1] = code === "heading" ? codes.headings : codes.withoutAddress;
  if (headerLine !== null) named[headerLine - 1] = codes.header;
  for (const { line, endLine = line } of records) named.fill(codes.peopleLines, line - 1, endLine);
  const account: LineAccount = {
    lines: lines.count,
    people: records.length,
    peopleLines: 0,
    header: 0,
    headings: 0,
    withoutAddress: 0,
    empty: 0,
  };
  if (shape === "vcard" || shape === "json") classifyOpeners(list, named);
  let before: number = shape === "table" ? codes.header : codes.peopleLines;
  for (let line = 0; line < lines.count; line++) {
    let code = named[line] ?? 0;
    if (code === 0 && !isEmptyLine(list, line)) {
      code = shape === "pairs" ? codes.peopleLines : before;
    }
    if (code !== 0) before = code;
    account[classes[code] ?? "empty"]++;
  }
  return account;
}

const anyWord = /[\p{L}\p{N}[\]{}]/u;
const anyLetter = /\p{L}/u;

// In JSON a lone bracket is part of a value. In other texts rules, bullets and numbers without words are empty.
function isEmptyLine({ lines, shape }: PastedList, line: number): boolean {
  const text = lines.text.slice(lines.start(line), lines.end(line));
  return text === "" || !(shape === "json" ? anyWord : anyLetter).test(text);
}

const opener = { vcard: /^\s*BEGIN:/i, json: /^\s*[[{]/ };

/** Gives the line that opens a card or object the class of the next line with a finding. */
function classifyOpeners({ lines, shape }: PastedList, named: Uint8Array): void {
  const pattern = shape === "vcard" ? opener.vcard : opener.json;
  let next = 0;
  for (let line = lines.count - 1; line >= 0; line--) {
    const code = named[line] ?? 0;
    if (code !== 0) next = code;
    else if (pattern.test(lines.text.slice(lines.start(line), lines.start(line) + 40))) named[line] = next;
  }
}
