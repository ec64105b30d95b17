/**
 * Remembers the results for the first different texts, because columns and names of a list repeat.
 * @param make must be a pure function
 */
export function memoized<Made>(make: (text: string) => Made, most: number): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = make(text);
    if (known.size < most) known.set(text, made);
    return made;
  };
}
