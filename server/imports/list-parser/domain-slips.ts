import { damerauDistance } from "../../kernel/damerau-distance";
import { isEnding, splitDomain } from "./domain-endings";

/**
 * A domain that the editor may have meant. `giant`: the provider is so large that similar names are almost certainly
 * mistakes.
 */
export type Candidate = { domain: string; name: string; ending: string; giant: boolean };

const giantNames = new Set("gmail googlemail hotmail yahoo outlook icloud protonmail".split(" "));

export function describe(domain: string): Candidate {
  const { name, ending } = splitDomain(domain);
  return { domain, name, ending, giant: giantNames.has(name) };
}

/** The candidate whose name is nearest to `typed`. All candidates have the same ending. */
export function nearestOf(candidates: readonly Candidate[], typed: string): string | null {
  const plain = typed.replace(/0/g, "o").replace(/1/g, "l");
  const found = candidates
    .filter(({ name }) => name.length > 3 && Math.abs(name.length - typed.length) <= 2)
    .map(({ domain, name, giant }) => ({ domain, slips: slipsBetween(plain, name, giant) }))
    .filter(({ slips }) => slips <= 2)
    .sort((one, other) => one.slips - other.slips);
  return found[0]?.domain ?? null;
}

const unrelated = Number.POSITIVE_INFINITY;

/** The distance of two names; infinite if both may be real companies. */
function slipsBetween(typed: string, meant: string, giant: boolean): number {
  // orange.fr and oranges.fr are different companies.
  if (typed.length < 4 || typed === `${meant}s` || meant === `${typed}s`) return unrelated;
  const isFirst = typed[0] === meant[0];
  if (!isFirst && !isFirstLetterSlip(typed, meant, giant)) return unrelated;
  const isShuffled = sorted(typed) === sorted(meant);
  // Short names that differ in one letter are both real: live.com and love.com.
  if (!giant && meant.length < 6 && !isShuffled && squeezed(typed) !== squeezed(meant)) return unrelated;
  const slips = damerauDistance(typed, meant);
  // gmila.com has all letters in another order.
  if (isShuffled && typed.length > 4) return Math.min(slips, 2);
  return slips <= (giant && meant.length > 6 && isFirst ? 2 : 1) ? slips : unrelated;
}

// Many real names differ only in the first letter: email and gmail, range and orange.
function isFirstLetterSlip([first = "", second]: string, meant: string, giant: boolean): boolean {
  if (first === meant[1]) return giant || (second === meant[0] && meant.length > 4);
  return giant && (keys.includes(first + meant[0]) || keys.includes(meant[0] + first));
}
// Keys that are neighbours, or that other keyboard layouts swap.
const keys = "qwertyuiop asdfghjkl zxcvbnm yz aq wz";

const sorted = (word: string) => [...word].sort().join("");
const squeezed = (word: string) => word.replace(/(.)\1+/g, "$1");

/** Country endings that are one letter short of a common ending. */
export const shortEndings: Record<string, string | undefined> = {
  co: "com",
  cm: "com",
  om: "com",
  ne: "net",
};

/** The likely ending for one that does not exist. */
export function endingSlip(ending: string): string | null {
  if (/^(?:com)+$/.test(ending)) return "com";
  const plain = ending.replace(/0/g, "o");
  return ["com", "net", "org", "de", "edu"].find((one) => damerauDistance(plain, one) === 1) ?? null;
}

/** The provider's ending that was probably meant; null if the typed ending may be correct. */
export function endingsMeant(ending: string, endings: readonly string[]): string | null {
  const short = shortEndings[ending];
  if (short && endings.includes(short)) return short;
  if (isEnding(ending)) return null;
  const parts = ending.split(".");
  const [first = ""] = parts;
  const known = [
    endingSlip(ending),
    parts.every((part) => part === first) ? first : null,
    parts.toReversed().join("."),
    endings.find((one) => ending !== "" && (one.startsWith(ending) || damerauDistance(ending, one) === 1)),
    endingSlip(first),
  ];
  return known.find((one) => one && endings.includes(one)) ?? null;
}
