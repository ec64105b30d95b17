import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Override, PastedPerson } from "./list-types";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

const validate = (records: PastedPerson[]) => new ListValidator(records).validate();

const size = 1_000_000;
const fill = (piece: string) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
const after = (start: string, piece: string) => (start + fill(piece)).slice(0, size);

/** Each is repeated a million times. */
const characters = [...'"<>@([{\n\ra \u00a0\t,;|\\.“\u200b\ud800'];

const adversaries: Record<string, string> = {
  ...Object.fromEntries(
    characters.map((character) => [`only ${JSON.stringify(character)}`, fill(character)]),
  ),
  "deep JSON": fill('{"a":'),
  "deep arrays": fill("[["),
  "alternating delimiters": fill(",;|\t"),
  "escaped quotes": fill('\\"'),
  "doubled quotes and letters": fill('""a'),
  "quotes and commas": fill('",'),
  "quotes and words": after("|", '" email,"@'),
  "quotes and lines": fill('"\n'),
  "an unclosed quote at the start": after('"', "ada@x.com,Ada\n"),
  "an unclosed quote on each line": fill('"ada@x.com,Ada\n'),
  "a quote that closes at the end": `${after('"', "ada@x.com,Ada\n")}"`,
  "unclosed quotes in cells": fill('a,"b,c\n'),
  "quotes doubled over lines": after('"', '""\n'),
  "unclosed angles": fill("<a "),
  "unclosed comments": fill("(a "),
  "half an address, then letters": fill(`${"a.".repeat(150)}@${"b.".repeat(40)} c\n`),
  "an address and half a name": fill(`a@${"b.".repeat(90)}com ${"Ada ".repeat(50)}1\n`),
  "addresses without space": fill("ada@x.com"),
  "addresses and commas": fill("ada@x.com,"),
  "addresses and spaces": fill("ada@x.com "),
  "names with commas": fill("Ada, "),
  "commas for dots": fill("a@b,com"),
  "endings and commas": after("a@b", ",com"),
  "loose at signs": fill("a @ "),
  "at signs and spaces": fill("@ "),
  "halves of addresses": fill("a@b @c "),
  colons: fill("a:"),
  "colons before an at sign": `${fill("a:").slice(2)}@b`,
  "an address of dots": after("a@", "."),
  "hyphens after the at sign": after("a@b", "-"),
  "dotted locals": `${fill("a.").slice(9)}@x.com`,
  "odd quotes": fill("„“”"),
  "one giant name": `${fill("Ada ").slice(12)}<ada@x.com>`,
  "one giant line of people": fill("Ada Lovelace <ada@x.com>, "),
  bullets: fill("- "),
  numbers: fill("1. "),
  vCards: fill("BEGIN:VCARD\nEND:VCARD\n"),
  "folded lines": after("BEGIN:VCARD\nFN:", "a\n "),
  "folded nothing": after("BEGIN:VCARD", "\n "),
  "vCard semicolons": after("BEGIN:VCARD\nEMAIL", ';a="b"'),
  "many domains": Array.from({ length: 60_000 }, (_, index) => `a@b${index}.example`).join("\n"),
  "domains like gmail": Array.from({ length: 50_000 }, (_, index) => `a@g${index.toString(36)}ail.com`).join(
    "\n",
  ),
  "popular domains": Array.from(
    { length: 60_000 },
    (_, index) => `a${index}@domain${"abcdefghijklm"[index % 13]}${index % 777}.org`,
  ).join("\n"),
  "names above": fill("Ada Lovelace\nada@x.com\n"),
  "only names": fill("Ada Lovelace\n"),
  "invisible addresses": fill("a\u200b@x.com\n"),
  "JSON strings": `[${fill('"a@x.com",')}]`,
  "JSON objects": `[${fill('{"email":"a@x.com"},')}]`,
  "JSON escapes": `["${fill("\\u0040")}"]`,
  "JSON keys": `{${fill('"a":1,')}`,
  "JSON keys that differ": `[{"email":"a@x.com",${Array.from({ length: 40_000 }, (_, index) => `"key${index}":"1"`).join()}}]`,
  "columns that differ": `${Array.from({ length: 100_000 }, (_, index) => `c${index}`).join()}\n${"ada@x.com,".repeat(1000)}`,
  accents: fill("e\u0301"),
  "HTML tags": fill("<b>"),
  "wide rows": `${fill("a,")}\n${"ada@x.com,".repeat(1000)}`,
  "header of all columns": `email,${fill("name,")}`,
  "separators of documents": fill("a\u2028"),
};
const overrides: [string, Override][] = [
  ["as lines", { shape: "lines" }],
  ["as pairs", { shape: "pairs" }],
  ["as CSV", { delimiter: "," }],
  ["as TSV", { delimiter: "\t" }],
  ["as JSON", { shape: "json" }],
  ["as vCards", { shape: "vcard" }],
];

