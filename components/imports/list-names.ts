import { otherValues } from "@/server/imports/list-parser/questions";
import { emptyCell } from "@/server/imports/list-parser/yes-or-no";
import type { Texts } from "../texts/texts";

// Without a header the parser calls the third column "column 3".
const untitled = /^column (\d+)$/;

/** The title of a column where "Column" stands before it: "State", or "3". */
export const columnTitle = (title: string) => untitled.exec(title)?.[1] ?? title;

/** The title of a column where it stands alone: "State", or "column 3". */
export function columnName(title: string, t: Texts<"imports">): string {
  const number = untitled.exec(title)?.[1];
  return number ? t("columns.untitled", { number }) : title;
}

/** A value that a question is about. Empty cells, and those beyond the values asked about, have a name in its place. */
export function valueName(value: string, t: Texts<"imports">): string {
  if (value === emptyCell) return t("questions.emptyValue");
  return value === otherValues ? t("questions.otherValues") : value;
}

/** "a, b and 3 more" @param all how many there are with those that are not shown */
export function andMore(shown: readonly string[], all: number, t: Texts<"imports">): string {
  const list = shown.join(", ");
  return all > shown.length ? t("listAndMore", { list, n: all - shown.length }) : list;
}
