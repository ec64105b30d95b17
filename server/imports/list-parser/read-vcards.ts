import { cleanName, isNothing } from "./clean-text";
import type { Findings } from "./findings";
import type { PastedPerson } from "./list-types";

type Card = {
  from: number;
  to: number;
  name: string;
  nameAt: { from: number; to: number } | null;
  formatted: boolean;
  people: PastedPerson[];
  /** Notes, categories and other properties besides names and addresses. */
  remarks: string[];
};

const property = /^(?:[A-Za-z0-9-]+\.)?([A-Za-z-]+)((?:;[^:"]*(?:"[^"]*")?)*):/;

/** Reads one person for each EMAIL of a vCard, named by FN or else N. @returns the ignored properties */
export function readVcards(found: Findings): string[] {
  const { text, lines } = found;
  const ignored = new Set<string>();
  let card: Card | null = null;
  for (let line = 0; line < lines.count; line++) {
    const from = lines.start(line);
    // A line that begins with a space continues the previous one.
    while (
      line + 1 < lines.count &&
      /^[ \t]\S/.test(text.slice(lines.start(line + 1), lines.start(line + 1) + 2))
    )
      line++;
    const to = lines.end(line);
    const head = property.exec(text.slice(from, Math.min(to, from + 300)));
    const key = head?.[1]?.toUpperCase() ?? "";
    if (key === "BEGIN" || key === "END") {
      closeCard(found, card);
      card =
        key === "BEGIN"
          ? { from, to, name: "", nameAt: null, formatted: false, people: [], remarks: [] }
          : null;
    } else if (!head || !card) {
      if (/[\p{L}\p{N}]/u.test(text.slice(from, Math.min(to, from + 2000))))
        found.problem("no_address", from, to);
    } else
      readProperty(found, card, { key, options: head[2] ?? "", from: from + head[0].length, to }, ignored);
  }
  closeCard(found, card);
  return [...ignored];
}

type Property = { key: string; options: string; from: number; to: number };

function readProperty(
  found: Findings,
  card: Card,
  { key, options, from, to }: Property,
  ignored: Set<string>,
): void {
  const written = found.text.slice(from, to);
  const value = /quoted-printable/i.test(options) ? decodeQuotedPrintable(written) : unescapeVcard(written);
  if (key === "EMAIL") {
    const start = from + (/^\s*(?:mailto:)?/i.exec(written)?.[0].length ?? 0);
    const address = value.trim().replace(/^mailto:/i, "");
    if (address !== "") card.people.push(found.person({ from: start, to }, "", address));
  } else if (key === "FN" && !card.formatted) {
    const name = cleanName(value);
    card.name = isNothing(name) || name.includes("@") ? "" : name;
    card.nameAt = { from, to };
    card.formatted = card.name !== "";
  } else if (key === "N" && !card.formatted) {
    const [last = "", first = ""] = written.split(/(?<!\\);/).map((part) => cleanName(unescapeVcard(part)));
    card.name = [first, last].filter((part) => part !== "").join(" ");
  } else if (!["VERSION", "N", "FN", "PRODID", "UID", "REV"].includes(key)) {
    ignored.add(key);
    if (key !== "PHOTO" && key !== "KEY") card.remarks.push(...value.slice(0, 2000).split(/[,;]/));
  }
}

function closeCard(found: Findings, card: Card | null): void {
  if (!card) return;
  for (const person of card.people) {
    person.name = card.name;
    found.remark([person], card.remarks);
  }
  if (card.people.length === 0)
    found.problem("no_address", card.nameAt?.from ?? card.from, card.nameAt?.to ?? card.to);
}

function unescapeVcard(written: string): string {
  const unfolded = written.replace(/(?:\r\n?|\n)[ \t]/g, "");
  return unfolded.replace(/\\(.)/g, (_, character: string) =>
    character === "n" || character === "N" ? " " : character,
  );
}

// vCard 2.1 of old phones encodes UTF-8 bytes.
function decodeQuotedPrintable(written: string): string {
  const bytes = written
    .replace(/=(?:\r\n?|\n)[ \t]?/g, "")
    .replace(/%/g, "%25")
    .replace(/=([0-9A-Fa-f]{2})/g, "%$1");
  try {
    return decodeURIComponent(bytes);
  } catch {
    return written;
  }
}
