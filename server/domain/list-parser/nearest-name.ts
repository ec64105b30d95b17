import { splitDomain } from "./domain-endings";
import { slipCosts, slipDistance } from "./slip-distance";

/** A domain that may have been meant. `giant`: so many people are there that a near name is hardly anybody else's. */
export type Candidate = {
  domain: string;
  name: string;
  ending: string;
  giant: boolean;
  /** What the slips may cost. */
  limit: number;
  letters: number;
};

const giantNames = new Set("gmail googlemail hotmail yahoo outlook icloud protonmail".split(" "));

export function describe(domain: string): Candidate {
  const { name, ending } = splitDomain(domain);
  const giant = giantNames.has(name);
  return { domain, name, ending, giant, limit: limitOf(name.length, giant), letters: lettersOf(name) };
}

// In a short name every slip is somebody's real domain: aol.com and aon.com, live.com and love.com.
function limitOf(length: number, giant: boolean): number {
  if (giant) return length < 6 ? 1.25 : length < 7 ? 1.5 : 2;
  if (length < 4) return 0;
  return length < 6 ? 0.5 : length < 10 ? 1 : 1.5;
}

/** Of candidates with the same ending, the one whose name was meant by `typed`. */
export function nearestOf(candidates: readonly Candidate[], typed: string): string | null {
  const letters = lettersOf(typed);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const { domain, name, giant, limit, letters: others } of candidates) {
    const shorter = name.length - typed.length;
    if (limit === 0 || shorter > 2 || shorter < -4 || typed.length < 4) continue;
    if (differingLetters(letters ^ others) > 2 * limit) continue;
    if (!startsAlike(typed, name, giant) || isPlural(typed, name)) continue;
    // ttmail.com, omail.de: where the first letter is another, all others must be as they should.
    const most = typed[0] === name[0] ? limit : Math.min(limit, slipCosts.letter);
    const cost = isShuffled(typed, name) ? limit : slipDistance(typed, name, most);
    if (cost < least) {
      best = domain;
      least = cost;
    }
  }
  return best;
}

/** People hardly ever miss the first letter, and many names differ in nothing else: email and gmail, range and orange. */
function startsAlike(typed: string, meant: string, giant: boolean): boolean {
  const [first, second] = typed;
  if (first === meant[0]) return meant.length > 4 || second !== meant[0];
  if (first === meant[1]) return giant || (second === meant[0] && meant.length > 4);
  return giant && slipDistance(first ?? "", meant[0] ?? "", slipCosts.neighbour) <= slipCosts.neighbour;
}

// gmila.com, organe.fr: every letter is there.
function isShuffled(typed: string, meant: string): boolean {
  return (
    typed.length === meant.length &&
    typed.length > 4 &&
    [...typed].sort().join("") === [...meant].sort().join("")
  );
}

// orange.fr and oranges.fr are two companies.
function isPlural(typed: string, meant: string): boolean {
  return typed === `${meant}s` || meant === `${typed}s`;
}

// One bit for each letter: names with too many letters that the other has not are ruled out at once.
function lettersOf(name: string): number {
  let bits = 0;
  for (let at = 0; at < name.length; at++) bits |= 1 << (name.charCodeAt(at) & 31);
  return bits;
}

function differingLetters(bits: number): number {
  let rest = bits;
  let count = 0;
  for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}
