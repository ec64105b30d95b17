import { nameColumns, readName, rolesOfTitles } from "./column-titles";
import type { Findings } from "./findings";
import type { ColumnRole } from "./list-types";
import { SubscriptionCells } from "./subscription-cells";

type Leaf = { title: string; from: number; to: number };
type Open = { name: string; from: number; leaves: Leaf[]; hasChildren: boolean };

const tag = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** XML, not a line that begins with an address in angle brackets, nor a web page. */
export function looksLikeXml(text: string, start: number): boolean {
  const head = text.slice(start, start + 4000);
  if (/<(?:html|body|div|span|ul|ol|li|table|tr|td|p|a|br)\b/i.test(head)) return false;
  return /^<(?:\?xml|[A-Za-z_][\w:.-]*[\s>/])/.test(head) && /<\/[A-Za-z_]|\/>/.test(head);
}

/** Reads elements that hold an address beside other elements or attributes. @returns whether there was any */
export function readXmlList(found: Findings): boolean {
  const { text } = found;
  const open: Open[] = [];
  let after = 0;
  for (const match of text.matchAll(tag)) {
    const [whole, closing, name = "", attributes = "", alone] = match;
    if (closing) {
      const element = open.at(-1);
      if (element?.name === name) {
        open.pop();
        const parent = open.at(-1);
        if (!element.hasChildren && element.leaves.length === 0)
          parent?.leaves.push({ title: localName(name), ...trimmed(text, after, match.index) });
        else if (!readElement(found, element)) parent?.leaves.push(...element.leaves);
      }
    } else {
      const parent = open.at(-1);
      if (parent) parent.hasChildren = true;
      const from = match.index + 1 + name.length;
      const element: Open = {
        name,
        from: match.index,
        leaves: leavesOf(attributes, from),
        hasChildren: false,
      };
      if (!alone) open.push(element);
      else if (!readElement(found, element)) parent?.leaves.push(...element.leaves);
    }
    after = match.index + whole.length;
  }
  return found.records.length > 0;
}

const localName = (name: string) => name.slice(name.indexOf(":") + 1);

function leavesOf(attributes: string, from: number): Leaf[] {
  return [...attributes.matchAll(attribute)].map(
    ({ 0: whole, 1: title = "", 2: double, 3: single, index }) => {
      const value = double ?? single ?? "";
      const start = from + index + whole.length - value.length - 1;
      return { title: localName(title), from: start, to: start + value.length };
    },
  );
}

function trimmed(text: string, from: number, to: number): { from: number; to: number } {
  const inner = text.slice(from, to);
  const start = from + inner.length - inner.trimStart().length;
  return { from: start, to: Math.max(start, start + inner.trim().length) };
}

function readElement(found: Findings, { leaves }: Open): boolean {
  const value = (index: number) => found.text.slice(leaves[index]?.from, leaves[index]?.to);
  const roles = rolesOfTitles(leaves.map(({ title }) => title));
  const index = roles.indexOf("email");
  const email = leaves[index];
  if (!email?.to || !value(index).includes("@")) return false;
  const person = found.person({ from: email.from, to: email.to, quoting: "bare" }, "");
  person.name = readName(found, nameColumns(roles), {
    text: value,
    from: (at) => leaves[at]?.from ?? 0,
  });
  const columns = leaves.map(({ title }, at) => ({ title, role: roles[at] as ColumnRole }));
  new SubscriptionCells(columns, (at) => (value(at) === "" ? [] : [value(at)]), found.questions).read(
    value,
    person,
  );
  return true;
}
