import { mailProviders } from "../../kernel/mail-providers";
import { isEnding, splitDomain } from "./domain-endings";
import { type Candidate, describe, endingSlip, endingsMeant, nearestOf, shortEndings } from "./domain-slips";
import data from "./domains.json";
import { memoized } from "./memoized";

/** Real domains that are never corrected, in addition to `mailProviders`. */
export const knownDomains: ReadonlySet<string> = new Set(
  Object.entries(data.known).flatMap(([ending, names]) =>
    names.split(" ").map((name) => `${name}.${ending}`),
  ),
);

const providers = mailProviders.map(describe);
const providerSet = new Set(mailProviders);
const byEnding = groupBy(providers, ({ ending }) => ending);
const byName = groupBy(providers, ({ name }) => name);
// Compares letters and digits only, for mistakes such as gmailcom and t.online.de.
const bySquashed = new Map(mailProviders.map((domain) => [squash(domain), domain]));
// Providers whose names nobody else has: dots in any place are certainly mistakes.
const giants = new Set(providers.filter(({ giant }) => giant).map(({ domain }) => domain));

const popularFrom = 4;
const popularTimes = 4;
const mostPopular = 200;
const commonFrom = 10;
const fewPeople = 3;

/**
 * Suggests corrections of mistyped domains, from large providers and from the list itself. Suggests nothing for a
 * domain that is known or frequent in the list.
 * @param counts frequency of each domain in the list (lower case, A-labels)
 * @param trusted domains known to be correct, such as those of subscribers
 */
export class DomainSuggestions {
  readonly #popular: ReadonlyMap<string, Candidate[]>;
  readonly #mostPopular: number;
  readonly #commonFrom: number;

  constructor(
    readonly counts: ReadonlyMap<string, number>,
    readonly trusted: ReadonlySet<string> = new Set(),
  ) {
    let total = 0;
    for (const count of counts.values()) total += count;
    const popular = [...counts]
      .filter(([domain, count]) => count >= popularFrom && !isKnown(domain))
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostPopular)
      .map(([domain]) => describe(domain))
      .filter(({ ending }) => isEnding(ending));
    this.#popular = groupBy(popular, ({ ending }) => ending);
    this.#mostPopular = popular[0] ? (counts.get(popular[0].domain) ?? 0) : 0;
    this.#commonFrom = Math.max(commonFrom, total / 20);
  }

  /** The suggestion, or null. Also accepts lower-case text that is not a complete domain: gmailcom, gmail.c. */
  readonly for = memoized((domain) => this.#find(domain), 200_000);

  #find(domain: string): string | null {
    if (isKnown(domain) || this.trusted.has(domain) || domain.includes("xn--") || domain.length > 60)
      return null;
    const bare = /^w{2,4}\.(.+\..+)$/.exec(domain)?.[1];
    if (bare) return this.for(bare) ?? bare;
    const squashed = bySquashed.get(squash(domain));
    if (squashed && (!domain.includes(".") || giants.has(squashed) || squashed.includes("-")))
      return squashed;
    if (!domain.includes(".")) return this.#withoutEnding(domain);
    const branch = this.#otherEnding(domain);
    if (branch !== undefined) return branch;
    if (isKnownParent(domain)) return null;
    const { name, ending } = splitDomain(domain);
    if (!isEnding(ending)) return this.#withEnding(name, endingSlip(ending));
    const repeated = /^(.+\.(com|net|org|de|fr|it))\.\2$/.exec(domain)?.[1];
    if (repeated) return this.for(repeated) ?? repeated;
    const near = this.#near(domain, name, ending) ?? this.#learned(domain, name, ending);
    return near && this.#count(domain) < this.#commonFrom ? near : null;
  }

  // For an ending that does not exist: corrects the ending, then checks the result for other mistakes.
  #withEnding(name: string, meant: string | null): string | null {
    if (!meant || !/^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(name)) return null;
    const fixed = `${name}.${meant}`;
    return this.for(fixed) ?? fixed;
  }

  /** For "gmail" or "gmal": the provider's domain that is most frequent in the list, or the provider's only domain. */
  #withoutEnding(name: string): string | null {
    const branches = byName.get(name) ?? [];
    const here = branches.toSorted((one, other) => this.#count(other.domain) - this.#count(one.domain))[0];
    if (here && this.#count(here.domain) > 0) return here.domain;
    const giant = branches.find(({ domain }) => giants.has(domain) && domain.endsWith(".com"));
    if (giant) return giant.domain;
    if (branches.length > 0) return branches.length === 1 ? (branches[0]?.domain ?? null) : null;
    const near = this.#nearGiant(name, "com");
    if (near) return near;
    const cut = /^([a-z]{5,}?)-?(com?|cm|om|con|cmo|ocm|comm|coom)$/.exec(name)?.[1];
    return cut && giants.has(`${cut}.com`) ? `${cut}.com` : null;
  }

  /**
   * Checks a provider's name with an ending that the provider does not use. Returns null if the domain may still be
   * correct, and undefined if the name is not a provider's.
   */
  #otherEnding(domain: string): string | null | undefined {
    const dot = domain.indexOf(".");
    const name = domain.slice(0, dot);
    const ending = domain.slice(dot + 1);
    const branches = byName.get(name);
    if (!branches) return undefined;
    const meant = endingsMeant(
      ending,
      branches.map((branch) => branch.ending),
    );
    return meant ? `${name}.${meant}` : isEnding(ending) ? null : undefined;
  }

  #near(domain: string, name: string, ending: string): string | null {
    const near = nearestOf(byEnding.get(ending) ?? [], name) ?? this.#nearGiant(name, shortEndings[ending]);
    if (!near || giants.has(near)) return near;
    // The employees of a company outnumber the list's people at a small provider with a similar name.
    const count = this.#count(domain);
    return count >= fewPeople && count >= this.#count(near) ? null : near;
  }

  #nearGiant(name: string, ending: string | undefined): string | null {
    const near = ending ? nearestOf(byEnding.get(ending) ?? [], name) : null;
    return near && giants.has(near) ? near : null;
  }

  #learned(domain: string, name: string, ending: string): string | null {
    if (this.#mostPopular === 0) return null;
    const count = this.#count(domain);
    if (count * popularTimes > this.#mostPopular) return null;
    const short = shortEndings[ending];
    const near = short ? `${name}.${short}` : nearestOf(this.#popular.get(ending) ?? [], name);
    if (!near || near === domain || differsInDigits(domain, near)) return null;
    return this.#count(near) >= Math.max(popularFrom, count * popularTimes) ? near : null;
  }

  #count(domain: string): number {
    return this.counts.get(domain) ?? 0;
  }
}

function isKnown(domain: string): boolean {
  return providerSet.has(domain) || knownDomains.has(domain);
}

// For poczta.onet.pl and mail.sina.com, whose parent domains are known.
function isKnownParent(domain: string): boolean {
  let dot = domain.indexOf(".");
  while (dot !== -1) {
    const parent = domain.slice(dot + 1);
    if (isKnown(parent)) return true;
    dot = domain.indexOf(".", dot + 1);
  }
  return false;
}

function squash(domain: string): string {
  return domain.replace(/[^a-z0-9]/g, "");
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

// team1.example and team2.example are two teams.
function differsInDigits(one: string, other: string): boolean {
  return one.replace(/\D/g, "") !== other.replace(/\D/g, "") && /\d/.test(one) && /\d/.test(other);
}
