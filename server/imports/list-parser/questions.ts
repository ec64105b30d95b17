import type { Answers, ListQuestion, Meaning } from "./list-types";
import { UnknownColumns } from "./unknown-columns";

// Further values share one question, because an editor cannot answer more one by one.
const mostValues = 40;
const longestValue = 120;
export const otherValues = "any other value";

type Question = Omit<ListQuestion, "values"> & {
  values: Map<string, ListQuestion["values"][number]>;
  asks: boolean;
};

/** Collects the questions about a list and applies their answers. */
export class Questions {
  readonly #questions = new Map<string, Question>();
  readonly unknown = new UnknownColumns();

  constructor(readonly answers: Answers = {}) {}

  /**
   * Counts a value and adds a question if its meaning is unknown.
   * @param understood the meaning of the value itself; null if it is unknown
   * @returns the meaning; null until the question is answered
   */
  meaning(
    id: string,
    { about, title }: Pick<ListQuestion, "about" | "title">,
    written: string,
    understood: Meaning | null,
  ): Meaning | null {
    let question = this.#questions.get(id);
    if (!question) {
      question = { id, about, title, values: new Map(), asks: false };
      this.#questions.set(id, question);
    }
    let value = written.length > longestValue ? `${written.slice(0, longestValue)}…` : written;
    const answers = this.answers[id];
    let counted = question.values.get(value);
    if (!counted && understood === null && question.values.size >= mostValues) {
      value = otherValues;
      counted = question.values.get(value);
    }
    const answer = answers?.[value] ?? null;
    if (!counted) {
      counted = { value, count: 0, meaning: answer ?? understood, answered: answer !== null };
      question.values.set(value, counted);
    }
    counted.count++;
    if (understood === null || answer !== null) question.asks = true;
    return counted.meaning;
  }

  /** Questions that are open or answered, with frequent values first. */
  list(): ListQuestion[] {
    return [...this.#questions.values()]
      .filter(({ asks }) => asks)
      .map(({ id, about, title, values }) => ({
        id,
        about,
        title,
        values: [...values.values()].sort((one, other) => other.count - one.count),
      }));
  }
}
