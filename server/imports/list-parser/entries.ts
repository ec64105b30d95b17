import { trimAddress } from "./address-edges";
import { cleanName, isNothing, tidyName, turnName } from "./clean-text";
import { cutTokens, type Token } from "./entry-tokens";
import type { TextPlace } from "./list-types";

/** A person in free text. The name may still be written "Last, First". */
export type Entry = { address: TextPlace; again?: TextPlace; name: string };

type Draft = { address: TextPlace; again?: TextPlace; angle: boolean; name: Span | null };
/** `cells`: words of two cells, "Ada, Lovelace", which are first and last name. */
type Span = { from: number; to: number; tokens: Token[]; cells: boolean };
/** The content between two separators: a person, or words that may be a name. */
type Item = { draft: Draft } | { words: Span };

/** Reads any number of people from free text or a mail header, with names before or after their addresses. */
export function readEntries(text: string, from: number, to: number): Entry[] {
  const tokens = cutTokens(text, from, to);
  const items: Item[] = [];
  for (let start = 0; start <= tokens.length; ) {
    let end = start;
    while (end < tokens.length && tokens[end]?.kind !== "separator") end++;
    const segment = tokens.slice(start, end);
    if (segment.some((token) => token.at)) readSegment(text, segment, items);
    else if (segment.length > 0) items.push({ words: spanOf(segment) });
    start = end + 1;
  }
  const drafts = items.filter((item) => "draft" in item).map((item) => item.draft);
  if (drafts.length > 0) assignNames(text, items);
  for (const [index, draft] of drafts.entries()) {
    const next = drafts[index + 1];
    if (!draft.name || !next || next.name || !isColonBefore(text, draft.address.from)) continue;
    // "Readers: ada@x.com, bob@x.com": the words before the colon name a group.
    draft.name = null;
  }
  return drafts.map((draft) => finish(text, draft));
}

/** Reads the text between two separators, such as "Ada <ada@x.com>" or "ada@x.com (Ada)". */
function readSegment(text: string, segment: Token[], items: Item[]): void {
  const drafts: Draft[] = [];
  let waiting: Token[] = [];
  const nameFollows = isAddress(text, segment[0]) && !segment.at(-1)?.at;
  for (const token of segment) {
    if (!token.at || (token.kind === "quoted" && token !== segment.at(-1))) {
      waiting.push(token);
      continue;
    }
    const address = trimAddress(text, token);
    const last = drafts.at(-1);
    const adjacent = last && waiting.length === 0;
    if (adjacent && !last.again && !isListed(text, last, token) && sameAddress(text, last.address, address)) {
      last.again = last.address;
      last.address = address;
      last.angle = token.kind === "angle";
    } else if (adjacent && token.kind === "angle" && !last.angle) {
      // "ada@old.org <ada@x.com>": the first address is the display name.
      last.address = address;
      last.angle = true;
    } else {
      const angle = token.kind === "angle";
      if (last && !last.name && nameFollows && waiting.length > 0 && !angle) {
        last.name = spanOf(waiting);
        waiting = [];
      }
      drafts.push({ address, angle, name: waiting.length > 0 ? spanOf(waiting) : null });
    }
    waiting = [];
  }
  const last = drafts.at(-1);
  if (last && !last.name && waiting.length > 0) last.name = spanOf(waiting);
  for (const draft of drafts) items.push({ draft });
}

// Gives words between separators to the next address, or to the previous one if the text begins with an address.
function assignNames(text: string, items: Item[]): void {
  const first = items[0];
  const addressFirst = first !== undefined && "draft" in first && !first.draft.name;
  let run: Span[] = [];
  let previous: Draft | null = null;
  for (let index = 0; index <= items.length; index++) {
    const item = items[index];
    if (item && "words" in item) {
      run.push(item.words);
      continue;
    }
    const draft: Draft | null = item?.draft ?? null;
    if (run.length > 0) {
      const backwards: boolean = previous !== null && !previous.name && (addressFirst || draft === null);
      const target: Draft | null = backwards ? previous : draft;
      if (target && !target.name) target.name = joinRun(text, run);
      else if (!backwards && target?.name && run.length === 1 && isCommaBefore(text, target.name)) {
        target.name = merge(run[0] as Span, target.name, false);
      }
      run = [];
    }
    previous = draft;
  }
}

