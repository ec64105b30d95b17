// Test material: reads the sample files and describes a reading in their format.

import type { Override } from "../list-types";
import { parseList } from "../parse-list";

/** `source` is the text with its escapes, as in the file; `gives` are the lines of the expected reading. */
export type Sample = { title: string; source: string; text: string; gives: string[] };

/** A sample: `=== title`, the pasted text, `--- format`, then the expected reading. */
export function parseSamples(file: string): Sample[] {
  return file
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [title = "", ...lines] = block.replace(/\n+$/, "\n").split("\n");
      const end = lines.findIndex((line) => line.startsWith("--- "));
      const source = lines.slice(0, end === -1 ? -1 : end).join("\n");
      const given = end === -1 ? [] : lines.slice(end).filter((line) => line !== "");
      return { title, source, text: unescapeSample(source), gives: given };
    });
}

function unescapeSample(source: string): string {
  return source.replace(/\\(?:u([0-9a-f]{4})|([trn\\]))/g, (_, hex: string | undefined, letter: string) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ({ t: "\t", r: "\r", n: "\n" }[letter] ?? "\\"),
  );
}

/** Describes a reading in the format of the samples: `line:column address | name | status`, `! line code`, `~ note`. */
export function describeReading(text: string, override?: Override): string[] {
  const list = parseList(text, override);
  const format = list.delimiter ? `table by ${JSON.stringify(list.delimiter)}` : list.shape;
  const header = list.headerLine === null ? "" : `, header on line ${list.headerLine}`;
  const titles = list.columns
    .filter(({ role, empty }) => role === "ignored" && !empty)
    .map(({ title }) => title);
  const ignoring = [...titles, ...list.ignoredKeys];
  const ignored = ignoring.length > 0 ? `, ignoring ${ignoring.join(", ")}` : "";
  const people = list.records.map(({ line, address, endLine, email, name, status, leaving, asked }) => {
    const column = address.from - list.lines.start(line - 1) + 1;
    const place = endLine ? `${line}-${endLine}:${column}` : `${line}:${column}`;
    const says = leaving ? leaving.reason : asked ? `asked ${asked.join(", ")}` : status;
    return [`${place} ${email}`, name || "-", ...(says ? [says] : [])].join(" | ");
  });
  return [
    `--- ${format}${header}${ignored}`,
    ...people,
    ...list.problems.map(({ line, code, text: shown }) => `! ${line} ${code}: ${shown.split(/[\r\n]/)[0]}`),
    ...list.notes.map(({ code, lines }) => `~ ${code} on ${lines.join(", ")}`),
  ];
}
