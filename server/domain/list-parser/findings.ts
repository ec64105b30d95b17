import type { Status } from "../status-moves";
import { cleanAddress, turnName } from "./clean-text";
import type { Entry } from "./entries";
import type { LineIndex } from "./line-index";
import {
  type ListNote,
  type ListProblem,
  type NoteCode,
  noteMessages,
  type PastedPerson,
  type ProblemCode,
  problemMessages,
  type Quoting,
  type TextPlace,
} from "./list-types";
import { type StatusRole, statusOfCell } from "./statuses";

const longestShown = 120;
const linesNamed = 100;

/** Where readers put what they find, in the order of the text. */
export class Findings {
  readonly records: PastedPerson[] = [];
  readonly problems: ListProblem[] = [];
  readonly #notes = new Map<NoteCode, ListNote>();

  constructor(
    readonly text: string,
    readonly lines: LineIndex,
  ) {}

  /** `written` is the address where the place escapes it; otherwise it is what stands there. */
  person(address: TextPlace, name: string, written?: string): PastedPerson {
    const line = this.lines.lineAt(address.from);
    const raw = this.text.slice(address.from, address.to);
    const email = cleanAddress(written ?? raw);
    if (email !== (written ?? raw).trim()) this.note("invisible_removed", address.from);
    const column = address.from - this.lines.start(line) + 1;
    const person: PastedPerson = { line: line + 1, column, raw, email, name, address };
    this.records.push(person);
    return person;
  }

  /** People of free text that stands in a place with its own quoting. */
  entries(people: readonly Entry[], quoting: Quoting): void {
    for (const { address, again, name } of people) {
      const person = this.person({ ...address, quoting }, name);
      if (again) person.again = { ...again, quoting };
    }
  }

  /** The name, "Last, First" turned round. */
  turned(name: string, offset: number): string {
    const turned = turnName(name);
    if (turned !== null) this.note("name_turned", offset);
    return turned ?? name;
  }

  /** The status that a cell of such a column means; null when it means none. */
  status(role: StatusRole, cell: string, offset: number): Status | null {
    const status = statusOfCell(role, cell);
    if (status !== "unknown") return status;
    this.note("status_unknown", offset);
    return null;
  }

  /** A stretch that has no address: a heading by its looks, or somebody whose address is missing. */
  withoutAddress(from: number, to: number): void {
    const line = this.text.slice(from, Math.min(to, from + longestShown)).trim();
    this.problem(/^#(?!N\/A|REF|VALUE|NAME)|^\/\/|:$/.test(line) ? "heading" : "no_address", from, to);
  }

  problem(code: ProblemCode, from: number, to: number): void {
    const line = this.lines.lineAt(from);
    const text = this.text.slice(from, Math.min(to, from + longestShown)).trim();
    const column = from - this.lines.start(line) + 1;
    this.problems.push({ line: line + 1, column, text, code, message: problemMessages[code] });
  }

  note(code: NoteCode, offset: number): void {
    const line = this.lines.lineAt(offset) + 1;
    const note = this.#notes.get(code);
    if (!note) this.#notes.set(code, { code, message: noteMessages[code], count: 1, lines: [line] });
    else {
      note.count++;
      if (note.lines.length < linesNamed && note.lines.at(-1) !== line) note.lines.push(line);
    }
  }

  notes(): ListNote[] {
    return [...this.#notes.values()];
  }
}
