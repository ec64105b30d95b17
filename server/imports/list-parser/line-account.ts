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

type LineClass = "empty" | "peopleLines" | "header" | "headings" | "withoutAddress";

/** Assigns each line to a class. A line with words but without a finding belongs to the previous line with one. */
export function accountLines(list: PastedList): LineAccount {
  const { lines, records, problems, headerLine, shape } = list;
  const classOf = new Array<LineClass | undefined>(lines.count);
  for (const { line, code } of problems)
    classOf[line - 1] = code === "heading" ? "headings" : "withoutAddress";
  if (headerLine !== null) classOf[headerLine - 1] = "header";
  for (const { line, endLine = line } of records) classOf.fill("peopleLines", line - 1, endLine);
  const none = { peopleLines: 0, header: 0, headings: 0, withoutAddress: 0, empty: 0 };
  const account: LineAccount = { lines: lines.count, people: records.length, ...none };
  let before: LineClass = shape === "table" ? "header" : "peopleLines";
  for (let line = 0; line < lines.count; line++) {
    const around: LineClass = shape === "pairs" ? "peopleLines" : before;
    const own: LineClass = classOf[line] ?? (isEmptyLine(list, line) ? "empty" : around);
    if (own !== "empty") before = own;
    account[own]++;
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
