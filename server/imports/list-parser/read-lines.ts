import { cleanName, isLabel, isNothing, tidyName } from "./clean-text";
import { roleOfTitle } from "./column-titles";
import { isNoName, looksLikeName, readEntries } from "./entries";
import type { Findings } from "./findings";
import { mentionsOptOut } from "./leaving-signs";
import type { PastedPerson, Shape } from "./list-types";
import { piecesBeside, withoutRemark } from "./remarks";
import { findBrokenAddress, findSpelledAddress, type Loose, looseWordsBefore } from "./spelled-addresses";
import { meaningOfWord } from "./status-words";

/** A line without an address: a name for an adjacent line, a heading or a signature. */
type WordLine = { from: number; to: number; line: number; afterBlank: boolean };
/** A line with addresses and the lines of words above it. `person`: the only person on the line, if nameless. */
type AddressLine = { person: PastedPerson | null; above: WordLine[] };

type LinesRead = { shape: "pairs" | "lines"; headerLine: number | null };

/**
 * Reads free text line by line. `shape`: whether names have their own lines, if the editor chose. `header`: whether the
 * first line is a title.
 */
export function readLines(found: Findings, shape?: Shape, header?: boolean): LinesRead {
  const { text, lines } = found;
  const addressLines: AddressLine[] = [];
  let above: WordLine[] = [];
  const loose: Loose[] = [];
  let headerLine: number | null = null;
  let afterBlank = false;
  for (let line = 0; line < lines.count; line++) {
    const to = lines.end(line);
    const first = found.records.length;
    if (readBroken(found, line)) {
      addressLines.push({ person: null, above });
      above = [];
      line++;
      continue;
    }
    const struck = findStrikeMark(text, lines.start(line), to);
    if (!readCommonFormat(found, lines.start(line), to)) {
      const bulleted = skipBullets(text, lines.start(line), to);
      if (isBlankLine(text, bulleted, to)) {
        afterBlank = true;
        const isRule = text.slice(lines.start(line), to).trim() !== "";
        if (found.heading && !isRule) found.heading = { ...found.heading, sure: false };
        continue;
      }
      const labelled = skip(label, text, bulleted, to);
      const from = isBlankLine(text, labelled, to) ? bulleted : labelled;
      if (from === lines.start(line) || !readCommonFormat(found, from, to)) {
        if (!readSpelledOut(found, from, to)) readFreeText(found, from, to, loose);
      }
      if (found.records.length === first) {
        const isFirst = addressLines.length === 0 && above.length === 0 && headerLine === null;
        const isTitle = header !== false && (header || roleOfTitle(text.slice(from, to)) === "email");
        if (isFirst && isTitle) headerLine = line + 1;
        else above.push({ from, to, line, afterBlank });
        readHeading(found, { from, to, line, afterBlank }, first);
        afterBlank = false;
        continue;
      }
    }
    afterBlank = false;
    if (struck) for (const person of found.records.slice(first)) found.ask(person, "remark", struck);
    const only = found.records.length === first + 1 ? found.records[first] : undefined;
    const person = only && only.name === "" ? only : null;
    addressLines.push({ person, above });
    above = [];
  }
  addressLines.push({ person: null, above });
  joinLooseWords(found, loose);
  const named =
    shape === "lines" ? new Map<PastedPerson, WordLine>() : pairNames(text, addressLines, shape === "pairs");
  for (const [person, words] of named) applyName(found, person, words);
  const used = new Set(named.values());
  for (const words of addressLines.flatMap((addressLine) => addressLine.above)) {
    if (!used.has(words)) found.withoutAddress(words.from, words.to);
  }
  return { shape: named.size > 0 ? "pairs" : "lines", headerLine };
}

/** Reads an address that continues on the next line. */
function readBroken(found: Findings, line: number): boolean {
  const { text, lines } = found;
  const place = findBrokenAddress(lines, line);
  if (!place) return false;
  const name = tidyName(text.slice(skipBullets(text, lines.start(line), lines.end(line)), place.from));
  found.person(place, name);
  return true;
}

function readFreeText(found: Findings, from: number, to: number, loose: Loose[]): void {
  const people = readEntries(found.text, from, to);
  if (people.length === 0) return;
  const first = found.records.length;
  found.entries(people);
  const pieces = piecesBeside(found.text, people, from, to);
  const persons = found.records.slice(first);
  found.remark(persons, pieces);
  for (const person of persons) person.name = withoutRemark(person.name);
  const [only] = persons;
  if (only && persons.length === 1) {
    const words = looseWordsBefore(found.text.slice(from, only.address.from), only.email);
    if (words !== null) loose.push({ person: only, from: from + words });
  }
  const unused = pieces.filter((piece) => piece !== only?.name && /\p{L}{2}/u.test(piece));
  if (unused.length > 0) noteIgnored(found, from, persons, unused);
}

