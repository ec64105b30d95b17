import { type ParseResult, parse } from "@babel/parser";

/** A small change of the code that a test should notice. `start`, `end`: its place in the text. */
export type Mutant = { start: number; end: number; replacement: string; kind: string };

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const operators: Record<string, string[]> = {
  "===": ["!=="],
  "!==": ["==="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
};
const methods: Record<string, string> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
  toLowerCase: "toUpperCase",
};
/** Calls that are left out: `list.filter(…)` becomes `list`. */
const droppable = new Set(["filter", "trim", "sort", "slice", "reverse", "normalize", "toSorted"]);
/** Changes of conditions and orders in raw statements. */
const sqlRules: [RegExp, string, string][] = [
  [/ AND /g, " OR ", "SQL: AND → OR"],
  [/ IS NULL/g, " IS NOT NULL", "SQL: IS NULL → IS NOT NULL"],
  [/ IS NOT NULL/g, " IS NULL", "SQL: IS NOT NULL → IS NULL"],
  [/ < /g, " <= ", "SQL: < → <="],
  [/ > /g, " >= ", "SQL: > → >="],
  [/ = /g, " <> ", "SQL: = → <>"],
  [/ DESC\b/g, " ASC", "SQL: DESC → ASC"],
];

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Every mutant of a TypeScript file, in the order of the text. Types, imports and messages of errors stay as they are. */
export function mutantsOf(code: string): Mutant[] {
  const found: Mutant[] = [];
  const add = (node: Node, replacement: string, kind: string) =>
    found.push({ start: node.start, end: node.end, replacement, kind });
  const textOf = (node: Node) => code.slice(node.start, node.end);

  function visit(node: Node, parent: Node | null): void {
    if (/^(TS(?!NonNull|As|Satisfies)|Import|ExportAll)/.test(node.type)) return;
    const { test, body, left, right, operator } = node as Node & Record<string, Node>;
    switch (node.type) {
      case "IfStatement":
      case "ConditionalExpression":
        for (const value of ["true", "false"]) add(test as Node, value, `condition → ${value}`);
        break;
      case "BinaryExpression":
      case "LogicalExpression":
        for (const other of operators[String(operator)] ?? []) {
          const between = code.slice((left as Node).end, (right as Node).start);
          // Texts are joined by +, and can't be subtracted.
          if (
            operator !== ("+" as unknown) ||
            !/StringLiteral|TemplateLiteral/.test(`${left?.type}${right?.type}`)
          )
            found.push({
              start: (left as Node).end,
              end: (right as Node).start,
              replacement: between.replace(String(operator), other),
              kind: `${operator} → ${other}`,
            });
        }
        break;
      case "UnaryExpression":
        if (node.operator === "!") add(node, textOf(node.argument as Node), "! left out");
        break;
      case "BooleanLiteral":
        add(node, String(!node.value), `${node.value} → ${!node.value}`);
        break;
      case "StringLiteral":
        if (node.value !== "" && parent?.type !== "ObjectProperty") add(node, '""', "text → empty");
        break;
      case "ArrayExpression":
        if ((node.elements as unknown[]).length > 0) add(node, "[]", "list → empty");
        break;
      case "OptionalMemberExpression":
        if (node.optional && !node.computed)
          add(node, `${textOf(node.object as Node)}.${textOf(node.property as Node)}`, "?. → .");
        break;
      case "ExpressionStatement":
        if ((node.expression as Node).type !== "StringLiteral") add(node, ";", "statement left out");
        break;
      case "FunctionDeclaration":
      case "ArrowFunctionExpression":
        if (body?.type === "BlockStatement" && (body.body as unknown as unknown[]).length > 0)
          add(body, "{}", "body → empty");
        break;
      case "RegExpLiteral": {
        const pattern = String(node.pattern);
        const flags = String(node.flags);
        if (pattern.startsWith("^")) add(node, `/${pattern.slice(1)}/${flags}`, "pattern: ^ left out");
        if (pattern.endsWith("$") && !pattern.endsWith("\\$"))
          add(node, `/${pattern.slice(0, -1)}/${flags}`, "pattern: $ left out");
        if (flags.includes("i")) add(node, `/${pattern}/${flags.replace("i", "")}`, "pattern: i left out");
        break;
      }
      case "CallExpression": {
        const callee = node.callee as Node;
        if (callee.type !== "MemberExpression" || callee.computed) break;
        const { object, property } = callee as Node & Record<string, Node>;
        const name = textOf(property as Node);
        if (droppable.has(name)) add(node, textOf(object as Node), `.${name}() left out`);
        if (methods[name]) add(property as Node, methods[name], `.${name} → .${methods[name]}`);
        break;
      }
      case "TemplateElement": {
        const raw = textOf(node);
        if (!/\b(SELECT|UPDATE|INSERT|DELETE|WHERE)\b/.test(code) || !/[A-Z]{2}/.test(raw)) break;
        for (const [pattern, replacement, kind] of sqlRules)
          for (const { index, 0: match } of raw.matchAll(pattern)) {
            const start = node.start + index;
            found.push({ start, end: start + match.length, replacement, kind });
          }
        break;
      }
    }
    // The texts of errors are left alone: tests of behaviour don't compare them.
    if (node.type === "NewExpression" && /Error$/.test(textOf(node.callee as Node))) return;
    for (const [key, value] of Object.entries(node)) {
      if (/^(loc|extra|typeAnnotation|returnType|typeParameters|typeArguments|.*omments)$/.test(key))
        continue;
      if (key === "key" && node.type === "ObjectProperty" && !node.computed) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node);
    }
  }
  const file: ParseResult = parse(code, { sourceType: "module", plugins: ["typescript", "jsx"] });
  visit(file.program as unknown as Node, null);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The code with one mutant in it. */
export const withMutant = (code: string, { start, end, replacement }: Mutant): string =>
  code.slice(0, start) + replacement + code.slice(end);