/**
 * Chooses the name from words in several cells: the first that looks like a name, or two single words as first and last
 * name.
 */
function joinRun(text: string, run: Span[]): Span | null {
  const names = run.filter((words) => looksLikeName(text.slice(words.from, words.to)));
  const [first, second] = names;
  if (!first) return null;
  const single = (words: Span) => !/\s/.test(text.slice(words.from, words.to).trim());
  const neighbours = second !== undefined && run.indexOf(second) === run.indexOf(first) + 1;
  const both = neighbours && single(first) && first.tokens.length === 1 && second.tokens.length === 1;
  return both ? merge(first, second, true) : first;
}

function merge(first: Span, second: Span, cells: boolean): Span {
  return { from: first.from, to: second.to, tokens: [...first.tokens, ...second.tokens], cells };
}

function finish(text: string, draft: Draft): Entry {
  const { address, again, name: written } = draft;
  if (!written) return { address, again, name: "" };
  const span = withoutRemarks(text, written);
  const isQuoted = isQuotedWhole(text, span);
  const full = nameOf(text, span);
  const name = isQuoted ? full : withoutRemarksInText(full);
  return { address, again, name: isNoName(name, draft.angle || isQuoted) ? "" : name };
}

/**
 * Whether words beside an address are no name: another address, signs, a sentence or a greeting. "Lieber, Hans" is one.
 * @param isMarked whether quotes or the brackets of the address mark them as a name
 */
export function isNoName(written: string, isMarked: boolean): boolean {
  const words = turnName(written) ?? written;
  return (
    (words.includes("@") && !/\s/.test(words)) ||
    !/[\p{L}\p{N}]/u.test(words) ||
    isSentence(words, isMarked) ||
    greeting.test(words)
  );
}

const isQuotedWhole = (text: string, { tokens: [first, second] }: Span) =>
  first?.kind === "quoted" && !second && text.charAt(first.from) === '"';

function nameOf(text: string, span: Span): string {
  const { tokens } = span;
  const parts = tokens.map(({ innerFrom, innerTo }) => text.slice(innerFrom, innerTo));
  if (isQuotedWhole(text, span)) return unescapeQuoted(parts.join());
  if (span.cells || tokens.length === 1) return parts.map(tidyName).join(" ");
  // Quotes around a part belong to the name, as in "Ada" Lovelace. Quotes around the whole name do not.
  const written = text.slice(span.from, span.to);
  return tokens[0]?.kind === "quoted" ? cleanName(written) : tidyName(written);
}

/** Removes the name of a group, and remarks in brackets before or after the name. */
function withoutRemarks(text: string, span: Span): Span {
  const { tokens } = span;
  // "Friends: Ada Lovelace <ada@x.com>": the first person of a group.
  let first = tokens.findLastIndex(({ kind, to }) => kind === "word" && text.charAt(to - 1) === ":") + 1;
  let end = tokens.length;
  if (first === end) first = 0;
  while (first < end - 1 && tokens[first]?.kind === "comment") first++;
  while (end > first + 1 && tokens[end - 1]?.kind === "comment") end--;
  const kept = tokens.slice(first, end);
  return kept.length === tokens.length ? span : { ...spanOf(kept), cells: span.cells };
}

