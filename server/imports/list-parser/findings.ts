import { cleanAddress, turnName } from "./clean-text";
import { nameOfCell } from "./column-titles";
import type { Entry } from "./entries";
import { mentionsOptOut } from "./leaving-signs";
import type { LineIndex } from "./line-index";
import type { ListNote, ListProblem, NoteCode, PastedPerson, ProblemCode, TextPlace } from "./list-types";
import { reasonIn, reasonOfHeading, sureReasonIn } from "./meanings";
import { memoized } from "./memoized";
import { Questions } from "./questions";
import type { StruckPart } from "./struck-out";
import { addOptOut, applyMeaning } from "./subscription-cells";

const longestShown = 120;

/**
 * Words about opting out above a block of people. `sure`: no blank line is between, so that they apply to these people.
 */
type Heading = { text: string; sure: boolean };
const linesNamed = 100;

/** Addresses of programs that remove people from lists. */
const leavingAddress = /^(?:unsub|bounce|optout|opt-out|abmeld|desabon|mailer-daemon)/i;
const reasonOfRemark = (piece: string) => sureReasonIn(piece) ?? reasonOfHeading(piece);

/** Collects the results of the readers in the order of the text. */
export class Findings {
  readonly records: PastedPerson[] = [];
  readonly problems: ListProblem[] = [];
  readonly nameOfCell = memoized(nameOfCell, 1_000);
  readonly #notes = new Map<NoteCode, ListNote>();
  /** The heading above the next people. */
  heading: Heading | null = null;
  readonly #headed: [PastedPerson, Heading][] = [];

  constructor(
    readonly text: string,
    readonly lines: LineIndex,
    readonly questions = new Questions(),
  ) {}

  /** @param written the address, if its place in the text has escapes */
  person(address: TextPlace, name: string, written?: string): PastedPerson {
    const line = this.lines.lineAt(address.from);
    const raw = this.text.slice(address.from, address.to);
    const email = cleanAddress(written ?? raw);
    if (email !== (written ?? raw).trim()) this.note("invisible_removed", address.from);
    const person: PastedPerson = { line: line + 1, raw, email, name, address };
    this.records.push(person);
    if (leavingAddress.test(email)) this.ask(person, "remark", email);
    if (this.heading) this.#headed.push([person, this.heading]);
    return person;
  }

  /** Starts a heading if the text mentions opting out. It applies to the people below. */
  headingAt(text: string): boolean {
    const words = text.slice(0, longestShown).replace(/^[\s#>*=_-]+|[\s:;#*=_-]+$/g, "");
    if (!mentionsOptOut(words)) return false;
    this.heading = { text: words, sure: reasonOfHeading(words) !== null || /:\s*$/.test(text) };
    return true;
  }

  /** Handles people with words about opting out beside them. */
  remark(people: readonly PastedPerson[], pieces: readonly string[]): void {
    const speaking = pieces.filter((piece) => mentionsOptOut(piece));
    if (speaking.length === 0) return;
    const reason =
      people.length === 1 ? speaking.map((piece) => reasonOfRemark(piece)).find((one) => one !== null) : null;
    for (const person of people) {
      if (reason) addOptOut(person, reason, null);
      else this.ask(person, "remark", speaking.join(" … "));
    }
  }

  /** Asks for the meaning of words outside columns. */
  ask(person: PastedPerson, about: "remark" | "heading" | "file", text: string): void {
    if (person.leaving) return;
    applyMeaning(person, about, this.questions.meaning(about, { about, title: "" }, text, null));
  }

  /**
   * Asks about people whose address is struck out. The readers have already asked where struck-out HTML became ~~.
   * Call it after all people are read.
   */
  askAboutStruckOut(parts: readonly StruckPart[]): void {
    if (parts.length === 0) return;
    const ahead = parts.toSorted((a, b) => b.from - a.from);
    let widest: StruckPart = { from: 0, to: 0, sign: "" };
    for (const person of this.records.toSorted((a, b) => a.address.from - b.address.from)) {
      const at = person.address.from;
      for (let part = ahead.at(-1); part && part.from <= at; part = ahead.at(-1)) {
        if (part.to > widest.to) widest = part;
        ahead.pop();
      }
      if (at >= widest.to || (person.asked && this.text.startsWith("~~", widest.to))) continue;
      this.ask(person, "remark", widest.sign);
    }
  }

  /**
   * Applies headings, unknown columns and the file name. Call it after all people are read, because their own statuses
   * come first.
   */
  finish(fileName: string | null): void {
    for (const [person, { text, sure }] of this.#headed) {
      if (sure) addOptOut(person, reasonOfHeading(text) ?? reasonIn(text), null);
      else this.ask(person, "heading", text);
    }
    this.questions.unknown.finish((person, { id, title }, value) => {
      if (person.leaving) return;
      applyMeaning(person, id, this.questions.meaning(id, { about: "column", title }, value, null));
    });
    const named = fileName?.replace(/[_.-]+/g, " ") ?? "";
    if (!fileName || !mentionsOptOut(named)) return;
    const reason = reasonOfHeading(named);
    for (const person of this.records) {
      if (reason && !person.status) addOptOut(person, reason, null);
      else this.ask(person, "file", fileName);
    }
  }

  /** Adds people from free text. */
  entries(people: readonly Entry[]): void {
    for (const { address, again, name } of people) {
      const person = this.person(address, this.turned(name, address.from));
      if (again) person.again = again;
    }
  }

  /** The name, with "Last, First" turned into "First Last". */
  turned(name: string, offset: number): string {
    const turned = turnName(name);
    if (turned !== null) this.note("name_turned", offset);
    return turned ?? name;
  }

  /** Reports a line without an address: as a heading if it looks like one, else as a missing address. */
  withoutAddress(from: number, to: number): void {
    const line = this.text.slice(from, Math.min(to, from + longestShown)).trim();
    this.headingAt(line);
    this.problem(/^#(?!N\/A|REF|VALUE|NAME)|^\/\/|:$/.test(line) ? "heading" : "no_address", from, to);
  }

  problem(code: ProblemCode, from: number, to: number): void {
    const text = this.text.slice(from, Math.min(to, from + longestShown)).trim();
    this.problems.push({ line: this.lines.lineAt(from) + 1, from, text, code });
  }

  note(code: NoteCode, offset: number): void {
    const line = this.lines.lineAt(offset) + 1;
    let note = this.#notes.get(code);
    if (!note) {
      note = { code, count: 0, lines: [] };
      this.#notes.set(code, note);
    }
    note.count++;
    if (note.lines.length < linesNamed && note.lines.at(-1) !== line) note.lines.push(line);
  }

  notes(): ListNote[] {
    return [...this.#notes.values()];
  }
}
