import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { parse as parseMessage, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
import { readImports } from "../../server/test/borders";
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
  if (source.includes("titledBy(")) screens.push("");
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

/** The files that a page loads at first, from a file of it. What it imports by a call loads later. */
function firstFiles(from: string, imports: ReturnType<typeof readImports>): Set<string> {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file) || !/^(app|components)\//.test(file) || file.startsWith("components/texts/")) return;
    found.add(file);
    const source = readFileSync(file, "utf8");
    const isCalled = (to: string) => source.includes(`/${to.split("/").at(-1)?.split(".")[0]}")`);
    const stated = imports.filter((one) => one.from === file && !one.isType && !isCalled(one.to));
    for (const { to } of stated) visit(to);
  };
  visit(from);
  return found;
}

const screensIn = (file: string) =>
  Array.from(
    readFileSync(file, "utf8").matchAll(/useTranslations\("(\w+)/g),
    ([, screen]) => screen as string,
  );

test("each page has the texts of the screens that it shows at first", () => {
  const imports = readImports(process.cwd());
  const pages = [...new Set(imports.map(({ from }) => from))].filter((file) =>
    /^app\/.*(page|layout)\.tsx$/.test(file),
  );
  const declared = (file: string) =>
    Array.from(
      (existsSync(file) ? readFileSync(file, "utf8") : "").matchAll(/(?:withTexts\(|of=\{)\[([^\]]*)\]/g),
      ([, names = ""]) => names.match(/\w+/g) ?? [],
    ).flat();
  const missing = pages.flatMap((page) => {
    const folders = page.split("/").slice(0, -1);
    const layouts = folders.map((_, i) => `${folders.slice(0, i + 1).join("/")}/layout.tsx`);
    const has = new Set(["ui", "shell", ...declared(page), ...layouts.flatMap(declared)]);
    const shown = [...firstFiles(page, imports)].flatMap(screensIn);
    return [...new Set(shown)].filter((screen) => !has.has(screen)).map((screen) => `${page}: ${screen}`);
  });
  expect(missing).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});
