import { visit } from "jsonc-parser";

/** A value with its place in the text. The place of a string excludes its quotes. */
export type JsonNode =
  | { kind: "string"; from: number; to: number; value: string }
  | { kind: "array"; from: number; to: number; items: JsonNode[] }
  | { kind: "object"; from: number; to: number; keys: string[]; values: JsonNode[]; complete: boolean }
  | { kind: "other"; from: number; to: number; value: string };
export type JsonObject = Extract<JsonNode, { kind: "object" }>;

/** The deepest level of arrays and objects. Reading them recursively needs a limit. */
const deepest = 64;

class JsonBroken extends Error {
  constructor(readonly at: number) {
    super("broken JSON");
  }
}

/**
 * Parses one JSON value with the places of its parts. Accepts trailing commas, and keeps the parsed part of broken
 * JSON. Never throws.
 * @param start offset of `json` in the whole text
 */
export function readJsonValue(
  json: string,
  start: number,
): { node: JsonNode | null; brokenAt: number | null } {
  const open: JsonNode[] = [];
  let root: JsonNode | null = null;
  const add = (node: JsonNode) => {
    const parent = open.at(-1);
    if (parent?.kind === "array") parent.items.push(node);
    else if (parent?.kind === "object") parent.values.push(node);
    else root = node;
  };
  const begin = (node: JsonNode, offset: number) => {
    if (open.length >= deepest) throw new JsonBroken(start + offset);
    add(node);
    open.push(node);
  };
  const end = (offset: number) => {
    const node = open.pop();
    if (node) node.to = start + offset + 1;
    if (node?.kind === "object") node.complete = true;
  };
  try {
    visit(
      json,
      {
        onObjectBegin: (offset) => {
          const from = start + offset;
          begin({ kind: "object", from, to: from, keys: [], values: [], complete: false }, offset);
        },
        onObjectProperty: (key) => {
          (open.at(-1) as JsonObject).keys.push(key);
        },
        onObjectEnd: end,
        onArrayBegin: (offset) => {
          const from = start + offset;
          begin({ kind: "array", from, to: from, items: [] }, offset);
        },
        onArrayEnd: end,
        onLiteralValue: (value, offset, length) => {
          const [from, to] = [start + offset, start + offset + length];
          if (typeof value === "string") add({ kind: "string", from: from + 1, to: to - 1, value });
          else add({ kind: "other", from, to, value: String(value) });
        },
        onError: (_, offset) => {
          throw new JsonBroken(start + offset);
        },
      },
      { allowTrailingComma: true, disallowComments: true },
    );
    return { node: root, brokenAt: null };
  } catch (error) {
    if (error instanceof JsonBroken) return { node: root, brokenAt: error.at };
    throw error;
  }
}
