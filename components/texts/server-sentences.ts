/**
 * Sentences that the server makes, in English, with what the dashboard's reader sees in place of each. `{name}` stands
 * for what is filled in: `"Enter at most {most} characters."`.
 */
export type ServerSentences = Record<string, string>;

type Pattern = { match: RegExp; names: string[]; translation: string };
type Reader = { exact: Map<string, string>; patterns: Pattern[]; known: Map<string, string> };

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function patternOf([english, translation]: [string, string]): Pattern {
  const parts = english.split(/\{(\w+)\}/);
  const source = parts.map((part, i) => (i % 2 === 1 ? "(.+?)" : escaped(part))).join("");
  return { match: new RegExp(`^${source}$`, "s"), names: parts.filter((_, i) => i % 2 === 1), translation };
}

function readerOf(sentences: ServerSentences): Reader {
  const entries = Object.entries(sentences);
  const patterns = entries.filter(([english]) => english.includes("{")).map(patternOf);
  // The pattern that says the most is tried first.
  patterns.sort((a, b) => b.match.source.length - a.match.source.length);
  return { exact: new Map(entries), patterns, known: new Map() };
}

function whole(text: string, reader: Reader): string | null {
  const exact = reader.exact.get(text);
  if (exact !== undefined) return exact;
  for (const { match, names, translation } of reader.patterns) {
    const found = match.exec(text);
    if (!found) continue;
    const values = new Map(names.map((name, i) => [name, found[i + 1] ?? ""]));
    return translation.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name) ?? "";
      return reader.exact.get(value) ?? value;
    });
  }
  return null;
}

/** Translates a text by its whole, otherwise sentence by sentence. A sentence without a translation stays English. */
export function translateSentences(text: string, reader: Reader): string {
  const kept = reader.known.get(text);
  if (kept !== undefined) return kept;
  const translated =
    whole(text, reader) ??
    text
      .split(/(?<=[.?!])\s+(?=\p{Lu})/u)
      .map((sentence) => whole(sentence, reader) ?? sentence)
      .join(" ");
  reader.known.set(text, translated);
  return translated;
}

let current: Reader | null = null;

/** Sets the language of `fromServer`, in the browser. @param sentences null for English */
export function setServerSentences(sentences: ServerSentences | null): void {
  current = sentences && readerOf(sentences);
}

/**
 * A text that the server made, in the reader's language. Such texts reach the browser only, in answers to its calls, so
 * that one language for all of the page is enough.
 */
export const fromServer = (text: string): string => (current ? translateSentences(text, current) : text);

/** For tests. */
export const sentencesReader = readerOf;
