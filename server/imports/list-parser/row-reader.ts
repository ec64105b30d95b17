import type { LineIndex } from "./line-index";
import type { Delimiter, TextPlace } from "./list-types";

// Excel's limit for a cell. A quote without its pair within this length is an ordinary character.
const longestCell = 32_767;

/**
 * Iterates over rows of cells; the fields hold the current row. Linear for any text: an unclosed quote is an ordinary
 * character, and no stretch is searched for a closing quote more than twice.
 */
export class RowReader {
  /** Index of the row's first line. */
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
  /** No quote before this offset closes on a later line. */
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

  /** The trimmed text of a cell without quotes. */
  value(index: number): string {
    const text = this.lines.text.slice(this.#starts[index], this.#ends[index]);
    // CSV escapes a quote as "", MySQL as \".
    if (!this.#quoted[index] || !text.includes('"')) return text;
    return text.includes('""') ? text.replaceAll('""', '"') : text.replaceAll('\\"', '"');
  }

  place(index: number): TextPlace {
    const from = this.#starts[index] ?? this.to;
    const to = this.#ends[index] ?? this.to;
    return { from, to };
  }

  isQuoted(index: number): boolean {
    return this.#quoted[index] === true;
  }

  isEmpty(index: number): boolean {
    return index >= this.count || this.#starts[index] === this.#ends[index];
  }

  /** The next `needle` from `from`, or the end of the text. `known` is the answer for a smaller offset. */
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
    // Programs write ="ada@x.com" so that Excel does not read text as a number.
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

  // Splits the rest of the row and treats all quotes as ordinary characters.
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
      // No later quote on this line closes either, so the rest of the line has no quoted cells.
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
      // A stray quote, as in "Ada "Countess" Lovelace", may close on this line but not on a later one.
      else this.#unclosedUntil = Math.max(this.#unclosedUntil, this.to);
    }
    return this.#closingLater(from);
  }

  // On a later line the first single quote must close the cell. Otherwise it opens another person's name.
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

// Excludes the tab, which may be the delimiter. Files may have a byte-order mark or zero-width space before the first
// quote.
function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0xa0 || unit === 0xfeff || unit === 0x200b;
}
