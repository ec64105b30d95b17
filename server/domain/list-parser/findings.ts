import type { Status } from "../status-moves";
import { cleanAddress } from "./clean-text";
import type { LineIndex } from "./line-index";
import {
  type Note,
  type NoteCode,
  noteMessages,
  type PastedPerson,
  type Place,
  type Problem,
  type ProblemCode,
  problemMessages,
} from "./list-types";

const longestShown = 120;
const linesNamed = 100;

/** Where readers put what they find, in the order of the text. */
export class Findings {
  readonly records: PastedPerson[] = [];
  readonly problems: Problem[] = [];
  readonly #notes = new Map<NoteCode, Note>();

  constructor(
    readonly text: string,
    readonly lines: LineIndex,
  ) {}

  /** `written` is the address where the place escapes it; otherwise it is what stands there. */
  person(address: Place, name: string, names: Place[], written?: string): PastedPerson {
    const line = this.lines.lineAt(address.from);
    const raw = this.text.slice(address.from, address.to);
    const email = cleanAddress(written ?? raw);
    if (email !== (written ?? raw).trim()) this.note("invisible_removed", address.from);
    const column = address.from - this.lines.start(line) + 1;
    const person: PastedPerson = { line: line + 1, column, raw, email, name, address, names };
    this.records.push(person);
    return person;
  }

  /** A stretch that holds no address: a heading by its looks, or somebody whose address is missing. */
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

  notes(): Note[] {
    return [...this.#notes.values()];
  }
}

/** Sets what only some records have, so that all others keep one shape. */
export function setStatus(person: PastedPerson, status: Status | null): void {
  if (status) person.status = status;
}
