import { isLabel } from "./clean-text";
import { roleOfTitle } from "./column-titles";
import type { PastedPerson } from "./list-types";
import { meaningOfWord } from "./status-words";

/** Signs that a record may be wrong, the strongest first. */
export const oddities = [
  "name_is_address",
  "name_is_status",
  "name_is_label",
  "name_has_digits",
  "role_address",
  "name_in_capitals",
] as const;
export type Oddity = (typeof oddities)[number];

/** The strongest oddity of a record, or null. */
export function oddityOf({ email, name }: Pick<PastedPerson, "email" | "name">): Oddity | null {
  const odd = name === "" ? null : oddityOfName(name);
  if (odd && odd !== "name_in_capitals") return odd;
  return roleLocal.test(email) ? "role_address" : odd;
}

// Service names of RFC 2142 and senders of programs. Excludes info@ and office@, which small firms read.
const roleLocal =
  /^(?:abuse|noc|security|postmaster|hostmaster|webmaster|www|usenet|news|ftp|root|nobody|admin|administrator|sysadmin|mailer-?daemon|(?:no|do-?not)[-_.]?reply|bounces?|spam|unsubscribe|devnull)(?:[+.-][^@]*)?@/i;

const addressInName = /:\/\/|^www\.|\.(?:com|org|net|edu|de|fr|es|it|nl|uk)$/i;
const asciiName = /^[ -~]*$/;
// Labels, titles and status words are short.
const longestLabel = 40;

function oddityOfName(name: string): Oddity | null {
  if (name.includes("@") || (/[./]/.test(name) && addressInName.test(name))) return "name_is_address";
  const label = oddLabel(name);
  if (label) return label;
  if (/\p{Nd}/u.test(name)) return "name_has_digits";
  return isInCapitals(name) ? "name_in_capitals" : null;
}

function oddLabel(name: string): Oddity | null {
  if (name.length > longestLabel) return null;
  if (meaningOfWord(name) !== null) return "name_is_status";
  return isLabelName(name) ? "name_is_label" : null;
}

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
