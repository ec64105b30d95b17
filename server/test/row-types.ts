import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@babel/parser";
import type {
  Expression,
  Identifier,
  Node,
  Statement,
  StringLiteral,
  TemplateLiteral,
  TSType,
} from "@babel/types";

/** The kinds of values of a column, as JavaScript values. `any` is for types that these rules don't cover. */
export type Kind =
  | "string"
  | "number"
  | "boolean"
  | "bigint"
  | "date"
  | "bytes"
  | "array"
  | "object"
  | "null"
  | "any";
/** The columns of a row type, each with its possible kinds of values. */
export type Columns = Map<string, Set<Kind>>;
/** A raw statement in the source. `columns` is null without a row type. */
export type Site = {
  file: string;
  line: number;
  text: string;
  returnsRows: boolean;
  columns: Columns | null;
};

type Declarations = {
  file: string;
  types: Map<string, TSType>;
  imports: Map<string, { file: string; name: string }>;
};

const files = new Map<string, { program: Statement[]; declarations: Declarations }>();

function read(file: string) {
  const known = files.get(file);
  if (known) return known;
  const program = parse(readFileSync(file, "utf8"), { sourceType: "module", plugins: ["typescript"] }).program
    .body;
  const declarations: Declarations = { file, types: new Map(), imports: new Map() };
  for (const statement of program) declare(statement, declarations);
  const found = { program, declarations };
  files.set(file, found);
  return found;
}

function declare(statement: Node | null | undefined, into: Declarations): void {
  if (!statement) return;
  if (statement.type === "ExportNamedDeclaration") declare(statement.declaration, into);
  if (statement.type === "TSTypeAliasDeclaration")
    into.types.set(statement.id.name, statement.typeAnnotation);
  if (statement.type !== "ImportDeclaration" && statement.type !== "ExportNamedDeclaration") return;
  if (!statement.source || !/^\./.test(statement.source.value)) return;
  const file = `${resolve(dirname(into.file), statement.source.value)}.ts`;
  const textOfName = (name: Identifier | StringLiteral) =>
    name.type === "Identifier" ? name.name : name.value;
  for (const one of statement.specifiers) {
    if (one.type === "ImportSpecifier")
      into.imports.set(one.local.name, { file, name: textOfName(one.imported) });
    // A module of shared queries exports the types of its query files again.
    if (one.type === "ExportSpecifier")
      into.imports.set(textOfName(one.exported), { file, name: one.local.name });
  }
}

const SIMPLE: Record<string, Kind> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSArrayType: "array",
  TSTypeLiteral: "object",
};
const NAMED: Record<string, Kind> = { Date: "date", Record: "object" };

/** Finds the type with a name, and its file; null for built-in types and types of packages. */
function lookUp(name: string, from: Declarations): { type: TSType; from: Declarations } | null {
  const own = from.types.get(name);
  if (own) return { type: own, from };
  const imported = from.imports.get(name);
  return imported ? lookUp(imported.name, read(imported.file).declarations) : null;
}

const nameOf = (type: TSType) =>
  type.type === "TSTypeReference" && type.typeName.type === "Identifier" ? type.typeName.name : null;

function kindsOf(type: TSType, from: Declarations): Kind[] {
  const simple = SIMPLE[type.type];
  if (simple) return [simple];
  if (type.type === "TSUnionType") return type.types.flatMap((one) => kindsOf(one, from));
  if (type.type === "TSLiteralType" && type.literal.type === "StringLiteral") return ["string"];
  if (type.type === "TSLiteralType" && type.literal.type === "BooleanLiteral") return ["boolean"];
  if (type.type === "TSLiteralType") return ["number"];
  const name = nameOf(type);
  if (name === null) return ["any"];
  if (NAMED[name]) return [NAMED[name]];
  const found = lookUp(name, from);
  return found ? kindsOf(found.type, found.from) : ["any"];
}

/** Returns the string literals of a literal or a union. */
function keysOf(type: TSType | undefined): string[] {
  if (type?.type === "TSUnionType") return type.types.flatMap(keysOf);
  return type?.type === "TSLiteralType" && type.literal.type === "StringLiteral" ? [type.literal.value] : [];
}

const generated = (model: string) =>
  fileURLToPath(new URL(`../platform/db/generated/models/${model}.ts`, import.meta.url));

