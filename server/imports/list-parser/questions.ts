import type { Answers, ListQuestion, Meaning, PastedPerson } from "./list-types";
import { emptyCell, isEmptyCell, mayBeNo, mayBeYes, parseYesOrNo } from "./yes-or-no";

/** The values of a column with an unknown title. */
type Unknown = {
  title: string;
  people: Map<string, PastedPerson[]>;
  /** Different values that are neither yes nor no. */
  others: Set<string>;
  hasYes: boolean;
  hasNo: boolean;
  /** "F" may be false or female. */
  hasF: boolean;
};

const mostOthers = 3;

/**
 * Finds columns with an unknown title that hold a "no". Every value becomes a question, because "yes" may be a refusal:
 * under "Frabedt", Danish for declined, "Ja" means no.
 */
class UnknownColumns {
  /** By id; null after too many different values. */
  readonly #columns = new Map<string, Unknown | null>();

  add({ id, title }: { id: string; title: string }, cell: string, person: PastedPerson): void {
    let column = this.#columns.get(id);
    if (column === null) return;
    if (column === undefined) {
      column = { title, people: new Map(), others: new Set(), hasYes: false, hasNo: false, hasF: false };
      this.#columns.set(id, column);
    }
    const people = column.people.get(cell);
    if (people) people.push(person);
    else if (count(column, cell)) column.people.set(cell, [person]);
    else this.#columns.set(id, null);
  }

  /** Call it after the last row, because later rows may show that a column holds something else. */
  finish(ask: (person: PastedPerson, column: { id: string; title: string }, value: string) => void): void {
    for (const [id, column] of this.#columns) {
      if (!column || !holdsYesOrNo(column)) continue;
      const { title } = column;
      for (const [cell, people] of column.people)
        for (const person of people) ask(person, { id, title }, isEmptyCell(cell) ? emptyCell : cell);
    }
  }
}

/** @returns false if the column has too many values */
function count(column: Unknown, cell: string): boolean {
  const isEmpty = isEmptyCell(cell);
  const value = isEmpty ? "" : cell.toLowerCase();
  if (value === "f") column.hasF = true;
  else if (!isEmpty && mayBeNo(cell)) column.hasNo = true;
  column.hasYes ||= mayBeYes(cell);
  // Digits are other values: 0 and 1 are flags, 0 to 4 are numbers.
  if (/^\d$/.test(value) || parseYesOrNo(value) === null) column.others.add(value);
  return column.others.size <= mostOthers;
}

/** An empty cell beside a yes is a no. F beside M is a gender. */
const holdsYesOrNo = ({ hasYes, hasNo, hasF, others }: Unknown) =>
  hasNo || (hasF && !others.has("m")) || (hasYes && others.has(""));

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
