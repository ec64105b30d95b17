import type { Answers, Meaning } from "@/server/domain/list-parser/list-types";
import { count } from "../ui/numbers";

const words: Record<Meaning, string> = {
  active: "means active",
  pending: "means pending",
  unsubscribed: "means unsubscribed",
  bounced: "means bounced",
  complained: "means complained",
  nothing: "has no subscription meaning",
};

/** What a question is about, as its id says it: `column:State`, or `remark`, `heading`, `file`. */
function subjectOf(id: string): string {
  const [about = "", ...title] = id.split(":");
  return [about.charAt(0).toUpperCase() + about.slice(1), title.join(":").replace(/^column (?=\d+$)/, "")]
    .join(" ")
    .trim();
}

/** Sentences that a page shows; the others are counted. */
const mostShown = 30;

/** What somebody said that words of a list mean: "Column State: “cancelled” means unsubscribed". */
export function answerSentences(answers: Answers): string[] {
  const sentences = Object.entries(answers).flatMap(([id, values]) =>
    Object.entries(values).map(([value, meaning]) => `${subjectOf(id)}: “${value}” ${words[meaning]}`),
  );
  const more = sentences.length - mostShown;
  return more > 0 ? [...sentences.slice(0, mostShown), `and ${count(more)} more`] : sentences;
}