function noteIgnored(found: Findings, from: number, persons: PastedPerson[], pieces: string[]): void {
  const used = new Set(wordsOf(persons.map(({ name, email }) => `${name} ${email}`).join(" ")));
  const isIgnored = pieces.some(
    (piece) =>
      !wordsOf(piece).every((word) => used.has(word)) &&
      !piece.startsWith("?") &&
      !isLabel(piece.replace(":", "")) &&
      !mentionsOptOut(piece),
  );
  if (isIgnored) found.note("text_ignored", from);
}

const wordsOf = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

const longestLooked = 4000;
/** Finds the mark of a struck-out or deceased person at the start of a line. */
const findStrikeMark = (text: string, from: number, to: number) =>
  strikeMark.exec(text.slice(from, Math.min(to, from + 8)))?.[1];
const strikeMark = /^\s*(x|[×✗✘☒❌†✝⊘]|--)\s/i;
/**
 * Reads a line of words as a heading of the next people, or else of the previous.
 * @param count the number of people so far
 */
function readHeading(found: Findings, { from, to, line }: WordLine, count: number): void {
  const { text, lines } = found;
  const words = text.slice(from, Math.min(to, from + longestLooked));
  // A numbered line is an item without an address, not a heading.
  const isItem =
    listItem.test(text.slice(lines.start(line), from)) &&
    !/:\s*$/.test(words) &&
    meaningOfWord(words) === null;
  if (!isItem && found.headingAt(words)) {
    if (/:\s*$/.test(words)) return;
    // "(all of these have unsubscribed)" applies to the people on the lines directly above.
    let above = line;
    for (let index = count - 1; index >= 0 && (found.records[index]?.line ?? 0) >= above; index--) {
      found.ask(found.records[index] as PastedPerson, "heading", words.trim());
      above = found.records[index]?.line === above ? above - 1 : above;
    }
  } else if (isHeading.test(words) || meaningOfWord(words) !== null) found.heading = null;
}
const listItem = /^\s*(?:[-*•·‣◦▪●○–—]|\(?\d{1,6}[.)]|\[.?\])/;
const isHeading = /:\s*$|^\s*(?:#|=|\*\*|--)/;

/** Reads "ada (at) x.com" as an invalid address. `validate` suggests a correction and the editor decides. */
function readSpelledOut(found: Findings, from: number, to: number): boolean {
  if (to - from > longestPlainLine) return false;
  const line = found.text.slice(from, to);
  const place = findSpelledAddress(line);
  if (!place) return false;
  const before = line.slice(0, place.from);
  const name = looksLikeName(before) ? withoutRemark(tidyName(before)) : "";
  const person = found.person({ from: from + place.from, to: from + place.to }, name);
  found.remark([person], [before, line.slice(place.to)]);
  return true;
}

/** If few lines have words before their address, lower-case words are part of an address with a space. */
function joinLooseWords({ text, records }: Findings, loose: readonly Loose[]): void {
  if (loose.length * 2 >= records.length && records.length > 1) return;
  for (const { person, from } of loose) {
    person.address.from = from;
    person.raw = text.slice(from, person.address.to);
    person.email = person.raw;
    person.name = "";
  }
}

const local = "[A-Za-z0-9][A-Za-z0-9._+-]*";
const domain = "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?";
// The patterns backtrack when they fail, so long lines skip them.
const longestPlainLine = 400;
const bareAddress = new RegExp(`${local}@${domain}`, "y");
const plainWords = String.raw`(?:\p{L}[\p{L}\p{M}.'’]*[ -])*\p{L}[\p{L}\p{M}.'’]*`;
const named = new RegExp(`(${plainWords}) <(${local}@${domain})>[;,]?`, "uy");
const quotedName = new RegExp(
  String.raw`"([^"'“”\\<>@\s](?:[^"\\<>@\s]| (?! ))*)" ?<(${local}@${domain})>[;,]?`,
  "y",
);

/**
 * Reads the most frequent formats without tokens: ada@x.com, Ada <ada@x.com>, "Lovelace, Ada" <ada@x.com>.
 * `readEntries` gives the same result in three times the time.
 */
function readCommonFormat(found: Findings, from: number, to: number): boolean {
  const { text } = found;
  if (to - from > longestPlainLine) return false;
  bareAddress.lastIndex = from;
  if (bareAddress.test(text)) {
    if (bareAddress.lastIndex !== to) return false;
    found.person({ from, to }, "");
    return true;
  }
  const quoted = text.charCodeAt(from) === 0x22;
  const pattern = quoted ? quotedName : named;
  pattern.lastIndex = from;
  const match = pattern.exec(text);
  if (!match || pattern.lastIndex !== to) return false;
  const [, written = "", address = ""] = match;
  if (isLabel(written) || isNothing(written) || (quoted && written.endsWith(" "))) return false;
  if (mentionsOptOut(written) || written.includes("=?")) return false;
  const cleaned = quoted ? cleanName(written) : written;
  if (isNoName(cleaned, true)) return false;
  const start = text.lastIndexOf("<", to) + 1;
  const name = found.turned(cleaned, start);
  found.person({ from: start, to: start + address.length }, name);
  return true;
}

const bullet =
  /(?:[-*+>•·‣◦▪●○–—→✓✔☐☑☒][ \t\u00a0]+|[•·‣◦▪●○✓✔☐☑☒]|\(?\d{1,6}[.)][ \t\u00a0]+|\[[ xX]?\][ \t\u00a0]+|[ \t\u00a0\ufeff\u200b]+)/y;
const label =
  /(?:(?:item\d+\.)?EMAIL(?:;[^:@\n\r]{0,80})?|(?:e-?mail|mail|to|cc|bcc|from|an|von|kopie|à|de|para|name|full name|fn)[ \u00a0]?):[ \t\u00a0]*/iy;

/** Skips bullets, numbers and check boxes. */
function skipBullets(text: string, from: number, to: number): number {
  let at = from;
  for (let round = 0; round < 6; round++) {
    const next = skip(bullet, text, at, to);
    if (next === at) break;
    at = next;
  }
  return at;
}

function skip(pattern: RegExp, text: string, from: number, to: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) && pattern.lastIndex <= to ? pattern.lastIndex : from;
}

