import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withDomain } from "./address-fixes";
import { fixAddress } from "./edits";
import type { Override, PastedList, PastedPerson } from "./list-types";
import { parseList } from "./parse-list";
import {
  anyPeople,
  anyWriters,
  applyEdits,
  bareWriters,
  email,
  type Person,
  plainPeople,
  plainWriters,
} from "./testing/people";

const people = (list: PastedList): Person[] =>
  list.records.map(({ email: address, name }) => ({ email: address, name }));
const nameless = (list: Person[]) => list.map((person) => ({ ...person, name: "" }));
const all = (list: Person[]) => list;
const formats = [
  { writers: anyWriters, lists: anyPeople, keep: all },
  { writers: plainWriters, lists: plainPeople, keep: all },
  { writers: bareWriters, lists: plainPeople, keep: nameless },
].flatMap(({ writers, ...more }) =>
  Object.entries(writers).map(([format, write]) => ({ format, write, ...more })),
);

const overrides: Override[] = [
  {},
  ...(["lines", "pairs", "table", "json", "vcard"] as const).map((shape) => ({ shape })),
  ...(["\t", ",", ";", "|"] as const).map((delimiter) => ({ delimiter })),
  { delimiter: ",", header: true, columns: ["ignored", "email", "name", "status"] },
  { header: true },
];
const fragment = fc.constantFrom(
  ..."\n \r \r\n \t , ; | < > ( ) [ ] { } : \" ' ` \\ @ . - * # \ufeff \u200b \u00a0 \u2028 \u000b \ud800 é 太 1 0".split(
    " ",
  ),
  ..."ada ada@x.com email name status active mailto: EMAIL: FN: null “ ” „".split(" "),
  ...[" ", "Ada Lovelace", "BEGIN:VCARD\n", '":"'],
);
const garbage = fc.oneof(
  fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
);

const words = [
  "Ada Grace Lovelace Lovelace, Hopper Will Smith An Nguyen O'Neill Anne-Marie J. Zoë 太郎 Dr. PhD Jr.",
  "Hi Dear hello Hallo Thanks Please Also please add also the for to our new us contact write Bitte auch",
  "email Name To From: null N/A none unknown *** -- - ... 7 1. x [VIP] (VIP) VIP: via 'Ada' =?utf-8?Q?A?=",
  "unsubscribed bounced Abgemeldet Friends & | ; // a.b.c a@",
].flatMap((line) => line.split(" "));
/** Lines like Ada <ada@x.com>, with words that may be no name. */
const commonLine = fc
  .record({
    parts: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }),
    gap: fc.constantFrom(" ", " ", " ", "-", "  "),
    write: fc.constantFrom(
      (name: string) => `${name} <a@x.org>`,
      (name: string) => `${name} <a@x.org>;`,
      (name: string) => `"${name}" <a@x.org>`,
      (name: string) => `"${name}"<a@x.org>,`,
      (name: string) => `- ${name} <a@x.org>`,
      (name: string) => `To: "${name}" <a@x.org>`,
      () => "a@x.org",
    ),
  })
  .map(({ parts, gap, write }) => write(parts.join(gap)));

/** The text from a line and column on. */
function at(text: string, line: number, column: number): string {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((found) => found.index + found[0].length)];
  return text.slice((starts[line - 1] ?? Number.NaN) + column - 1);
}

