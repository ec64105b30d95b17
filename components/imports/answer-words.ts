import type { Answers } from "@/server/imports/list-parser/list-types";
import type { Texts } from "../texts/texts";
import { columnTitle, valueName } from "./list-names";

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
