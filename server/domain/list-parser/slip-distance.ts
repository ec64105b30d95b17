/** What each kind of slip costs: the more likely a hand makes it, the less. */
export const slipCosts = {
  doubled: 0.5,
  swapped: 0.5,
  lookAlike: 0.5,
  neighbour: 0.75,
  letter: 1,
  vowel: 1.25,
  other: 2,
};

const keyboards = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
// What another keyboard has in that place, and what looks alike.
const otherKeyboards = "yz aq wz lm il";
const lookAlikes = "0o 1l 1i 5s";
const vowels = "aeiouy";

/** By both characters' codes (7 bits each), the cost of one in the place of the other. */
const replacements = new Float32Array(1 << 14).fill(slipCosts.other);
for (const one of vowels) for (const other of vowels) setReplacement(one, other, slipCosts.vowel);
for (const [row, keys] of keyboards.entries())
  for (let at = 0; at < keys.length; at++) {
    // Each row stands half a key to the right of the one above.
    const below = keyboards[row + 1] ?? "";
    for (const other of [keys[at + 1], below[at], below[at - 1]])
      setReplacement(keys.charAt(at), other ?? "", slipCosts.neighbour);
  }
for (const pair of otherKeyboards.split(" "))
  setReplacement(pair.charAt(0), pair.charAt(1), slipCosts.neighbour);
for (const pair of lookAlikes.split(" ")) setReplacement(pair.charAt(0), pair.charAt(1), slipCosts.lookAlike);

function setReplacement(one: string, other: string, cost: number) {
  if (one === "" || other === "" || one === other) return;
  replacements[(one.charCodeAt(0) << 7) | other.charCodeAt(0)] = cost;
  replacements[(other.charCodeAt(0) << 7) | one.charCodeAt(0)] = cost;
}

// Rows of the table, kept between calls: 60,000 domains of one list are compared with dozens of others each.
const longest = 64;
const rows = [new Float32Array(longest + 1), new Float32Array(longest + 1), new Float32Array(longest + 1)];

/**
 * What the slips of the hand cost that make `typed` of `meant`, both in lower-case ASCII: letters too many, too few,
 * doubled, replaced, two neighbours swapped (optimal string alignment). Gives up beyond `limit` and answers Infinity.
 */
export function slipDistance(typed: string, meant: string, limit: number): number {
  if (typed === meant) return 0;
  if (Math.abs(typed.length - meant.length) > limit / slipCosts.doubled) return Number.POSITIVE_INFINITY;
  if (typed.length > longest || meant.length > longest) return Number.POSITIVE_INFINITY;
  let [earlier, previous, current] = rows as [Float32Array, Float32Array, Float32Array];
  previous[0] = 0;
  for (let column = 1; column <= meant.length; column++)
    previous[column] = (previous[column - 1] as number) + missing(meant, column - 1);
  for (let row = 1; row <= typed.length; row++) {
    const surplus = missing(typed, row - 1);
    current[0] = (previous[0] as number) + surplus;
    let least = current[0];
    for (let column = 1; column <= meant.length; column++) {
      const cost = Math.min(
        (previous[column] as number) + surplus,
        (current[column - 1] as number) + missing(meant, column - 1),
        (previous[column - 1] as number) + replacement(typed, row - 1, meant, column - 1),
        row > 1 && column > 1 && isSwapped(typed, row, meant, column)
          ? (earlier[column - 2] as number) + slipCosts.swapped
          : limit + 1,
      );
      current[column] = cost;
      if (cost < least) least = cost;
    }
    // A swap reaches back two rows, and costs less than what the row between lacks.
    if (least > limit + slipCosts.other) return Number.POSITIVE_INFINITY;
    [earlier, previous, current] = [previous, current, earlier];
  }
  const cost = previous[meant.length] as number;
  return cost <= limit ? cost : Number.POSITIVE_INFINITY;
}

/** The cost of the character that one of the words has and the other has not: little for one of a pair. */
function missing(word: string, at: number): number {
  const code = word.charCodeAt(at);
  const doubled = code === word.charCodeAt(at - 1) || code === word.charCodeAt(at + 1);
  return doubled ? slipCosts.doubled : slipCosts.letter;
}

function replacement(typed: string, row: number, meant: string, column: number): number {
  const one = typed.charCodeAt(row);
  const other = meant.charCodeAt(column);
  return one === other ? 0 : (replacements[((one & 127) << 7) | (other & 127)] as number);
}

function isSwapped(typed: string, row: number, meant: string, column: number): boolean {
  return (
    typed.charCodeAt(row - 1) === meant.charCodeAt(column - 2) &&
    typed.charCodeAt(row - 2) === meant.charCodeAt(column - 1)
  );
}
