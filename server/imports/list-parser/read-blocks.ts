import { applyNameCells, rolesOfTitles } from "./column-titles";
import type { Findings } from "./findings";
import type { LineIndex } from "./line-index";
import type { ColumnRole } from "./list-types";
import { SubscriptionCells } from "./subscription-cells";

/** A title and its value on one line: `mail: ada@x.com`, `cn:: Wm/Dqw==`, `  status: active`. */
type Field = { title: string; value: string; from: number; to: number };

const field = /^([ \t]*-[ \t]+|[ \t]*)([\p{L}][\p{L}\p{N}_ .;-]{0,39}?)[ \t]*(::?)(?:[ \t]+|$)/u;
const sampled = 60;

/** Whether the text consists of blocks: LDIF, YAML, or lines such as "Name: Ada" and "Email: …". */
export function startsBlock(lines: LineIndex): boolean {
  let fields = 0;
  let emails = 0;
  let others = 0;
  const titles = new Set<string>();
  for (let line = 0; line < Math.min(lines.count, sampled); line++) {
    const text = lines.text.slice(lines.start(line), Math.min(lines.end(line), lines.start(line) + 400));
    if (text.trim() === "" || /^\s*(?:#|---)/.test(text)) continue;
    const found = field.exec(text);
    if (!found) {
      // A folded line continues the previous one. A YAML heading has only a title.
      if (!/^[ \t]/.test(text)) others++;
      continue;
    }
    fields++;
    titles.add((found[2] ?? "").toLowerCase());
    if (text.includes("@") && !text.slice(0, found[0].length).includes("@")) emails++;
  }
  return emails > 0 && titles.size > 1 && fields > others * 4 && fields >= emails * 2;
}

/** Reads each block as a person. @returns whether any block has an address */
export function readBlocks(found: Findings): boolean {
  const { lines } = found;
  let block: Field[] = [];
  const close = () => {
    if (block.length > 0) readBlock(found, block);
    block = [];
  };
  for (let line = 0; line < lines.count; line++) {
    const from = lines.start(line);
    const to = lines.end(line);
    const text = found.text.slice(from, to);
    if (text.trim() === "") {
      close();
      continue;
    }
    if (/^\s*#/.test(text) || /^---\s*$/.test(text)) continue;
    const match = field.exec(text);
    const last = block.at(-1);
    if (!match) {
      if (/^[ \t]/.test(text) && last) last.value += text.trim();
      else {
        close();
        found.withoutAddress(from, to);
      }
      continue;
    }
    const [whole, indent = "", title = "", colon] = match;
    // A dash begins the next item. A repeated key begins the next block.
    if (
      indent.includes("-") ||
      (isKey(title) && block.some((one) => one.title === title && isKey(one.title)))
    )
      close();
    const written = text.slice(whole.length).trim();
    const start = from + whole.length + text.slice(whole.length).indexOf(written);
    const value = colon === "::" ? decoded(written) : written.replace(/^(["'])(.*)\1$/, "$2");
    const inset = value !== written && colon !== "::" ? 1 : 0;
    block.push({ title, value, from: start + inset, to: start + written.length - inset });
  }
  close();
  return found.records.length > 0;
}

const isKey = (title: string) => /^(?:dn|e-?mail.*|mail|name|id)$/i.test(title);

function readBlock(found: Findings, fields: Field[]): void {
  const titles = fields.map(({ title }) => title.replace(/;.*$/, ""));
  const roles = rolesOfTitles(titles.map((title) => ldap[title.toLowerCase()] ?? title));
  const email = fields[roles.indexOf("email")];
  if (!email?.value.includes("@")) {
    const [first, last] = [fields[0] as Field, fields.at(-1) as Field];
    const from = found.lines.start(found.lines.lineAt(first.from));
    // In YAML a title without a value is a heading.
    if (fields.length === 1 && first.value === "") found.headingAt(first.title);
    else found.withoutAddress(from, last.to);
    return;
  }
  const person = found.person({ from: email.from, to: email.to }, "", email.value);
  const textOf = (index: number) => fields[index]?.value ?? "";
  applyNameCells(found, person, roles, textOf);
  const columns = titles.map((title, index) => ({ title, role: roles[index] as ColumnRole }));
  const samples = (index: number) => [textOf(index)].filter((text) => text !== "");
  new SubscriptionCells(columns, samples, found.questions).read(textOf, person);
}

// Attributes of LDAP directories (RFC 4519).
const ldap: Record<string, string> = { cn: "name", sn: "surname", dn: "entry", displayname: "entry" };

function decoded(base64: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)),
    );
  } catch {
    return base64;
  }
}
