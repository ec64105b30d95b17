import { cleanName, isNothing, turnName } from "./clean-text";
import { rolesOfTitles } from "./column-titles";
import { readEntries } from "./entries";
import { type Findings, setStatus } from "./findings";
import { type JsonNode, JsonText } from "./json-text";
import type { Place, Role } from "./list-types";
import { statusOfWord, yesOrNo } from "./statuses";

type JsonObject = Extract<JsonNode, { kind: "object" }>;
type Walk = { found: Findings; ignored: Set<string>; roles: Map<string, Role[]> };

/** Reads JSON of any wrapping: arrays of people, of strings, people within objects. Null when it holds no person. */
export function readJson(
  found: Findings,
  start: number,
): { format: string; ignoredColumns: string[] } | null {
  const walk: Walk = { found, ignored: new Set(), roles: new Map() };
  const json = new JsonText(found.text, start);
  let values = 0;
  let firstKind = "";
  while (json.more()) {
    const node = json.value();
    if (!node) break;
    values++;
    if (values === 1) firstKind = node.kind;
    readNode(walk, node, true);
  }
  if (json.brokenAt !== null)
    found.problem("json_syntax", Math.min(json.brokenAt, lastUnread(found, json)), found.text.length);
  if (found.records.length === 0) return null;
  const format =
    values > 1 ? "JSON, one person after another" : firstKind === "array" ? "a JSON array" : "a JSON object";
  return { format, ignoredColumns: [...walk.ignored] };
}

// An object that breaks off is not read: the problem begins where it does.
function lastUnread(found: Findings, json: JsonText): number {
  const line = found.lines.lineAt(json.brokenAt ?? 0);
  return Math.max(found.lines.start(line), found.records.at(-1)?.address.to ?? 0);
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
    found.person(
      { from, to, quoting: "json" },
      entry?.name ?? "",
      [],
      whole || !entry ? node.value : address,
    );
    return;
  }
  for (const { address, again, name } of readEntries(found.text, from, to).people) {
    const person = found.person({ ...address, quoting: "json" }, name, []);
    if (again) person.again = { ...again, quoting: "json" };
  }
}

function readObject(walk: Walk, node: JsonObject, alone: boolean): void {
  const { found } = walk;
  const signature = node.keys.join("\n");
  let roles = walk.roles.get(signature);
  if (!roles) {
    roles = rolesOfTitles(node.keys);
    walk.roles.set(signature, roles);
  }
  const at = (role: Role) => roles.indexOf(role);
  const email = node.values[at("email")];
  if (email?.kind === "string" && node.complete) {
    const status = readStatus(walk, node, roles);
    const { name, names } = readName(found, node, at);
    const place: Place = { from: email.from, to: email.to, quoting: "json" };
    if (email.value.trim() === "") found.problem("json_item", node.from, node.to);
    else setStatus(found.person(place, name, names, email.value), status);
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

function readName(
  found: Findings,
  node: JsonObject,
  at: (role: Role) => number,
): { name: string; names: Place[] } {
  const read = (role: Role) => {
    const value = node.values[at(role)];
    if (value?.kind !== "string") return null;
    const word = cleanName(value.value);
    return {
      word: isNothing(word) ? "" : word,
      place: { from: value.from, to: value.to, quoting: "json" as const },
    };
  };
  const whole = read("name");
  if (whole) {
    const turned = turnName(whole.word);
    if (turned) found.note("name_turned", whole.place.from);
    return { name: turned ?? whole.word, names: [whole.place] };
  }
  const parts = [read("firstName"), read("lastName")].filter((part) => part !== null);
  const name = parts
    .map(({ word }) => word)
    .filter((word) => word !== "")
    .join(" ");
  return { name, names: parts.map(({ place }) => place) };
}

function readStatus(walk: Walk, node: JsonObject, roles: Role[]) {
  const index = roles.findIndex(
    (role) => role === "status" || role === "subscribed" || role === "unsubscribed",
  );
  const value = node.values[index];
  if (value?.kind !== "string" && value?.kind !== "other") return null;
  const answer = roles[index] === "status" ? null : yesOrNo(value.value);
  if (answer !== null) return answer === (roles[index] === "subscribed") ? null : "unsubscribed";
  const status = statusOfWord(value.value);
  if (!status && value.value !== "null") walk.found.note("status_unknown", value.from);
  return status;
}
