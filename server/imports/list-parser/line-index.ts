/** Offsets of the lines of a text. A line ends at LF, CRLF or CR. */
export class LineIndex {
  readonly starts: number[] = [];
  /** Excludes the line break. */
  readonly ends: number[] = [];
  #cursor = 0;

  constructor(readonly text: string) {
    let start = 0;
    let carriage = text.indexOf("\r");
    let feed = text.indexOf("\n");
    while (carriage !== -1 || feed !== -1) {
      const breaksAtCarriage = carriage !== -1 && (feed === -1 || carriage < feed);
      const end = breaksAtCarriage ? carriage : feed;
      this.starts.push(start);
      this.ends.push(end);
      start = breaksAtCarriage && feed === carriage + 1 ? end + 2 : end + 1;
      if (carriage !== -1 && carriage < start) carriage = text.indexOf("\r", start);
      if (feed !== -1 && feed < start) feed = text.indexOf("\n", start);
    }
    this.starts.push(start);
    this.ends.push(text.length);
  }

  get count(): number {
    return this.starts.length;
  }

  start(line: number): number {
    return this.starts[line] ?? this.text.length;
  }

  end(line: number): number {
    return this.ends[line] ?? this.text.length;
  }

  /** The index (from 0) of the line with the offset. Fast for increasing offsets. */
  lineAt(offset: number): number {
    if (offset < this.start(this.#cursor)) this.#cursor = this.#search(offset);
    while (this.#cursor + 1 < this.count && this.start(this.#cursor + 1) <= offset) this.#cursor++;
    return this.#cursor;
  }

  #search(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
