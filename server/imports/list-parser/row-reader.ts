import type { LineIndex } from "./line-index";
import type { Delimiter, TextPlace } from "./list-types";

// Excel's own limit for a cell: a quote that closes later than this was never an opening quote.
const longestCell = 32_767;

/**
 * Rows of cells, one at a time; the fields hold the current row. Forgiving, and linear on any text: a quote that does not
 * close is a letter, and each stretch of text is searched for a closing quote at most twice.
 */
export class RowReader {
  /** Index of the row's first line, and of the line after its last. */
  line = 0;
  nextLine: number;
  from = 0;
  to = 0;
  count = 0;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #quoted: boolean[] = [];
  #nextQuote = -2;
  #nextDelimiter = -2;
  /** Up to here no quote closes on a later line. */
  #unclosedUntil = -1;

  constructor(
    readonly lines: LineIndex,
    readonly delimiter: Delimiter,
    firstLine = 0,
  ) {
    this.nextLine = firstLine;
  }

  next(): boolean {
    if (this.nextLine >= this.lines.count) return false;
    this.line = this.nextLine++;
    this.from = this.lines.start(this.line);
    this.to = this.lines.end(this.line);
    this.count = 0;
    this.#nextQuote = this.#find('"', this.from, this.#nextQuote);
    if (this.#nextQuote >= this.to) this.#split(this.from);
    else this.#readQuoted();
    return true;
  }

  /** The text of the cell: without quotes, trimmed. */
  value(index: number): string {
    const text = this.lines.text.slice(this.#starts[index], this.#ends[index]);
    // "" is a quote in CSV, and \" in what MySQL writes.
    if (!this.#quoted[index] || !text.includes('"')) return text;
    return text.includes('""') ? text.replaceAll('""', '"') : text.replaceAll('\\"', '"');
  }

  place(index: number): TextPlace {
    const from = this.#starts[index] ?? this.to;
    const to = this.#ends[index] ?? this.to;
    return { from, to, quoting: this.#quoted[index] ? "quoted-cell" : "cell" };
  }

  has(index: number, needle: string): boolean {
    const at = this.lines.text.slice(this.#starts[index], this.#ends[index]);
    return at.includes(needle);
  }

  /** Makes one cell of two: the delimiter between them is none. */
  join(index: number): void {
    this.#ends[index] = this.#ends[index + 1] ?? this.to;
    for (const cells of [this.#starts, this.#ends, this.#quoted]) cells.splice(index + 1, 1);
    this.count--;
  }

  isEmpty(index: number): boolean {
    return index >= this.count || this.#starts[index] === this.#ends[index];
  }

  /** The next `needle` from `from` on, or the end of the text; `known` is the last answer, asked with less. */
  #find(needle: string, from: number, known: number): number {
    if (known >= from) return known;
    const at = this.lines.text.indexOf(needle, from);
    return at === -1 ? this.lines.text.length : at;
  }

  #push(from: number, to: number, quoted: boolean): void {
    const text = this.lines.text;
    let start = from;
    let end = to;
    while (start < end && isSpace(text.charCodeAt(start))) start++;
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
    // ="ada@x.com": how programs keep Excel from reading text as a number.
    if (!quoted && text.startsWith('="', start) && text.charCodeAt(end - 1) === quote && end - start > 3) {
      start += 2;
      end--;
    }
    this.#starts[this.count] = start;
    this.#ends[this.count] = end;
    this.#quoted[this.count++] = quoted;
  }

  #delimiterFrom(from: number): number {
    this.#nextDelimiter = this.#find(this.delimiter, from, this.#nextDelimiter);
    return Math.min(this.#nextDelimiter, this.to);
  }

  // The rest of the row from here on, all quotes being letters.
  #split(from: number): void {
    let start = from;
    for (;;) {
      const end = this.#delimiterFrom(start);
      this.#push(start, end, false);
      if (end >= this.to) return;
      start = end + 1;
    }
  }

  #readQuoted(): void {
    const text = this.lines.text;
    let start = this.from;
    for (;;) {
      const open = this.#skipSpaces(start);
      if (text.charCodeAt(open) !== quote || open >= this.to) {
        const end = this.#delimiterFrom(start);
        this.#push(start, end, false);
        if (end >= this.to) return;
        start = end + 1;
        continue;
      }
      const close = this.#closing(open + 1);
      // Nothing closes on this line after this point either: the rest of it has no quoted cell.
      if (close === -1) {
        this.#split(start);
        return;
      }
      this.#push(open + 1, close, true);
      const after = this.#skipSpaces(close + 1);
      if (after >= this.to) return;
      start = after + 1;
    }
  }

  #closing(from: number): number {
    const text = this.lines.text;
    for (let at = from; at < this.to; at++) {
      at = text.indexOf('"', at);
      if (at === -1 || at >= this.to) return this.#closingLater(from);
      if (text.charCodeAt(at + 1) === quote && at + 1 < this.to) at++;
      else if (this.#endsCell(at + 1)) return at;
      // A stray quote, as in "Ada "Countess" Lovelace": it may close on this line still, but on no later one.
      else this.#unclosedUntil = Math.max(this.#unclosedUntil, this.to);
    }
    return this.#closingLater(from);
  }

  // On later lines a single quote must close the cell: the one that opens somebody else's name doesn't.
  #closingLater(from: number): number {
    if (from <= this.#unclosedUntil) return -1;
    const text = this.lines.text;
    const limit = Math.min(text.length, from + longestCell);
    let at = this.to;
    for (;;) {
      at = text.indexOf('"', at);
      if (at === -1 || at >= limit) {
        this.#unclosedUntil = at === -1 ? text.length : limit;
        return -1;
      }
      if (text.charCodeAt(at + 1) !== quote) break;
      at += 2;
    }
    let line = this.nextLine;
    while (this.lines.end(line) < at) line++;
    const before = this.to;
    this.to = this.lines.end(line);
    if (this.#endsCell(at + 1)) {
      this.nextLine = line + 1;
      return at;
    }
    this.to = before;
    this.#unclosedUntil = at;
    return -1;
  }

  #endsCell(from: number): boolean {
    const after = this.#skipSpaces(from);
    return after >= this.to || this.lines.text[after] === this.delimiter;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.to && isSpace(this.lines.text.charCodeAt(at))) at++;
    return at;
  }
}

const quote = 0x22;

// Not the tab: it may be the delimiter. Byte-order mark and zero-width space sit before the first quote of a file.
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0xa0 || unit === 0xfeff || unit === 0x200b;
}
