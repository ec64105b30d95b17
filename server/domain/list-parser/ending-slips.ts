import { isEnding } from "./domain-endings";
import { slipCosts, slipDistance } from "./slip-distance";

// Endings that no domain has, and what the hand meant.
const meantBySlip = new Map<string, string>();
for (const [ending, slips] of [
  [
    "com",
    "con cpm cmo ocm comm coom ccom vom xom dom clm cim conm comn copm c0m come coma cpom coim cmm comcom",
  ],
  ["net", "nte ent ner nett ney nrt"],
  ["org", "ogr rog orgg otg orh prg"],
  ["de", "deu dee"],
  ["edu", "edi eud"],
] as const) {
  for (const slip of slips.split(" ")) meantBySlip.set(slip, ending);
}

/** What an ending that no domain has was meant to be, after any name. */
export function endingSlip(ending: string): string | null {
  return meantBySlip.get(ending) ?? null;
}

/** Endings of countries that are one letter short of what was meant, after a name that is known with that ending. */
export const shortEndings: Record<string, string | undefined> = {
  co: "com",
  cm: "com",
  om: "com",
  ne: "net",
};

/** Of the endings that a provider's name has, the one that was meant by another; null where that may be somebody's. */
export function endingsMeant(ending: string, endings: readonly string[]): string | null {
  const short = shortEndings[ending];
  if (short && endings.includes(short)) return short;
  if (isEnding(ending)) return null;
  const slip = meantBySlip.get(ending);
  if (slip && endings.includes(slip)) return slip;
  // com.com, de.de; uk.co
  const parts = ending.split(".");
  const [first = ""] = parts;
  if (endings.includes(first) && parts.every((part) => part === first)) return first;
  const turned = parts.toReversed().join(".");
  if (endings.includes(turned)) return turned;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of endings) {
    const cost =
      ending !== "" && one.startsWith(ending) ? 1 : slipDistance(ending, one, limitFor(one, ending));
    if (cost < least) {
      best = one;
      least = cost;
    }
  }
  if (best) return best;
  // gmail.con.br
  const slipped = meantBySlip.get(first);
  return slipped && endings.includes(slipped) ? slipped : null;
}

// Of two letters one can be near a dozen others.
function limitFor(meant: string, typed: string): number {
  if (meant.length > 2) return slipCosts.other;
  return typed.length > 2 ? slipCosts.letter : slipCosts.neighbour;
}