/** Returns the columns of a model's type, such as Prisma.TagGetPayload<object>; null for other types. */
function columnsOfModel(type: TSType): Columns | null {
  if (type.type !== "TSTypeReference" || type.typeName.type !== "TSQualifiedName") return null;
  const model = type.typeName.right.name.replace("GetPayload", "");
  const { declarations } = read(generated(model));
  // type $TagPayload = { scalars: GetPayloadResult<{ name: string … }, …> … }
  const payload = declarations.types.get(`$${model}Payload`);
  const members = payload?.type === "TSTypeLiteral" ? payload.members : [];
  for (const member of members) {
    if (member.type !== "TSPropertySignature" || (member.key as Identifier).name !== "scalars") continue;
    const scalars = argumentsOf(member.typeAnnotation?.typeAnnotation as TSType)[0];
    if (scalars) return columnsOf(scalars, declarations);
  }
  throw new Error(`the columns of ${model} are not in the generated client`);
}

/** Returns the types between the angle brackets of a type. */
const argumentsOf = (type: TSType) =>
  (type as { typeParameters?: { params: TSType[] } | null }).typeParameters?.params ?? [];

/**
 * Returns the columns of a row type: a literal, a model, or a combination by `&`, `|`, Omit and Pick. @throws Error for
 * anything else
 */
function columnsOf(type: TSType, from: Declarations): Columns {
  const columns: Columns = new Map();
  const add = (more: Columns) => {
    for (const [name, kinds] of more) columns.set(name, new Set([...(columns.get(name) ?? []), ...kinds]));
  };
  if (type.type === "TSParenthesizedType") return columnsOf(type.typeAnnotation, from);
  if (type.type === "TSTypeLiteral") {
    for (const member of type.members) {
      if (member.type !== "TSPropertySignature" || member.key.type !== "Identifier" || !member.typeAnnotation)
        continue;
      columns.set(member.key.name, new Set(kindsOf(member.typeAnnotation.typeAnnotation as TSType, from)));
    }
    return columns;
  }
  if (type.type === "TSIntersectionType" || type.type === "TSUnionType") {
    const parts = type.types.map((part) => columnsOf(part, from));
    for (const part of parts) add(part);
    // A union's rows have all columns. A column that one of its types lacks is null there.
    if (type.type === "TSUnionType")
      for (const [column, kinds] of columns) if (parts.some((part) => !part.has(column))) kinds.add("null");
    return columns;
  }
  const model = columnsOfModel(type);
  if (model) return model;
  const name = nameOf(type);
  const [first, second] = argumentsOf(type);
  if (first && (name === "Omit" || name === "Pick")) {
    const keys = new Set(keysOf(second));
    return new Map([...columnsOf(first, from)].filter(([column]) => keys.has(column) === (name === "Pick")));
  }
  const found = name ? lookUp(name, from) : null;
  if (!found) throw new Error(`${from.file}: the row type ${name ?? type.type} cannot be read`);
  return columnsOf(found.type, found.from);
}

/** Joins the text between the parameters. It is the same in the source and at run time. */
export const textOf = (strings: readonly string[]) => strings.join("\u0000");

/** Lists all `$queryRaw` and `$executeRaw` calls of a file. @throws Error for a call that is not a tagged template */
export function rawStatements(file: string): Site[] {
  const { program, declarations } = read(file);
  const sites: Site[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const site = siteOf(node as Node, declarations);
    if (site) sites.push(site);
    for (const [key, value] of Object.entries(node)) if (key !== "loc") visit(value);
  };
  visit(program);
  return sites;
}

const methodOf = (tag: Expression | { type: string }) => {
  const { property } = tag as { property?: { name?: string } };
  return property?.name && /^\$(query|execute)Raw/.test(property.name) ? property.name : null;
};

function siteOf(node: Node, declarations: Declarations): Site | null {
  const { file } = declarations;
  const line = node.loc?.start.line ?? 0;
  if (node.type === "CallExpression" && methodOf(node.callee))
    throw new Error(`${file}:${line}: write the statement as a tagged template, so that it can be checked`);
  if (node.type !== "TaggedTemplateExpression") return null;
  const method = methodOf(node.tag);
  if (!method) return null;
  const quasi: TemplateLiteral = node.quasi;
  const text = textOf(quasi.quasis.map(({ value }) => value.cooked ?? value.raw));
  const list = (node as { typeParameters?: { params: TSType[] } }).typeParameters?.params[0];
  const row =
    list?.type === "TSArrayType"
      ? list.elementType
      : list?.type === "TSTupleType"
        ? (list.elementTypes[0] as TSType)
        : null;
  const named = row && row.type !== "TSUnknownKeyword" && row.type !== "TSObjectKeyword";
  return {
    file,
    line,
    text,
    returnsRows: method === "$queryRaw",
    columns: named ? columnsOf(row, declarations) : null,
  };
}
