/** Counts the letters that are added, removed, replaced, or swapped with their neighbour (optimal string alignment). */
export function damerauDistance(one: string, other: string): number {
  let earlier: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const [letter, meant] = [one[row - 1], other[column - 1]];
      const isSwapped = letter === other[column - 2] && one[row - 2] === meant;
      current[column] = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (letter === meant ? 0 : 1),
        isSwapped ? at(earlier, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [earlier, previous] = [previous, current];
  }
  return at(previous, other.length);
}

const at = (costs: number[], column: number) => costs[column] ?? Number.POSITIVE_INFINITY;
