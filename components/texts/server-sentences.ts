/**
 * English sentences of the server, with their translations for the dashboard. `{name}` is any inserted value, `{count}`
 * a whole number: `"Enter at most {most} characters."`.
 */
export type ServerSentences = Record<string, string>;

type Pattern = { match: RegExp; names: string[]; translation: string };
type Reader = {
  exact: Map<string, string>;
  patterns: Pattern[];
  number: Intl.NumberFormat;
  known: Map<string, string>;
};

const NAMES = /\{(\w+)\}/;
const NUMBER = /^\d{1,3}(,\d{3})*$/;
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function patternOf([english, translation]: [string, string]): Pattern {
  const parts = english.split(NAMES);
  const source = parts.map((part, i) => {
    if (i % 2 === 0) return escaped(part);
    return part === "count" ? "([\\d,]+)" : "(.+?)";
  });
  return {
    match: new RegExp(`^${source.join("")}$`, "s"),
    names: parts.filter((_, i) => i % 2 === 1),
    translation,
  };
}

/** Creates a reader of sentences in one language, such as "de". */
export function serverSentencesReader(sentences: ServerSentences, language: string): Reader {
  const entries = Object.entries(sentences);
  const patterns = entries.filter(([english]) => NAMES.test(english)).map(patternOf);
  // The most specific (longest) pattern is tried first.
  patterns.sort((a, b) => b.match.source.length - a.match.source.length);
  return {
    exact: new Map(entries),
    patterns,
    number: new Intl.NumberFormat(language),
    known: new Map(),
  };
}

function translateWhole(text: string, reader: Reader): string | null {
  const exact = reader.exact.get(text);
  if (exact !== undefined) return exact;
  for (const { match, names, translation } of reader.patterns) {
    const found = match.exec(text);
    if (!found) continue;
    const values = new Map(names.map((name, i) => [name, found[i + 1] ?? ""]));
    return translation.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name) ?? "";
      if (NUMBER.test(value)) return reader.number.format(Number(value.replaceAll(",", "")));
      return translateWhole(value, reader) ?? value;
    });
  }
  return null;
}

/** Translates a text as a whole, otherwise sentence by sentence. A sentence without a translation stays English. */
export function translateServerText(text: string, reader: Reader): string {
  const known = reader.known.get(text);
  if (known !== undefined) return known;
  const translated =
    translateWhole(text, reader) ??
    text
      .split(/(?<=[.?!])\s+(?=[\p{Lu}\d])/u)
      .map((sentence) => translateWhole(sentence, reader) ?? sentence)
      .join(" ");
  reader.known.set(text, translated);
  return translated;
}

let current: Reader | null = null;

/** Sets the language of `fromServer` in the browser. @param reader null for English */
export function setServerSentences(reader: Reader | null): void {
  current = reader;
}

/**
 * Translates a text of the server to the reader's language. Such texts reach only the browser, in responses to its
 * calls, so one language for the whole page is enough.
 */
export const fromServer = (text: string): string => (current ? translateServerText(text, current) : text);
