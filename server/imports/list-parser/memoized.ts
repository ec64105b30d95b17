/**
 * Remembers the results for the first different texts, because columns and names of a list repeat. Gives up when most of
 * them were different.
 * @param make must be a pure function
 */
export function memoized<Made>(make: (text: string) => Made, most: number): (text: string) => Made {
  const known = new Map<string, Made>();
  let repeats = 0;
  return (text) => {
    if (known.size === most && repeats < most) return make(text);
    const found = known.get(text);
    if (found !== undefined) {
      repeats++;
      return found;
    }
    const made = make(text);
    if (known.size < most) known.set(text, made);
    return made;
  };
}
