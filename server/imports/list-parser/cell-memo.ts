const mostKnown = 1000;

/**
 * Caches the results for the first different cells of a column, because many columns repeat a few values. Columns of
 * dates or addresses rarely do; the cache turns itself off there.
 */
export class CellMemo<Made> {
  #known: Map<string, Made> | null = null;
  #isGivenUp = false;
  #repeated = 0;

  /** @param make must be a pure function */
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
