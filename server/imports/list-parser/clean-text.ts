import { decodeWords } from "./encoded-words";

// What pasting adds: bytes of order, zero-width marks, directions, hard spaces. Written as escapes: they can't be seen.
const invisible = String.raw`\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`;
const invisibleOrSpace = new RegExp(`[${invisible}\\s]`);
const anyInvisible = new RegExp(`[${invisible}]`, "g");
// Inside a name the joiners are spelling (Persian, Indic scripts, emoji); these never are.
const invisibleInName = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/g;
const plainName = /^[\p{L}\p{M}][\p{L}\p{M}.'’]*(?:[ -][\p{L}\p{M}.'’]+)*$/u;
const printableAscii = /^[!-~]*$/;

/** The address without what pasting put around and inside it. What remains may still be wrong. */
export function cleanAddress(raw: string): string {
  if (printableAscii.test(raw)) return raw;
  const trimmed = trimUnseen(raw);
  const bare = trimmed.replace(anyInvisible, "");
  // A domain in letters beyond ASCII may need its joiners; there only `parseEmail` can tell.
  return printableAscii.test(bare) ? bare : trimmed;
}

/** Without white space and invisible characters at either end. */
export function trimUnseen(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && invisibleOrSpace.test(text.charAt(from))) from++;
  while (to > from && invisibleOrSpace.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Whether a name is words of letters alone, with nothing to clean. */
export const isPlainName = (text: string) => plainName.test(text);

/** A name on one line, its spaces plain and single, without invisible characters. */
export function cleanName(raw: string): string {
  if (plainName.test(raw)) return raw;
  return trimUnseen(
    decodeWords(raw)
      .replace(/[\s\u0085]+/g, (run) => (run === "\u3000" ? run : " "))
      .replace(invisibleInName, ""),
  );
}

/** A name as free text writes it: also without the quotes, dashes, bullets and colons that set it off. */
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

function trimEdges(name: string): string {
  let from = 0;
  let to = name.length;
  while (from < to && edge.test(name.charAt(from))) from++;
  while (to > from && edge.test(name.charAt(to - 1))) to--;
  return name.slice(from, to);
}

const suffix =
  /^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|m\.?a|b\.?a|msc|bsc|mba|esq|cpa|dds|rn|inc|ltd|llc|llp|plc|corp|co|gmbh|ag|kg|ug|e\.?v|s\.?a|s\.?l|s\.?r\.?l|b\.?v|oy|ab|as|limited|incorporated)\.?$/i;
// Ada Lovelace, Director of Engines: a position after the name, not a first name.
const position =
  /\s(?:of|for|at|and|the|für|und|bei|de)\s|(?:^|\s)(?:director|treasurer|secretary|president|chair|chairman|chairwoman|manager|editor|ceo|cto|cfo|coo|founder|co-founder|vorsitzender?|vorstand|schatzmeister(?:in)?|geschäftsführer(?:in)?|trésorier|trésorière|présidente?)$/i;

/** "Lovelace, Ada" is Ada Lovelace; "Rollcall, Inc." and "King, Martin, Jr." stay. Null when there is nothing to turn. */
export function turnName(name: string): string | null {
  const comma = name.indexOf(",");
  if (comma === -1 || name.indexOf(",", comma + 1) !== -1) return null;
  const last = name.slice(0, comma).trim();
  // Lovelace, Ada (Engines): what is in brackets stays behind.
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

/** A word that mail programs and address books write beside an address, not a person's name. */
export function isLabel(text: string): boolean {
  return text.length <= 16 && labels.has(text.toLowerCase());
}

const beginsNothing = "Nnu#\\-–—";

/** What databases and spreadsheets write for no value. "Null" is a real surname, so only as programs write it. */
export function isNothing(text: string): boolean {
  return (
    text.length <= 9 &&
    beginsNothing.includes(text.charAt(0)) &&
    /^(?:NULL|\\N|undefined|[Nn]\/[Aa]|NaN|#N\/A|#REF!|#VALUE!|#NAME\?|-+|–|—)$/.test(text)
  );
}