// Lines of dashes, lone bullets and white space have no content.
const isBlankLine = (text: string, from: number, to: number) => !/[\p{L}\p{N}@#]/u.test(text.slice(from, to));

/** Pairs nameless addresses with names on lines above or below; empty if the text has another layout. */
function pairNames(text: string, addressLines: AddressLine[], sure: boolean): Map<PastedPerson, WordLine> {
  const up = new Map<PastedPerson, WordLine>();
  const down = new Map<PastedPerson, WordLine>();
  let alone = 0;
  let nearUp = 0;
  let nearDown = 0;
  for (const [index, { person, above }] of addressLines.entries()) {
    if (!person) continue;
    alone++;
    const names = above.filter((words) => isNameLine(text, words));
    // The first line of a block is the name; the others are titles and telephone numbers.
    const block = names.findLastIndex(({ afterBlank }) => afterBlank);
    const higher = names[Math.max(block, 0)];
    if (higher) up.set(person, higher);
    if (higher?.line === person.line - 2) nearUp++;
    const lower = addressLines[index + 1]?.above.find((words) => isNameLine(text, words));
    if (lower) down.set(person, lower);
    if (lower?.line === person.line) nearDown++;
  }
  const chosen = up.size > down.size || (up.size === down.size && nearUp >= nearDown) ? up : down;
  if (sure) return chosen;
  if (chosen.size < 0.8 * alone || chosen.size === 0) return new Map();
  // A single word above a single address is a heading, such as "Friends". Several pairs, or several words, are names.
  const [only] = chosen.values();
  const isName = chosen.size > 1 || (chosen === up && only && /\S\s+\S/.test(text.slice(only.from, only.to)));
  return isName ? chosen : new Map();
}

function isNameLine(text: string, words: WordLine): boolean {
  if (words.to - words.from > 100) return false;
  const line = text.slice(words.from, words.to).trim();
  return (
    line.length <= 60 &&
    looksLikeName(line) &&
    !/[:!?#]|,$/.test(line) &&
    tidyName(line) !== "" &&
    !mentionsOptOut(line)
  );
}

function applyName(found: Findings, person: PastedPerson, words: WordLine): void {
  const { from, to } = words;
  person.name = found.turned(tidyName(found.text.slice(from, to)), from);
}
