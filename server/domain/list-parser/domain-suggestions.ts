import { mailProviders } from "../mail-providers";
import { slipDistance } from "./slip-distance";

// Real domains that look like a slip at a provider's.
const alsoReal =
  `gmail.co.uk ymail.co.uk mail.de email.de email.it gmx.eu gmx.li gmx.info wahoo.com hotmail.org icloud.de
  proton.com protonmail.me zohomail.com zohomail.eu mail.co.uk usa.com web.com yandex.ua yandex.kz`.split(
    /\s+/,
  );
const providerSet = new Set(mailProviders);
const known = new Set([...mailProviders, ...alsoReal]);

// Endings that no domain has, and what the hand meant.
const endingSlips = new Map<string, string>();
for (const [ending, slips] of [
  ["com", "con cpm cmo ocm comm coom ccom vom xom dom clm cim conm comn copm c0m come coma cpom coim cmm"],
  ["net", "nte ent ner nett ney"],
  ["org", "ogr rog orgg otg orh prg"],
  ["de", "deu dee"],
  ["edu", "edi eud"],
] as const) {
  for (const slip of slips.split(" ")) endingSlips.set(slip, ending);
}
// Endings of other countries that are one letter short of the one that was meant, after a provider's name.
const shortEndings: Record<string, string> = { co: "com", cm: "com", om: "com", ne: "net", og: "org" };
// Endings that a provider without national branches hardly has.
const providerEnding = /^(?:cc|net|org|de|fr|es|it|uk|eu|us|in|ca)$/;

type Provider = { domain: string; name: string; letters: number; limit: number };

function describe(domain: string): Provider {
  const name = nameOf(domain);
  // In a short name every slip is somebody's real domain: aol.com and aon.com, live.com and love.com.
  const limit = name.length < 5 ? 0 : name.length < 7 ? 1 : 2;
  return { domain, name, letters: lettersOf(domain), limit };
}

/** By the length of a domain, those that are within two letters of it: most pairs are never compared. */
class Candidates {
  readonly #byLength = new Map<number, Provider[]>();

  constructor(readonly all: Provider[]) {}

  near(length: number): Provider[] {
    let near = this.#byLength.get(length);
    if (!near) {
      near = this.all.filter(({ domain }) => Math.abs(domain.length - length) <= 2);
      this.#byLength.set(length, near);
    }
    return near;
  }
}
const described = new Candidates(mailProviders.map(describe).filter(({ limit }) => limit > 0));
// Providers with national branches.
const namesInManyLands = new Set(
  "yahoo hotmail outlook live msn gmx aol yandex proton orange tiscali".split(" "),
);

const popularFrom = 4;
const popularTimes = 4;
const mostPopular = 200;
const commonFrom = 10;

/**
 * What a mistyped domain was meant to be, learned from providers everybody uses and from the list itself. `counts`:
 * how often each domain (lower case, A-labels) stands in the list; `trusted` are domains known to be right, such as those
 * on the list. Domains that are common here are never doubted.
 */
export class DomainSuggestions {
  readonly #answers = new Map<string, string | null>();
  readonly #popular: Candidates;
  readonly #commonFrom: number;

  constructor(
    readonly counts: ReadonlyMap<string, number>,
    readonly trusted: ReadonlySet<string> = new Set(),
  ) {
    let total = 0;
    for (const count of counts.values()) total += count;
    const popular = [...counts]
      .filter(([domain, count]) => count >= popularFrom && !known.has(domain) && !endsInSlip(domain))
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostPopular)
      .map(([domain]) => describe(domain))
      .filter(({ limit }) => limit > 0);
    this.#popular = new Candidates(popular);
    this.#commonFrom = Math.max(commonFrom, total / 20);
  }

  /** The domain that was meant, or null where there is no reason to ask. */
  for(domain: string): string | null {
    const answer = this.#answers.get(domain);
    if (answer !== undefined) return answer;
    const found = this.#find(domain);
    this.#answers.set(domain, found);
    return found;
  }

  #find(domain: string): string | null {
    if (known.has(domain) || this.trusted.has(domain) || domain.includes("xn--") || domain.length > 60)
      return null;
    const dot = domain.lastIndexOf(".");
    const ending = domain.slice(dot + 1);
    const short = `${nameOf(domain)}.${shortEndings[ending] ?? ending}`;
    if (providerSet.has(short)) return short;
    const slip = endingSlips.get(ending);
    const fixed = slip ? `${domain.slice(0, dot)}.${slip}` : domain;
    if (slip && known.has(fixed)) return fixed;
    const count = this.counts.get(domain) ?? 0;
    // An ending that does not exist is a slip however often it is made.
    if (!slip && count >= this.#commonFrom) return null;
    return nearestOf(described, fixed) ?? this.#learned(fixed, count) ?? (slip ? fixed : null);
  }

  #learned(domain: string, count: number): string | null {
    if (count * popularTimes > (this.counts.get(this.#popular.all[0]?.domain ?? "") ?? 0)) return null;
    const near = nearestOf(this.#popular, domain, 1);
    if (
      !near ||
      near === domain ||
      (this.counts.get(near) ?? 0) < Math.max(popularFrom, count * popularTimes)
    )
      return null;
    return near;
  }
}

function nearestOf(candidates: Candidates, domain: string, mostSlips = 2): string | null {
  const letters = lettersOf(domain);
  const name = nameOf(domain);
  const ending = domain.slice(name.length + 1);
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates.near(domain.length)) {
    const limit = Math.min(candidate.limit, mostSlips);
    if (candidate.name === name) {
      // The right name with another ending: national branches are real, gmail.co is not.
      if (namesInManyLands.has(name)) continue;
      if (mostSlips === 2 && !providerEnding.test(ending)) continue;
    }
    if (differingLetters(letters ^ candidate.letters) > 2 * limit) continue;
    const slips = slipDistance(domain, candidate.domain, limit);
    if (slips <= limit && slips < fewest && !differsInDigits(domain, candidate.domain)) {
      best = candidate.domain;
      fewest = slips;
    }
  }
  return best;
}

function nameOf(domain: string): string {
  return domain.slice(0, domain.indexOf("."));
}

function endsInSlip(domain: string): boolean {
  return endingSlips.has(domain.slice(domain.lastIndexOf(".") + 1));
}

// One bit for each letter: two domains n slips apart differ in 2n bits at most, which rules most pairs out at once.
function lettersOf(domain: string): number {
  let bits = 0;
  for (let at = 0; at < domain.length; at++) bits |= 1 << (domain.charCodeAt(at) & 31);
  return bits;
}

function differingLetters(bits: number): number {
  let rest = bits;
  let count = 0;
  for (; rest !== 0; count++) rest &= rest - 1;
  return count;
}

// team1.example and team2.example are two teams.
function differsInDigits(one: string, other: string): boolean {
  return one.replace(/\D/g, "") !== other.replace(/\D/g, "") && /\d/.test(one) && /\d/.test(other);
}
