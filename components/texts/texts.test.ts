import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse as parseMessage, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { sourceTexts } from "../../server/test/source-texts";
import * as german from "./de";
import germanSentences from "./de/server.json";
import * as english from "./en";
import * as spanish from "./es";
import spanishSentences from "./es/server.json";
import * as french from "./fr";
import frenchSentences from "./fr/server.json";

type Tree = { [key: string]: string | Tree };

const flat = (tree: Tree, path: string[] = []): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[[...path, key].join("."), value] as [string, string]]
      : flat(value, [...path, key]),
  );

const texts = new Map(flat(english));
/** Stands for a value in a template. */
const VALUE = "\u0000";
const others = { de: german, fr: french, es: spanish };

/** Lists a message's arguments and tags, each once. */
function filledWith(message: string): string[] {
  const found = new Set<string>();
  const visit = (parts: ReturnType<typeof parseMessage>) => {
    for (const part of parts) {
      if (part.type === TYPE.literal || part.type === TYPE.pound) continue;
      found.add(part.type === TYPE.tag ? `<${part.value}>` : part.value);
      if (part.type === TYPE.tag) visit(part.children);
      if (part.type === TYPE.plural || part.type === TYPE.select)
        for (const option of Object.values(part.options)) visit(option.value);
    }
  };
  visit(parseMessage(message));
  return [...found].sort();
}

test.each(Object.entries(others))(
  "%s has every text of the English catalogue, with the same arguments",
  (_, tree) => {
    const translated = new Map(flat(tree as Tree));
    expect([...translated.keys()].sort()).toEqual([...texts.keys()].sort());
    const different = [...texts].filter(
      ([key, message]) => `${filledWith(message)}` !== `${filledWith(translated.get(key) as string)}`,
    );
    expect(different.map(([key]) => key)).toEqual([]);
  },
);

/** The screens that a file reads, and the keys that it may ask for, whichever screen they belong to. */
function usesIn(file: string) {
  const source = readFileSync(file, "utf8");
  const calls = /(?:\b(?:useTranslations|textsOfRequest|textsInEnglish)\(|\bTexts<)"?([\w.]*)/g;
  const screens = [...source.matchAll(calls)].map(([, screen]) => screen as string);
  if (source.includes("titledBy(")) screens.push("app");
  // A value ends a key: the rest may be any text.
  const literals = sourceTexts(file, VALUE).map(({ text }) => text.split(VALUE));
  const uses = literals.map(([key = "", ...rest]) => ({ key, isGroup: rest.length > 0 }));
  // A template without a fixed start counts only where a translator is called with it.
  const isAny = /\bt(?:[A-Z]\w*)?(?:\.\w+)?\(\s*`\$\{/.test(source);
  return { screens, uses: uses.filter(({ key }) => key !== "" || isAny) };
}

test("uses every text of the catalogue", () => {
  const list = ["ls-files", "-co", "--exclude-standard", "components", "app"];
  const files = execFileSync("git", list, { encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^components\/texts\/(de|en|es|fr)\//.test(file));
  const used = new Set<string>();
  for (const file of files) {
    const { screens, uses } = usesIn(file);
    for (const screen of screens)
      for (const { key, isGroup } of uses) {
        const whole = screen === "" ? key : `${screen}.${key}`;
        if (isGroup) for (const text of texts.keys()) if (text.startsWith(whole)) used.add(text);
        if (!isGroup) used.add(whole);
      }
  }
  expect([...texts.keys()].filter((key) => !used.has(key))).toEqual([]);
});

test("translates the server's sentences to every language, with the same values", () => {
  const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
  for (const sentences of [germanSentences, frenchSentences, spanishSentences]) {
    expect(Object.keys(sentences)).toEqual(Object.keys(germanSentences));
    expect(Object.entries(sentences).filter(([from, to]) => names(from) !== names(to))).toEqual([]);
  }
});
