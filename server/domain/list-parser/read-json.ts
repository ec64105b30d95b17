import { type ColumnRole, readPersonCells, rolesOfTitles } from "./column-titles";
import { readEntries } from "./entries";
import type { Findings } from "./findings";
import { type JsonNode, type JsonObject, readJsonValue } from "./json-nodes";
import { isStatusRole } from "./statuses";

type Walk = { found: Findings; ignored: Set<string>; roles: Map<string, ColumnRole[]> };

/** Reads JSON of any wrapping: arrays of people, of strings, people within objects, JSON Lines. */
export function readJsonList(found: Findings, start: number): { format: string; ignoredColumns: string[] } {
  const walk: Walk = { found, ignored: new Set(), roles: new Map() };
  const format = readJsonLines(walk, start) ?? readWhole(walk, start);
  return { format, ignoredColumns: [...walk.ignored] };
}

/** JSON Lines: the first line is a value of its own, and others follow. */
function readJsonLines(walk: Walk, start: number): string | null {
  const { lines, text } = walk.found;
  const first = lines.lineAt(start);
  const rest = text.slice(lines.end(first));
  if (rest.trim() === "" || readJsonValue(text.slice(start, lines.end(first)), start).brokenAt !== null)
    return null;
  for (let line = first; line < lines.count; line++) {
    const from = line === first ? start : lines.start(line);
    const json = text.slice(from, lines.end(line));
    if (json.trim() !== "") readValue(walk, json.replace(/[,;]\s*$/, ""), from);
  }
  return "JSON, one person after another";
}

function readWhole(walk: Walk, start: number): string {
  const { text } = walk.found;
  readValue(walk, text.slice(start), start);
  return text.charAt(start) === "[" ? "a JSON array" : "a JSON object";
}

function readValue(walk: Walk, json: string, start: number): void {
  const { found } = walk;
  const { node, brokenAt } = readJsonValue(json, start);
  if (node) readNode(walk, node, true);
  if (brokenAt === null) return;
  // An object that breaks off is not read: the problem begins on its line, after the last person.
  const line = found.lines.start(found.lines.lineAt(brokenAt));
  const from = Math.min(brokenAt, Math.max(line, found.records.at(-1)?.address.to ?? 0));
  found.problem("json_syntax", from, start + json.length);
}

function readNode(walk: Walk, node: JsonNode, alone: boolean): void {
  if (node.kind === "array") for (const item of node.items) readNode(walk, item, true);
  else if (node.kind === "object") readObject(walk, node, alone);
  else if (node.kind === "string" && node.value.includes("@")) readString(walk.found, node);
  else if (alone) walk.found.problem("json_item", node.from, node.to);
}

function readString(found: Findings, node: Extract<JsonNode, { kind: "string" }>): void {
  const { from, to } = node;
  if (found.text.slice(from, to).includes("\\")) {
    // Escapes have no place of their own: the whole string is the place, and is read as if it stood alone.
    const [entry, ...others] = readEntries(node.value, 0, node.value.length).people;
    const address = entry ? node.value.slice(entry.address.from, entry.address.to) : node.value;
    const whole = entry?.name === "" && others.length === 0;
    found.person({ from, to, quoting: "json" }, entry?.name ?? "", whole || !entry ? node.value : address);
  } else found.entries(readEntries(found.text, from, to).people, "json");
}

function readObject(walk: Walk, node: JsonObject, alone: boolean): void {
  const { found } = walk;
  const signature = node.keys.join("\n");
  let roles = walk.roles.get(signature);
  if (!roles) {
    roles = rolesOfTitles(node.keys);
    walk.roles.set(signature, roles);
  }
  const email = node.values[roles.indexOf("email")];
  if (email?.kind === "string" && node.complete) {
    const { from, to, value } = email;
    if (value.trim() === "") found.problem("json_item", node.from, node.to);
    else {
      const person = found.person({ from, to, quoting: "json" }, "", value);
      Object.assign(person, readPersonCells(found, roles, cellsOf(node, roles)));
    }
    for (const [index, role] of roles.entries())
      if (role === "ignored") walk.ignored.add(node.keys[index] ?? "");
    return;
  }
  const inner = node.values.filter(({ kind }) => kind === "array" || kind === "object");
  if (inner.length === 0 || (email && email.kind === "other")) {
    if (alone && node.complete) found.problem("json_item", node.from, node.to);
    return;
  }
  for (const [index, value] of node.values.entries()) {
    const before = found.records.length + found.problems.length;
    if (inner.includes(value)) readNode(walk, value, false);
    if (found.records.length + found.problems.length === before) walk.ignored.add(node.keys[index] ?? "");
  }
}

const cellsOf = (node: JsonObject, roles: ColumnRole[]) => (index: number) => {
  const value = node.values[index];
  const isAnswer = value?.kind === "other" && value.value !== "null" && isStatusRole(roles[index] ?? "");
  return value?.kind === "string" || isAnswer ? { text: value.value, from: value.from } : null;
};
