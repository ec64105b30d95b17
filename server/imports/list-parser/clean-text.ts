// Byte-order marks, zero-width characters, direction marks and soft hyphens from pasted text, as escapes because they
// are invisible.
const invisible = String.raw`\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`;
const invisibleOrSpace = new RegExp(`[${invisible}\\s]`);
const anyInvisible = new RegExp(`[${invisible}]`, "g");
// Names in Persian and Indic scripts and emoji need the zero-width joiners, so only these characters are removed from
// names.
const invisibleInName = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g;
const plainName = /^[\p{L}\p{M}][\p{L}\p{M}.'’]*(?:[ -][\p{L}\p{M}.'’]+)*$/u;
const printableAscii = /^[!-~]*$/;
// The source of an email writes names as =?utf-8?Q?J=C3=BCrgen?= (RFC 2047). Such a name is dropped.
const encodedWord = /=\?[\w*-]{2,60}\?[bq]\?[^?\s]*\?=/gi;

/** Removes artefacts of pasting around and inside an address. The result may still be invalid. */
export function cleanAddress(raw: string): string {
  if (printableAscii.test(raw)) return raw;
  const trimmed = trimUnseen(raw);
  const bare = trimmed.replace(anyInvisible, "");
  // An international domain may need its joiners, so `parseEmail` decides about them.
  return printableAscii.test(bare) ? bare : trimmed;
}

/** Trims white space and invisible characters. */
export const trimUnseen = (text: string) => trimAll(text, invisibleOrSpace);

function trimAll(text: string, characters: RegExp): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.test(text.charAt(from))) from++;
  while (to > from && characters.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Puts a name on one line with single spaces and without invisible characters. */
export function cleanName(raw: string): string {
  if (plainName.test(raw)) return raw;
  return trimUnseen(
    raw
      .replace(encodedWord, "")
      .replace(/[\s\u0085]+/g, (run) => (run === "\u3000" ? run : " "))
      .replace(invisibleInName, ""),
  );
}

/** Cleans a name in free text and also removes quotes, dashes, bullets and colons around it. */
export function tidyName(raw: string): string {
  if (plainName.test(raw)) return isLabel(raw) ? "" : raw;
  let name = trimEdges(cleanName(raw));
  for (let round = 0; round < 3; round++) {
    const close = closers[name.charAt(0)];
    if (close === undefined || name.length < 2 || !close.includes(name.charAt(name.length - 1))) break;
    name = trimEdges(name.slice(1, -1));
  }
  return isLabel(name) || isNothing(name) ? "" : name;
}

const closers: Record<string, string> = {
  '"': '"',
  "'": "'",
  "“": "”“",
  "„": "“”",
  "”": "”",
  "‘": "’",
  "‚": "‘’",
  "«": "»",
  "»": "«",
  "(": ")",
  "[": "]",
  "*": "*",
  _: "_",
  "`": "`",
};
const edge = /[\s:;,=<>|\-–—•·~>/\\]/;
const trimEdges = (name: string) => trimAll(name, edge);

const suffix =
  /^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|m\.?a|b\.?a|msc|bsc|mba|esq|cpa|dds|rn|inc|ltd|llc|llp|plc|corp|co|gmbh|ag|kg|ug|e\.?v|s\.?a|s\.?l|s\.?r\.?l|b\.?v|oy|ab|as|limited|incorporated)\.?$/i;
// "Ada Lovelace, Director of Engines" has a position after the comma, not a first name.
const position =
  /\s(?:of|for|at|and|the|für|und|bei|de)\s|(?:^|\s)(?:director|treasurer|secretary|president|chair|chairman|chairwoman|manager|editor|ceo|cto|cfo|coo|founder|co-founder|vorsitzender?|vorstand|schatzmeister(?:in)?|geschäftsführer(?:in)?|trésorier|trésorière|présidente?)$/i;

/**
 * Turns "Lovelace, Ada" into "Ada Lovelace". Returns null for "Rollcall, Inc.", "King, Martin, Jr." and names without a
 * comma.
 */
export function turnName(name: string): string | null {
  const comma = name.indexOf(",");
  if (comma === -1 || name.indexOf(",", comma + 1) !== -1) return null;
  const last = name.slice(0, comma).trim();
  // Text in brackets stays at the end: "Lovelace, Ada (Engines)".
  const [, first = "", rest = ""] = /^\s*(.*?)(\s*\([^()]*\))?\s*$/s.exec(name.slice(comma + 1)) ?? [];
  if (!/\p{L}/u.test(last) || !/^\p{L}/u.test(first) || suffix.test(first) || position.test(first))
    return null;
  return `${first} ${last}${rest}`;
}

const labels = new Set(
  "email|e-mail|mail|mailto|home|work|other|private|privat|arbeit|dienstlich|geschäftlich|to|cc|bcc|cco|cci|ccn|from|an|aan|von|à|para|de|e-mail address|email address|courriel|correo|name|contact|kontakt|and|und|et|y|e|en|or|oder|og|och|&|smtp|hyperlink|organizer|organiser|optional|required|awaiting|declined|accepted|tentative|maybe|attendee|host|co-host|guest|member|admin|owner|editor|viewer|organisator|veranstalter|erforderlich|zugesagt|abgelehnt|vorläufig|organisateur|facultatif|participant|yes|no".split(
    "|",
  ),
);

/** Whether the text is a word that mail programs and address books write beside an address. */
export function isLabel(text: string): boolean {
  return text.length <= 16 && labels.has(text.toLowerCase());
}

const beginsNothing = "Nnu#\\-–—";

/**
 * Whether a database or spreadsheet wrote the text for a missing value. "Null" is a real surname; only "NULL" counts.
 */
export function isNothing(text: string): boolean {
  return (
    text.length <= 9 &&
    beginsNothing.includes(text.charAt(0)) &&
    /^(?:NULL|\\N|undefined|[Nn]\/[Aa]|NaN|#N\/A|#REF!|#VALUE!|#NAME\?|-+|–|—)$/.test(text)
  );
}
