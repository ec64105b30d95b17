/** A piece of free text. `at`: it contains an @ sign. */
export type Token = {
  kind: "word" | "quoted" | "angle" | "comment" | "separator";
  from: number;
  to: number;
  /** Excludes quotes or brackets. */
  innerFrom: number;
  innerTo: number;
  at: boolean;
};

const endings =
  /(?:com|org|net|edu|gov|info|io|co|de|at|ch|fr|es|it|nl|be|pl|se|dk|no|fi|uk|eu|us|ca|au|br|ru)(?![\p{L}\p{N}.@-])/uy;

/** Splits text into tokens in one pass. It searches no stretch twice for a bracket or quote. */
export function cutTokens(text: string, from: number, to: number): Token[] {
  const tokens: Token[] = [];
  // Quotes before this offset are ordinary characters: their pair is missing, or their content is read as text.
  let quotesOffUntil = from;
  let at = from;
  const push = (kind: Token["kind"], end: number, hasAt: boolean) => {
    const inset = kind === "word" || kind === "separator" ? 0 : 1;
    tokens.push({ kind, from: at, to: end, innerFrom: at + inset, innerTo: end - inset, at: hasAt });
    at = end;
  };
  while (at < to) {
    const character = text.charAt(at);
    if (isBlank(character)) at++;
    else if (separators.includes(character)) push("separator", at + 1, false);
    else if (character === "<") {
      const close = nextBracket(text, at + 1, to, "<>");
      if (text.charAt(close) !== ">") at++;
      else if (holdsAt(text, at, close)) push("angle", close + 1, true);
      else at = isTag(text, at + 1) ? close + 1 : at + 1;
    } else if (character === "(") {
      const close = nextBracket(text, at + 1, to, "()");
      if (text.charAt(close) === ")" && !holdsAt(text, at, close)) push("comment", close + 1, false);
      else at++;
    } else if (openers.includes(character)) {
      if (at < quotesOffUntil) {
        at++;
        continue;
      }
      const close = closingQuote(text, at + 1, to, character);
      if (close === -1) quotesOffUntil = to;
      const hasAt = close !== -1 && holdsAt(text, at, close);
      if (close === -1) at++;
      else if (!hasAt || text.charAt(skipBlanks(text, close + 1, to)) === "<")
        push("quoted", close + 1, hasAt);
      else {
        // The quotes enclose a whole entry: reads the content as if it had no quotes.
        quotesOffUntil = close + 1;
        at++;
      }
    } else if (brackets.includes(character)) at++;
    else {
      const end = wordEnd(text, at, to);
      const colon = colonBefore(text, at, end);
      if (colon > at) push("word", colon, false);
      push("word", end, holdsAt(text, at, end));
    }
  }
  return tokens;
}

const separators = ",;|\t\n\r\v\f\u0085\u2028\u2029，；、";
const openers = '"“„';
const brackets = ">)[]”«»";
// Any white space except the byte-order mark, which is an artefact within a word.
const wordBreak = /(?!\ufeff)[\s,;|\u0085，；、"“„”«»<>()[\]]/g;

function isBlank(character: string): boolean {
  return character === " " || (/(?!\ufeff)\s/.test(character) && !separators.includes(character));
}

function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charAt(at))) at++;
  return at;
}

function wordEnd(text: string, from: number, to: number): number {
  const end = nextBreak(text, from + 1, to);
  // ada@x,com has a comma in place of the dot.
  if (end >= to || text.charAt(end) !== ",") return end;
  const sign = text.slice(from, end).lastIndexOf("@") + from;
  if (sign < from || end === sign + 1 || text.slice(sign, end).includes(".")) return end;
  endings.lastIndex = end + 1;
  return endings.test(text) && endings.lastIndex <= to ? nextBreak(text, end + 1, to) : end;
}

function nextBreak(text: string, from: number, to: number): number {
  wordBreak.lastIndex = from;
  return Math.min(wordBreak.exec(text)?.index ?? to, to);
}

// "Grace:grace@x.com" is a name and an address; "mailto:grace@x.com" is not.
function colonBefore(text: string, from: number, to: number): number {
  const word = text.slice(from, to);
  const sign = word.indexOf("@");
  const colon = sign === -1 ? -1 : word.lastIndexOf(":", sign);
  // A URL is one word, whatever characters it has.
  const isUrl = word.startsWith("//", colon + 1);
  return colon < 1 || isUrl || word.includes("://") || isScheme.test(word.slice(0, colon))
    ? -1
    : from + colon;
}
const isScheme = /^['"‘“]?(?:mailto|e-?mail|mail|smtp|type|to|cc|bcc|from)$|=/i;

// HTML tags are in lower case; names in angle brackets are not.
const isTag = (text: string, from: number) => /^\/?[a-z]/.test(text.slice(from, from + 2));

/**
 * The next bracket of a pair before `to`, or `to`. Also stops at an opening bracket, so that no stretch is searched
 * twice.
 */
function nextBracket(text: string, from: number, to: number, pair: string): number {
  let at = from;
  while (at < to && !pair.includes(text.charAt(at))) at++;
  return at;
}

function closingQuote(text: string, from: number, to: number, open: string): number {
  const closing = open === '"' ? '"' : open === "“" ? "”" : "“”";
  for (let at = from; at < to; at++) {
    const character = text.charAt(at);
    if (character === "\\" && open === '"') at++;
    else if (closing.includes(character)) {
      if (open !== '"' || text.charAt(at + 1) !== '"' || at + 1 >= to) return at;
      at++;
    }
  }
  return -1;
}

const holdsAt = (text: string, from: number, to: number) => text.slice(from, to).includes("@");
