import type { Entry } from "./entries";
import type { Findings } from "./findings";
import { leavesEmailUnticked, mentionsOptOut } from "./leaving-signs";
import type { PastedPerson } from "./list-types";
import { isKnownElsewhere } from "./title-signs";
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
const boxLegend = /(?:\[ ?\]|[☐□])\s*[=:]|\[x\][^[]*\[ ?\]\s*\p{L}/iu;
const emptyBox = /^\s*(?:[-*•]\s+)?(?:\[ ?\]|[☐□])/;
/** Text that chats strike out: `~Ada ada@x.com~`. */
const struckInChat = /^[^\p{L}\p{N}~]*~[^~\s][^~\n]{0,200}@[^~\n]{0,200}~/u;
/** Further answers of the same block add nothing: its people are asked already. */
const mostAnswers = 20;

/** Finds signs of opting out that have no place in columns: a "no" below a question, boxes, text struck out in a chat. */
export class BesideLines {
  #legend: string | null = null;
  readonly #unticked: PastedPerson[] = [];
  #block: PastedPerson[] = [];
  #answers = 0;
  /** A "no" whose person may follow in the same block. */
  #no: string | null = null;

  constructor(readonly found: Findings) {}

  endBlock(): void {
    this.#block = [];
    this.#answers = 0;
    this.#no = null;
  }

  addWords(line: number): void {
    const words = this.#textOf(line).trim();
    if (boxLegend.test(words)) this.#legend = words;
    const question = line > 0 ? this.#textOf(line - 1).trim() : "";
    const isNo = /^\p{L}/u.test(words) && yesOrNo(words) === false && question.endsWith("?");
    if (!isNo || isKnownElsewhere(question)) return;
    this.#no = `${question} ${words}`;
    if (++this.#answers <= mostAnswers) this.#ask(this.#block, this.#no);
  }

  addPeople(line: number, people: PastedPerson[]): void {
    if (people.length === 0) return;
    const text = this.#textOf(line);
    this.#block = people;
    this.#answers = 0;
    if (this.#no !== null) this.#ask(people, this.#no);
    this.#no = null;
    if (emptyBox.test(text)) for (const person of people) this.#unticked.push(person);
    const struck = struckInChat.exec(text)?.[0];
    const unticked = leavesEmailUnticked(text.toLowerCase()) ? text.trim() : undefined;
    const sign = struck ?? unticked;
    if (sign !== undefined)
      this.#ask(
        people.filter(({ asked }) => !asked?.includes("remark")),
        sign,
      );
  }

  finish(): void {
    if (this.#legend !== null) this.#ask(this.#unticked, this.#legend);
  }

  #ask(people: readonly PastedPerson[], text: string): void {
    for (const person of people) this.found.ask(person, "remark", text);
  }

  #textOf(line: number): string {
    const { text, lines } = this.found;
    return text.slice(lines.start(line), Math.min(lines.end(line), lines.start(line) + longestLooked));
  }
}