const lines = Array.from(
  { length: 100_000 },
  (_, index) => `${index}. Ada, p${index}@b${index % 500}.org`,
).join("\n");

/** Work like the parser's that no change of the parser affects. */
function yardstick() {
  const seen = new Map<string, object>();
  for (const line of lines.split("\n")) {
    const [, number, name, local, domain] = /^(\d+)\. (.+), (\S+)@(\S+)$/.exec(line) ?? [];
    seen.set(`${local}@${domain}`.toLowerCase(), { number, name: name?.normalize("NFC").split(" ") });
  }
}
/** Milliseconds of `yardstick` on the machine that set the bounds, the best of five runs. */
const yardstickTakes = 180;

/**
 * Limits `work` to `bound` milliseconds, scaled by the machine's speed. That changes from second to second, so it is measured
 * before and after each run, and the faster one counts. The best of five runs decides.
 */
function expectWithin(bound: number, work: () => void, how?: string) {
  let best = milliseconds(work);
  for (let run = 0; run < 5 && best >= bound; run++) {
    const before = milliseconds(yardstick);
    const time = milliseconds(work);
    const speed = Math.min(before, milliseconds(yardstick)) / yardstickTakes;
    best = Math.min(best, time / Math.max(1, speed));
  }
  expect(best, how).toBeLessThan(bound);
}

/** CPU time, so that other processes do not count. */
function milliseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe("a million characters take less than two seconds", () => {
  it.each(Object.entries(adversaries))("%s", (_, text) => {
    expectWithin(2000, () => validate(parseList(text).records));
    const tenth = text.slice(0, size / 10);
    for (const [how, override] of overrides) {
      expectWithin(400, () => validate(parseList(tenth, override).records), how);
    }
  });

  it("random repeated characters", () => {
    const unit = fc.constantFrom(
      ..."\"'<>()[]{}@,;|\t\n\r :\\.-*=#a1é\u00a0\u200b“„",
      "ada@x.com",
      "mailto:",
      "email,",
      '":"',
    );
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1, maxLength: 6 }),
        fc.string({ unit, maxLength: 3 }),
        (piece, start) => {
          const text = after(start, piece).slice(0, size / 10);
          for (const [how, override] of [["as it comes", {}] as const, ...overrides.slice(0, 3)]) {
            expectWithin(400, () => validate(parseList(text, override).records), how);
          }
        },
      ),
      { numRuns: Number(process.env.SPEED_RUNS ?? 60) },
    );
  }, 7_200_000);
});

describe("100,000 lines", () => {
  const many = (line: (index: number) => string) =>
    Array.from({ length: 100_000 }, (_, index) => line(index));
  it.each([
    ["addresses", many((index) => `person${index}@example${index % 500}.org`).join("\n")],
    [
      "CSV of nine columns",
      [
        "email,first name,last name,status,opt-in time,confirm time,IP,source,notes",
        ...many((index) =>
          [
            `person${index}@example${index % 500}.org`,
            ["Ada", "Grace", "Jürgen", "Anne", "Maria"][index % 5],
            ["Lovelace", "Hopper", "Groß", "O'Neill", "Lopez", "Cole", "Bell"][index % 7],
            "subscribed",
            new Date(1.3e12 + index * 4_000_000).toISOString(),
            new Date(1.3e12 + index * 4_001_000).toISOString().replace("T", " ").slice(0, 19),
            `10.${index % 250}.${index % 241}.${index % 199}`,
            ["Website", "Landing page", "API"][index % 3],
            ["", "VIP", "Met at the fair", `"Donor, since ${index % 40}"`, `Order no. ${index}`][index % 5],
          ].join(),
        ),
      ].join("\n"),
    ],
    [
      '"Last, First" <address>;',
      many((index) => `"Lovelace, Ada" <person${index}@example${index % 500}.org>;`).join("\n"),
    ],
    ["numbered names", many((index) => `${index}. Ada Lovelace, person${index}@example.org`).join("\n")],
    [
      "JSON",
      JSON.stringify(
        many((index) => `person${index}@example.org`).map((email) => ({ email, name: "Ada Lovelace" })),
      ),
    ],
  ])("of %s take less than 1.5 seconds to read and validate", (_, text) => {
    let count = 0;
    const read = () => {
      count = validate(parseList(text).records).planned.length;
    };
    expectWithin(1500, read);
    expect(count).toBe(100_000);
  });
});