/** Text beside a name: a group, tags in square brackets, remarks, the mailing list that forwarded the email. */
const remarksInText = [
  /^[^:]{1,40}:\s*(?=\p{L})()/u,
  /^[^\]]*\]\s*(?=\p{L})()/u,
  /(?<=\p{L}\.?)\s+\[[^\]]*\]?$()/u,
  /(?<=\p{L}\.?)\s+\([^)]*\)*$()/u,
  /^'(.+)' via .+$/u,
];

function withoutRemarksInText(name: string): string {
  // Most names have none of these signs.
  if (!/[:[\](]|' via /.test(name)) return name;
  return remarksInText.reduce((rest, remark) => rest.replace(remark, "$1"), name);
}

const greeting =
  /^(?:hi|hello|hey|dear|hallo|liebe[rs]?|sehr geehrte[rs]?|bonjour|hola|ciao|olá|hej|thanks|regards)\b/i;
// Words of sentences: "Please add ada@x.com. Also bo@x.com".
const openings =
  "please|add|also|and also|plus|send|write|thanks?|bitte|auch|und auch|sowie|hinzufügen|schreib(?:en|t)?|veuillez|ajouter|aussi|merci|por favor|añadir|también|aggiungi|anche|adicione|também|voeg|ook|graag";
const sentenceWord = new RegExp(
  `(?:^|\\s)(?:${openings}|too|with|the|for|email|mail|contact|is|are|at|our|their|here|new|to|from|ist)(?=[\\s:,"“„]|$)`,
  "iu",
);
const sentenceOpening = new RegExp(`^(?:${openings})(?=[\\s:,"“„])`, "iu");
function isSentence(name: string, isMarked: boolean): boolean {
  // "Will Smith" and "An Nguyen" are names, and "Friends of the Earth" <a@x.com> is one. A sentence has words in small
  // letters, or opens with one of these words.
  return (
    (isMarked ? sentenceOpening : sentenceWord).test(name) &&
    (/(?:^|\s)\p{Ll}{2,}(?:$|\s)/u.test(name) ||
      /^(?:also|please|bitte|auch|aussi|también|anche|ook)\b/iu.test(name))
  );
}

function unescapeQuoted(written: string): string {
  const name = cleanName(
    written.includes("\\") || written.includes('"')
      ? written.replace(/\\(.)|""/gs, (pair, escaped) => escaped ?? pair.charAt(0))
      : written,
  );
  // Outlook shows an address in place of a name in single quotes within the double ones.
  const bare =
    name.length > 1 && name.startsWith("'") && name.endsWith("'") ? name.slice(1, -1).trim() : name;
  return isNothing(bare) ? "" : bare;
}

function spanOf(tokens: Token[]): Span {
  return { from: tokens[0]?.from ?? 0, to: tokens.at(-1)?.to ?? 0, tokens, cells: false };
}

function isAddress(text: string, token: Token | undefined): boolean {
  return token?.at === true && (token.kind === "word" || text.charAt(token.from) === "<");
}

// Two bare addresses with only a space between are two people, even if they are equal.
function isListed(text: string, last: Draft, token: Token): boolean {
  if (last.angle || token.kind !== "word") return false;
  return (
    text.slice(last.address.to, token.innerFrom).trim() === "" && !/:/.test(text.slice(token.from, token.to))
  );
}

function isCommaBefore(text: string, span: Span): boolean {
  let at = span.from - 1;
  while (at > 0 && /\s/.test(text.charAt(at))) at--;
  return text.charAt(at) === ",";
}

function isColonBefore(text: string, from: number): boolean {
  return /:\s?$/.test(text.slice(Math.max(0, from - 2), from));
}

function sameAddress(text: string, one: TextPlace, other: TextPlace): boolean {
  if (one.to - one.from !== other.to - other.from) return false;
  return text.slice(one.from, one.to).toLowerCase() === text.slice(other.from, other.to).toLowerCase();
}

export function looksLikeName(text: string): boolean {
  return text.length <= 80 && /\p{L}/u.test(text) && !/[\p{N}@/\\=]/u.test(text) && !isNothing(text.trim());
}
