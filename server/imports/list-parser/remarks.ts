import type { Entry } from "./entries";
import type { Findings } from "./findings";
import { mentionsOptOut } from "./leaving-signs";
import type { PastedPerson } from "./list-types";
import { yesOrNo } from "./yes-or-no";

const longestLooked = 4000;

/** Splits the text beside the addresses of a line at brackets, dashes and commas. */
export function piecesBeside(text: string, people: readonly Entry[], from: number, to: number): string[] {
  let beside = "";
  let at = from;
  for (const { address } of people) {
    beside += `${text.slice(at, address.from).slice(0, longestLooked)}|`;
    at = Math.max(at, address.to);
  }
  beside += text.slice(at, Math.min(to, at + longestLooked));
  return beside
    .split(/[()[\]<>|;,\t]|\s[-–—:]+\s?|:\s/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}

/** Removes words about opting out from a name: "Ann (unsubscribed)". */
export function withoutRemark(name: string): string {
  if (name === "" || !mentionsOptOut(name)) return name;
  const kept = name
    .split(/\s*[()[\]]\s*|\s[-–—:]+\s/)
    .filter((piece) => piece !== "" && !mentionsOptOut(piece));
  return kept.join(" ");
}

/** Explains empty boxes: "[x] = yes, [ ] = no". */
const boxLegend = /(?:\[ ?\]|[☐□])\s*[=:]|\[[xX]\][^[]*\[ ?\]\s*\p{L}|[☑☒✓✔].*[☐□]\s*\p{L}/u;
const emptyBox = /^\s*(?:[-*•]\s+)?(?:\[ ?\]|[☐□])/;

/** Finds signs of opting out that are on other lines than the address: a "no" under a question, and an explained box. */
export class BesideLines {
  #legend: string | null = null;
  readonly #unticked: PastedPerson[] = [];
  #block: PastedPerson[] = [];
  /** A "no" whose person may follow in the same block. */
  #no: string | null = null;

  constructor(readonly found: Findings) {}

  endBlock(): void {
    this.#block = [];
    this.#no = null;
  }

  addWords(line: number): void {
    const words = this.#textOf(line).trim();
    if (boxLegend.test(words)) this.#legend = words;
    const question = line > 0 ? this.#textOf(line - 1).trim() : "";
    if (yesOrNo(words) !== false || !question.endsWith("?")) return;
    this.#no = `${question} ${words}`;
    for (const person of this.#block) this.found.ask(person, "remark", this.#no);
  }

  addPeople(line: number, people: PastedPerson[]): void {
    if (people.length === 0) return;
    this.#block = people;
    if (this.#no !== null) for (const person of people) this.found.ask(person, "remark", this.#no);
    this.#no = null;
    if (emptyBox.test(this.#textOf(line))) this.#unticked.push(...people);
  }

  finish(): void {
    if (this.#legend === null) return;
    for (const person of this.#unticked) this.found.ask(person, "remark", this.#legend);
  }

  #textOf(line: number): string {
    const { text, lines } = this.found;
    return text.slice(lines.start(line), Math.min(lines.end(line), lines.start(line) + longestLooked));
  }
}
