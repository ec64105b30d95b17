import type { Answers } from "@/server/imports/list-parser/list-types";
import { otherValues } from "@/server/imports/list-parser/questions";
import { emptyCell } from "@/server/imports/list-parser/yes-or-no";
import type { Texts } from "../texts/texts";

// Without a header the parser calls the third column "column 3".
const untitled = /^column (\d+)$/;

/** A column's title after the word "Column": "State", or "3". */
export const columnTitle = (title: string) => untitled.exec(title)?.[1] ?? title;

/** A column's title on its own: "State", or "column 3". */
export function labelOfColumn(title: string, t: Texts<"imports">): string {
  const number = untitled.exec(title)?.[1];
  return number ? t("columns.untitled", { number }) : title;
}

/** Names a value in a question. Empty cells, and values beyond the listed ones, get a descriptive name. */
export function valueName(value: string, t: Texts<"imports">): string {
  if (value === emptyCell) return t("questions.emptyValue");
  return value === otherValues ? t("questions.otherValues") : value;
}

/** "a, b and 3 more" @param all total count, including values that aren't shown */
export function andMore(shown: readonly string[], all: number, t: Texts<"imports">): string {
  const list = shown.join(", ");
  return all > shown.length ? t("listAndMore", { list, n: all - shown.length }) : list;
}

const otherSubjects = ["remark", "heading", "file"] as const;

/** Describes the staff member's answers about the list: "Column State: “cancelled” means unsubscribed". */
export function answerSentences(answers: Answers, t: Texts<"imports">): string[] {
  /** @param id `column:State`, or `remark`, `heading`, `file` */
  const about = (id: string, answer: string) => {
    const other = otherSubjects.find((subject) => subject === id);
    if (other) return t(`answers.about.${other}`, { answer });
    return t("answers.about.column", { title: columnTitle(id.slice(id.indexOf(":") + 1)), answer });
  };
  return Object.entries(answers).flatMap(([id, values]) =>
    Object.entries(values).map(([value, meaning]) =>
      about(id, t(`answers.means.${meaning}`, { value: valueName(value, t) })),
    ),
  );
}
