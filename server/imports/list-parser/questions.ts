import type { Answers, ListQuestion, Meaning } from "./list-types";
import { UnknownColumns } from "./unknown-columns";

// More different values than a person can answer one by one are asked about as one.
const mostValues = 40;
const longestValue = 120;
export const otherValues = "any other value";

type Question = Omit<ListQuestion, "values"> & {
  values: Map<string, ListQuestion["values"][number]>;
  asks: boolean;
};

/** What has to be answered before a list is understood, and what was answered. */
export class Questions {
  readonly #questions = new Map<string, Question>();
  readonly unknown = new UnknownColumns();

  constructor(readonly answers: Answers = {}) {}

  /**
   * Counts a value, and asks what it means where nobody knows.
   * @param understood what it means by itself; null when that is to be asked
   * @returns what it means; null as long as it is not answered
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

  /** The questions with something to answer, or answered; the frequent values first. */
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
