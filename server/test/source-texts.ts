import { readFileSync } from "node:fs";
import { parse } from "@babel/parser";

type Node = { type: string; loc: { start: { line: number } } } & Record<string, unknown>;
type SourceText = { place: string; text: string };

const SKIPPED = new Set(["loc", "leadingComments", "trailingComments", "innerComments"]);
const NO_TEXTS = /^(ImportDeclaration|TaggedTemplateExpression|TSLiteralType)$/;

/**
 * Collects string literals, templates and JSX texts of a source file. @param filling replaces each value in a template
 */
export function sourceTexts(file: string, filling: string): SourceText[] {
  const plugins: ("typescript" | "jsx")[] = file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"];
  const { program } = parse(readFileSync(file, "utf8"), { sourceType: "module", plugins });
  const texts: SourceText[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one);
    if (!value || typeof (value as Node).type !== "string") return;
    const node = value as Node;
    if (NO_TEXTS.test(node.type)) return;
    const text = textOf(node, filling);
    if (text !== null) texts.push({ place: `${file}:${node.loc.start.line}`, text });
    for (const key of Object.keys(node)) if (!SKIPPED.has(key)) visit(node[key]);
  };
  visit(program);
  return texts.map(({ place, text }) => ({ place, text: text.replace(/\s+/g, " ").trim() }));
}

function textOf(node: Node, filling: string): string | null {
  if (node.type === "StringLiteral" || node.type === "JSXText") return node.value as string;
  if (node.type !== "TemplateLiteral") return null;
  const quasis = node.quasis as { value: { cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join(filling);
}
