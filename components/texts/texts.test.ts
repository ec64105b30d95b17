import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parse } from "@babel/parser";
import { parse as parseMessage, TYPE } from "@formatjs/icu-messageformat-parser";
import { expect, test } from "vitest";
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

type Node = { type: string; loc: { start: { line: number } } } & Record<string, unknown>;
type Use = { key: string; isGroup: boolean };

const calledTranslator = /^(useTranslations|textsOfRequest|textsInEnglish)$/;

/** `t("…")`, `tOther("…")`, `t.rich("…")` */
const isTranslator = (callee: Node): boolean =>
  callee.type === "MemberExpression"
    ? isTranslator(callee.object as Node)
    : /^t([A-Z]\w*)?$/.test(String(callee.name));

/** The start of a key: all of a literal, or what stands before the first value of a template. */
function keyOf(node: Node | undefined): Use | null {
  if (node?.type === "StringLiteral") return { key: node.value as string, isGroup: false };
  if (node?.type !== "TemplateLiteral") return null;
  const [first] = node.quasis as { value: { cooked: string } }[];
  return { key: first?.value.cooked ?? "", isGroup: true };
}

/** The screens that a file reads, and the keys that it asks for, whichever screen they belong to. */
function usesIn(file: string): { screens: Set<string>; uses: Use[] } {
  const plugins: ("typescript" | "jsx")[] = file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"];
  const { program } = parse(readFileSync(file, "utf8"), { sourceType: "module", plugins });
  const screens = new Set<string>();
  const uses: Use[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!value || typeof (value as Node).type !== "string") return;
    const node = value as Node;
    const use = keyOf(node);
    // A template without a fixed start may be anything; below it counts where a translator is called with it.
    if (use?.key) uses.push(use);
    if (node.type === "CallExpression" && isTranslator(node.callee as Node)) {
      const asked = keyOf((node.arguments as Node[])[0]);
      if (asked?.key === "") uses.push(asked);
    }
    if (node.type === "CallExpression" && (node.callee as Node).name === "titledBy") screens.add("app");
    if (node.type === "CallExpression" && calledTranslator.test(String((node.callee as Node).name))) {
      const screen = keyOf((node.arguments as Node[])[0]);
      screens.add(screen?.key ?? "");
    }
    if (node.type === "TSTypeReference" && (node.typeName as Node).name === "Texts") {
      const [of] = ((node.typeParameters ?? node.typeArguments) as { params: Node[] }).params;
      screens.add(((of?.literal as Node | undefined)?.value as string | undefined) ?? "");
    }
    for (const key of Object.keys(node)) if (!/^(loc|.*Comments)$/.test(key)) visit(node[key]);
  };
  visit(program);
  return { screens, uses };
}

test("every text of the catalogue is used", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "components", "app"], {
    encoding: "utf8",
  })
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

test("the server's sentences are the same in every language, with the same values", () => {
  const names = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort().join();
  for (const sentences of [germanSentences, frenchSentences, spanishSentences]) {
    expect(Object.keys(sentences)).toEqual(Object.keys(germanSentences));
    expect(Object.entries(sentences).filter(([from, to]) => names(from) !== names(to))).toEqual([]);
  }
});
