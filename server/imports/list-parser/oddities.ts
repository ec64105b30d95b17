import { isLabel } from "./clean-text";
import { roleOfTitle } from "./column-titles";
import type { PastedPerson } from "./list-types";
import { meaningOfWord } from "./status-words";

/** Signs that a record may be wrong, the strongest first. */
export const oddities = [
  "name_is_address",
  "name_is_status",
  "name_is_label",
  "name_of_another",
  "name_has_digits",
  "role_address",
  "name_in_capitals",
  "stranger_domain",
] as const;
export type Oddity = (typeof oddities)[number];

/** The strongest oddity of each record, or null. */
export function findOddities(records: readonly PastedPerson[]): (Oddity | null)[] {
  const names = new NameOddities(records);
  const strangers = strangeDomains(records);
  return records.map(({ email, name }) => {
    const own = name === "" ? null : names.of(name, email);
    if (own && own !== "name_in_capitals") return own;
    if (roleLocal.test(email)) return "role_address";
    return own ?? (strangers?.has(domainOf(email)) ? "stranger_domain" : null);
  });
}

// Service names of RFC 2142 and senders of programs. Excludes info@ and office@, which small firms read.
const roleLocal =
  /^(?:abuse|noc|security|postmaster|hostmaster|webmaster|www|usenet|news|ftp|root|nobody|admin|administrator|sysadmin|mailer-?daemon|(?:no|do-?not)[-_.]?reply|bounces?|spam|unsubscribe|devnull)(?:[+.-][^@]*)?@/i;

const addressInName = /:\/\/|^www\.|\.(?:com|org|net|edu|de|fr|es|it|nl|uk)$/i;
const asciiName = /^[ -~]*$/;
// Labels, titles and status words are short.
const longestLabel = 40;

/** Detects odd names. Caches words, because 100,000 people share a few thousand first names. */
class NameOddities {
  readonly #words = new Map<string, Oddity | null>();
  readonly #bares = new Map<string, string>();
  #locals: ReadonlySet<string> | null = null;

  constructor(readonly records: readonly PastedPerson[]) {}

  of(name: string, email: string): Oddity | null {
    if (name.includes("@") || (/[./]/.test(name) && addressInName.test(name))) return "name_is_address";
    const label = this.#label(name);
    if (label) return label;
    if (this.#isOfAnother(name, email)) return "name_of_another";
    if (/\p{Nd}/u.test(name)) return "name_has_digits";
    return isInCapitals(name) ? "name_in_capitals" : null;
  }

  #label(name: string): Oddity | null {
    if (name.length > longestLabel) return null;
    const space = name.indexOf(" ");
    // The first of several words decides whether the name can be a label: "First name", "Opted out".
    if (
      space !== -1 &&
      !openers.has(name.slice(0, space).toLowerCase()) &&
      !this.#label(name.slice(0, space))
    )
      return null;
    let known = this.#words.get(name);
    if (known === undefined) {
      known = meaningOfWord(name) !== null ? "name_is_status" : isLabelName(name) ? "name_is_label" : null;
      this.#words.set(name, known);
    }
    return known;
  }

  #bare(words: string): string {
    let known = this.#bares.get(words);
    if (known === undefined) {
      known = bare(words);
      this.#bares.set(words, known);
    }
    return known;
  }

  /** Detects "Grace Hopper" at alan.turing@ if grace.hopper@ is also on the list. */
  #isOfAnother(name: string, email: string): boolean {
    const space = name.indexOf(" ");
    if (space < 2) return false;
    const first = this.#bare(name.slice(0, space));
    if (first.length < 2 || email.includes(first)) return false;
    const rest = this.#bare(name.slice(space + 1));
    const local = localOf(email).toLowerCase();
    if (rest.length < 2 || local.includes(rest)) return false;
    this.#locals ??= new Set(this.records.map((record) => bare(localOf(record.email))));
    if (!this.#locals.has(first + rest) && !this.#locals.has(rest + first)) return false;
    const own = bare(local);
    return (
      !own.includes(first) && !own.includes(rest) && !(own.length <= 4 && own.startsWith(first.charAt(0)))
    );
  }
}

// Words that begin a label but are not labels alone.
const openers = new Set("full opted opt double do not hard soft e your no non nicht required".split(" "));

// Words of calendars, meetings, spreadsheets and address books beside an address.
const labels = new Set(
  `optional required awaiting accepted declined tentative maybe invited attending organizer organiser host guest guests
  attendee attendees participant participants hyperlink link image unknown unnamed anonymous none nobody test testing demo
  example yes no true false mobile phone tel telephone cell fax website address subscriber subscribers customer customers
  member members user users contact contacts friend friends family colleague colleagues team staff list mailing newsletter
  recipient recipients sender reply forward mr mrs ms miss herr frau monsieur madame ja nein oui non si
  ausstehend zugesagt abgesagt eingeladen teilnehmer gast kunde kunden mitglied mitglieder unbekannt facultatif requis
  inconnu opcional desconocido facoltativo sconosciuto`.split(/\s+/),
);
// Titles of columns that are also names.
const alsoNames = new Set(["mel", "nev", "adi", "ad", "given", "christian", "mail", "nimi"]);

function isLabelName(name: string): boolean {
  const word = name.toLowerCase().replace(/[\s:*.]+$/, "");
  if (labels.has(word)) return true;
  return !alsoNames.has(word) && (isLabel(word) || roleOfTitle(word) !== null);
}

function isInCapitals(name: string): boolean {
  if (/[a-z]/.test(name)) return false;
  if (asciiName.test(name)) return /[A-Z].*[A-Z].*[A-Z]/.test(name);
  return name.toUpperCase() === name && name.toLowerCase() !== name && name.length > 2;
}

const bare = (text: string) =>
  asciiName.test(text)
    ? text.toLowerCase().replace(/[^a-z]+/g, "")
    : text
        .normalize("NFKD")
        .toLowerCase()
        .replace(/[^\p{L}]+/gu, "");

const localOf = (email: string) => email.slice(0, email.lastIndexOf("@"));
const domainOf = (email: string) => email.slice(email.lastIndexOf("@") + 1).toLowerCase();

const fewestForDomain = 20;
const mostlyOne = 0.8;

/** Domains with a single person in a list where at least 80 % of the people share one domain; else null. */
function strangeDomains(records: readonly PastedPerson[]): ReadonlySet<string> | null {
  if (records.length < fewestForDomain) return null;
  const counts = new Map<string, number>();
  for (const { email } of records) {
    const domain = domainOf(email);
    counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  let most = 0;
  for (const count of counts.values()) if (count > most) most = count;
  if (most < mostlyOne * records.length) return null;
  return new Set([...counts].filter(([, count]) => count === 1).map(([domain]) => domain));
}
