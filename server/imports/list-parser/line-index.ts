/** Offsets of the lines of a text. A line ends at LF, CRLF or CR. */
export class LineIndex {
  readonly starts: number[] = [];
  /** Excludes the line break. */
  readonly ends: number[] = [];

  constructor(readonly text: string) {
    let start = 0;
    for (const { 0: mark, index } of text.matchAll(/\r\n?|\n/g)) {
      this.starts.push(start);
      this.ends.push(index);
      start = index + mark.length;
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

  /** The index (from 0) of the line with the offset. */
  lineAt(offset: number): number {
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
