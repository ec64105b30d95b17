import { applyNameCells, roleOfTitle, rolesOfTitles } from "./column-titles";
import { readEntries } from "./entries";
import type { Findings } from "./findings";
import { type JsonNode, type JsonObject, readJsonValue } from "./json-nodes";
import type { ColumnRole, ListColumn } from "./list-types";
import { SubscriptionCells } from "./subscription-cells";

type Walk = { found: Findings; ignored: Set<string>; readers: Map<string, Reader> };
/** The reading of objects with the same keys. */
type Reader = { roles: ColumnRole[]; subscriptions: SubscriptionCells };
/** A scalar value of an object or of its nested objects. */
type Leaf = { key: string; text: string; node: JsonNode };

/**
 * Reads any JSON list: arrays of people or strings, people in nested objects, JSON Lines.
 * @returns the ignored keys
 */
export function readJsonList(found: Findings, start: number): string[] {
  const walk: Walk = { found, ignored: new Set(), readers: new Map() };
  if (!readJsonLines(walk, start)) readValue(walk, found.text.slice(start), start);
  return [...walk.ignored];
}

/** @returns false unless the first line is a complete value and more lines follow */
function readJsonLines(walk: Walk, start: number): boolean {
  const { lines, text } = walk.found;
  const first = lines.lineAt(start);
  const rest = text.slice(lines.end(first));
  if (rest.trim() === "" || readJsonValue(text.slice(start, lines.end(first)), start).brokenAt !== null)
    return false;
  for (let line = first; line < lines.count; line++) {
    const from = line === first ? start : lines.start(line);
    const json = text.slice(from, lines.end(line));
    if (json.trim() !== "") readValue(walk, json.replace(/[,;]\s*$/, ""), from);
  }
  return true;
}

function readValue(walk: Walk, json: string, start: number): void {
  const { found } = walk;
  const { node, brokenAt } = readJsonValue(json, start);
  if (node) readNode(walk, node, true);
  if (brokenAt === null) return;
  // Incomplete objects are not read, so the problem begins on their line, after the last person.
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
    // The address in a string with escapes has no offsets of its own, so the place is the whole string.
    const [entry, ...others] = readEntries(node.value, 0, node.value.length);
    const address = entry ? node.value.slice(entry.address.from, entry.address.to) : node.value;
    const whole = entry?.name === "" && others.length === 0;
    const name = found.turned(entry?.name ?? "", from);
    found.person({ from, to }, name, whole || !entry ? node.value : address);
  } else found.entries(readEntries(found.text, from, to));
}

function readObject(walk: Walk, node: JsonObject, alone: boolean): void {
  const { found } = walk;
  const leaves = leavesOf(node, "", 0);
  const reader = readerOf(walk, leaves);
  const email = leaves[reader.roles.indexOf("email")]?.node;
  if (email?.kind === "string" && node.complete) {
    const { from, to, value } = email;
    if (value.trim() === "") {
      found.problem("json_item", node.from, node.to);
      return;
    }
    const person = found.person({ from, to }, "", value);
    applyNameCells(found, person, reader.roles, (index) =>
      leaves[index]?.node.kind === "string" ? leaves[index].text : "",
    );
    reader.subscriptions.read((index) => leaves[index]?.text ?? "", person);
    for (const [index, role] of reader.roles.entries())
      if (role === "ignored") walk.ignored.add(leaves[index]?.key ?? "");
    return;
  }
  const inner = node.values.filter(({ kind }) => kind === "array" || kind === "object");
  if (inner.length === 0 || (email && email.kind === "other")) {
    if (alone && node.complete) found.problem("json_item", node.from, node.to);
    return;
  }
  readInner(walk, node, inner);
}

/**
 * Reads nested values. {"unsubscribed": [people]} and {"list": "Unsubscribed", "members": [people]} apply to all people
 * in them.
 */
function readInner(walk: Walk, node: JsonObject, inner: JsonNode[]): void {
  const { found } = walk;
  const above = found.heading;
  for (const value of node.values) if (value.kind === "string") found.headingAt(value.value);
  const own = found.heading;
  for (const [index, value] of node.values.entries()) {
    const before = found.records.length + found.problems.length;
    const key = node.keys[index] ?? "";
    if (inner.includes(value)) {
      found.headingAt(key);
      readNode(walk, value, false);
      found.heading = own;
    }
    if (found.records.length + found.problems.length === before) walk.ignored.add(key);
  }
  found.heading = above;
}

const deepestLeaf = 4;

function leavesOf(node: JsonObject, path: string, depth: number): Leaf[] {
  return node.values.flatMap((value, index): Leaf[] => {
    const key = node.keys[index] ?? "";
    const title = path === "" ? key : `${path} ${key}`;
    if (value.kind === "object") return depth < deepestLeaf ? leavesOf(value, title, depth + 1) : [];
    const text = textOf(value, depth);
    // Accepts a known title in a nested object, {"merge_fields": {"FNAME": "Ada"}}, but not {"tier": {"name": "Free"}}.
    const known = path !== "" && ["email", "firstName", "lastName"].includes(roleOfTitle(key) ?? "");
    return [{ key: known ? key : title, text, node: value }];
  });
}

function textOf(value: JsonNode, depth: number): string {
  if (value.kind === "string") return value.value;
  if (value.kind === "array" || value.kind === "object") {
    const items = value.kind === "array" ? value.items : value.values;
    return depth > deepestLeaf ? "" : items.map((item) => textOf(item, depth + 1)).join(", ");
  }
  return value.kind === "other" && value.value !== "null" ? value.value : "";
}

function readerOf(walk: Walk, leaves: Leaf[]): Reader {
  const signature = leaves.map(({ key }) => key).join("\n");
  let reader = walk.readers.get(signature);
  if (!reader) {
    const roles = rolesOfTitles(leaves.map(({ key }) => key));
    // {"address": "ada@x.com"}: the title is unknown, but the value is an address.
    const address = leaves.findIndex(
      ({ node, text }) => node.kind === "string" && /^[^\s@<>]+@[^\s@<>]+$/.test(text),
    );
    if (!roles.includes("email") && address !== -1) roles[address] = "email";
    // An object without an address is not a person.
    const ofPerson = roles.includes("email") ? leaves : [];
    const columns = ofPerson.map(
      ({ key }, index): ListColumn => ({ title: key, role: roles[index] ?? "ignored" }),
    );
    const samples = (index: number) => (leaves[index]?.text ? [leaves[index].text] : []);
    const subscriptions = new SubscriptionCells(columns, samples, walk.found.questions);
    reader = { roles, subscriptions };
    walk.readers.set(signature, reader);
  }
  return reader;
}
