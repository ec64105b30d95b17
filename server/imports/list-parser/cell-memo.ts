const mostKnown = 1000;

/**
 * What was made of the first different cells of a column. Many columns have the same few again and again; those of a day or
 * an address are better read one by one, so that it is given up where few repeat.
 */
export class CellMemo<Made> {
  #known: Map<string, Made> | null = null;
  #isGivenUp = false;
  #repeated = 0;

  /** @param make must give the same for the same text */
  get(text: string, make: (text: string) => Made): Made {
    if (this.#isGivenUp) return make(text);
    this.#known ??= new Map();
    const known = this.#known.get(text);
    if (known !== undefined) {
      this.#repeated++;
      return known;
    }
    const made = make(text);
    if (this.#known.size < mostKnown) this.#known.set(text, made);
    else if (this.#repeated < mostKnown) {
      this.#known = null;
      this.#isGivenUp = true;
    }
    return made;
  }
}