describe("parseList", () => {
  describe.each(formats)("$format", ({ write, lists, keep }) => {
    it("reads back what was written", () => {
      fc.assert(
        fc.property(lists, (list) => {
          const read = parseList(write(list));
          expect(people(read)).toEqual(keep(list));
          expect(read.problems).toEqual([]);
        }),
      );
    });

    it("corrects one address, or a domain in all addresses, and changes nothing else", () => {
      fc.assert(
        fc.property(lists, fc.nat(), email, (list, pick, address) => {
          const text = write(list);
          const { records } = parseList(text);
          const index = pick % list.length;
          const one = fixAddress(records[index] as PastedPerson, address);
          expect(people(parseList(applyEdits(text, one)))).toEqual(
            keep(list.with(index, { ...(list[index] as Person), email: address })),
          );
          const fixed = list.map((person) => ({
            ...person,
            email: person.email.replace(/@.*/, "@fixed.example"),
          }));
          const all = records.flatMap((record) =>
            fixAddress(record, withDomain(record.email, "fixed.example")),
          );
          expect(people(parseList(applyEdits(text, all)))).toEqual(keep(fixed));
        }),
      );
    });
  });

  it("never throws, and every record has the place of its address", () => {
    fc.assert(
      fc.property(garbage, fc.constantFrom(...overrides), (text, override) => {
        const list = parseList(text, override);
        for (const { line, raw, address, endLine } of list.records) {
          const column = address.from - list.lines.start(line - 1) + 1;
          expect(at(text, line, column).startsWith(raw)).toBe(true);
          expect(text.slice(address.from, address.to)).toBe(raw);
          if (endLine) expect(endLine).toBeGreaterThan(line);
        }
        for (const { line, text: shown } of list.problems) {
          expect(line).toBeLessThanOrEqual(list.lines.count);
          expect(text).toContain(shown);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("assigns each line with letters to a record, a problem or the header", () => {
    const line = fc
      .array(
        fragment.filter((part) => !/[\r\n]/.test(part)),
        { maxLength: 8 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const text = lines.join("\n");
        const list = parseList(text, { shape: "lines" });
        const seen = new Set([
          list.headerLine,
          ...list.records.map(({ line }) => line),
          ...list.problems.map(({ line }) => line),
        ]);
        for (const [index, words] of lines.entries()) {
          if (/\p{L}/u.test(words)) expect(seen, JSON.stringify(words)).toContain(index + 1);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("finds each plain address in a text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(email, fc.constantFrom("\n", ", ", "; ", "\t", " | ", " ")), { maxLength: 8 }),
        (parts) => {
          const text = parts.map(([address, gap]) => address + gap).join("");
          expect(parseList(text).records.map((record) => record.email)).toEqual(
            parts.map(([address]) => address),
          );
        },
      ),
    );
  });

  it("reads a line of a common format without tokens like readEntries", () => {
    fc.assert(
      fc.property(commonLine, (line) => {
        const read = (text: string) => {
          const { records, notes, problems } = parseList(text, { shape: "lines" });
          return { records, notes, problems };
        };
        // A line that ends with a space is no common format.
        expect(read(line), line).toEqual(read(`${line} `));
      }),
      { numRuns: 5000 },
    );
  });

  it("rejects XML and reads HTML", () => {
    const xml = "<people>\n<p><email>ada@x.com</email><state>unsubscribed</state></p>\n</people>";
    for (const text of [xml, `<?xml version="1.0"?>${xml}`]) {
      const { records, problems } = parseList(text);
      expect([records, problems.map(({ code, line }) => [code, line])]).toEqual([[], [["xml", 1]]]);
    }
    for (const text of ["<b>Ada</b> ada@x.com", "<html><p>ada@x.com</p></html>", "<ada@x.com> </x>"])
      expect(parseList(text)).toMatchObject({ records: [{ email: expect.stringMatching(/^ada@x.com/) }] });
  });

  it("applies chosen columns", () => {
    const text = "Ada;Lovelace;ada@x.com;bob@x.com\nGrace;Hopper;grace@x.com;joan@x.com";
    const list = parseList(text, {
      delimiter: ";",
      header: false,
      columns: ["lastName", "firstName", "ignored", "email"],
    });
    expect(people(list)).toEqual([
      { email: "bob@x.com", name: "Lovelace Ada" },
      { email: "joan@x.com", name: "Hopper Grace" },
    ]);
    expect(list.columns[2]).toMatchObject({ title: "column 3", role: "ignored" });
    expect(list).toMatchObject({ delimiter: ";", headerLine: null });
  });

  it("reads a table with the chosen delimiter, whatever else the text looks like", () => {
    const text = "Email: ada@x.com\nName: Ada\n\nEmail: grace@x.com\nName: Grace";
    expect([parseList(text).shape, parseList(text, { delimiter: ";" }).shape]).toEqual(["lines", "table"]);
  });

  it("applies the chosen header", () => {
    const text = "Ada,ada@x.com\nGrace,grace@x.com";
    expect(people(parseList(text, { header: true }))).toEqual([{ email: "grace@x.com", name: "Grace" }]);
    const titled = parseList("name,email\nGrace,grace@x.com", { header: false });
    expect(titled.headerLine).toBeNull();
    expect(titled.problems.map(({ line, code }) => [line, code])).toEqual([]);
  });

  it("takes a name before a comma for a greeting or a sentence only if it is one", () => {
    const names = ["Lieber, Hans", '"Also, Ana"', "Also, Ana", "Contact, Bo"];
    const list = parseList(names.map((name) => `${name} <a@x.com>`).join("\n"));
    expect(people(list).map(({ name }) => name)).toEqual([
      "Hans Lieber",
      "Ana Also",
      "Ana Also",
      "Bo Contact",
    ]);
    expect(people(parseList("Lieber Hans <a@x.com>")).map(({ name }) => name)).toEqual([""]);
  });

  it("applies the chosen shape", () => {
    const text = "Friends of mine\nada@x.com\nGrace Hopper\ngrace@x.com";
    expect(people(parseList(text))[0]?.name).toBe("Friends of mine");
    const list = parseList(text, { shape: "lines" });
    expect(people(list).map(({ name }) => name)).toEqual(["", ""]);
    expect(list.problems.map(({ line }) => line)).toEqual([1, 3]);
  });
});
