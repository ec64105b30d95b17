import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "./json-fault";

const COMPLETE = "the end of the text";

/** Where the fault is, as an index into the text. */
function offsetOf(text: string): number {
  const { line, column } = findJsonFault(text);
  const lines = text.split("\n");
  return lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Nothing is wrong when all of the text is used up and nothing more is expected. */
const isFaultless = (text: string) =>
  findJsonFault(text).expected === COMPLETE && offsetOf(text) === text.length;

/** What the reader says it misses, as text. */
const PATCHES: [RegExp, string][] = [
  [/^a value$/, "0"],
  [/^a comma or (.)$/, "$1"],
  [/^a colon$/, ":"],
  [/^a property name/, '"k"'],
  [/^a closing quote$/, '"'],
];

/** Gives a text what is expected next, again and again, until nothing is; undefined when that leads nowhere. */
function complete(start: string): string | undefined {
  let text = start;
  for (let steps = 0; steps <= 3 * start.length + 3; steps++) {
    const { expected } = findJsonFault(text);
    if (expected === COMPLETE) return text;
    const patch = PATCHES.find(([pattern]) => pattern.test(expected));
    if (!patch) return undefined;
    text += expected.replace(patch[0], patch[1]).slice(0, 3);
  }
  return undefined;
}

/** Texts that are nearly JSON: its own marks and words in any order, and a few that are not its own. */
const pieces = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  '"a"',
  '"k":',
  "\\",
  "\\u",
  "\\u00e9",
  "\\n",
  "true",
  "fals",
  "null",
  "0",
  "-",
  "1",
  ".5",
  "e",
  "E+",
  " ",
  "\n",
  "\r\n",
  "\t",
  "\u0001",
  "\ufeff",
  "\u00a0",
  "'",
  "/",
  "é",
  "\ud800",
  "NaN",
];
const nearly = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(""));
/** JSON with one thing taken out, put in or changed. */
const broken = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.boolean(), fc.nat(), fc.nat(3), fc.constantFrom("", ...pieces))
  .map(([json, pretty, at, drop, insert]) => {
    const text = pretty ? JSON.stringify(JSON.parse(json), null, 2) : json;
    const place = at % (text.length + 1);
    return text.slice(0, place) + insert + text.slice(place + drop);
  });
const texts = fc.oneof(nearly, broken, fc.json(), fc.string());
const RUNS = { numRuns: 5_000 };

describe("findJsonFault", () => {
  it("finds a fault in exactly those texts that JSON.parse rejects", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(isFaultless(text)).toBe(parses(text));
      }),
      RUNS,
    );
  });

  it("finds it no later than it is: what stands before can be made JSON by what is said to be expected", () => {
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!parses(text));
        const whole = complete(text.slice(0, offsetOf(text)));
        expect(whole !== undefined && parses(whole)).toBe(true);
      }),
      RUNS,
    );
  });

  it("finds it no earlier than it is: in JSON that is cut short nothing is wrong before the last word begun", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (json, at) => {
        const text = json.slice(0, at % json.length);
        fc.pre(!parses(text));
        // The last word begun: a literal, a number or an escape that is not whole yet.
        const begun = /(?:\\(?:u[0-9a-f]{0,3})?|[-+.\w]*)$/i.exec(text)?.[0].length ?? 0;
        expect(offsetOf(text)).toBeGreaterThanOrEqual(text.length - begun);
      }),
      RUNS,
    );
  });

  it.each([
    ["", 1, 1, "a value"],
    ["{", 1, 2, "a property name in double quotes"],
    ['{"a" 1}', 1, 6, "a colon"],
    ['{"a": 1,}', 1, 9, "a property name in double quotes"],
    ["[1,\n 2,\n]", 3, 1, "a value"],
    ["[1 2]", 1, 4, "a comma or ]"],
    ['{"a":1 "b":2}', 1, 8, "a comma or }"],
    ["[01]", 1, 3, "a comma or ]"],
    ['["a\nb"]', 1, 4, "no raw line break or control character in a string"],
    ['["\\x"]', 1, 3, 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'],
    ['["a', 1, 4, "a closing quote"],
    ["{} x", 1, 4, "the end of the text"],
    ["\ufeff{}", 1, 1, "a value"],
    ['{\r\n  "a": tru\r\n}', 2, 8, "a value"],
  ])("%j: line %i, column %i, expected %s", (text, line, column, expected) => {
    expect(findJsonFault(text)).toEqual({ line, column, expected });
  });

  it("reads 256 KiB of the worst in a moment", () => {
    for (const text of [
      "[".repeat(262_144),
      '{"":'.repeat(65_536),
      `["${"\\n".repeat(131_000)}`,
      "1 ".repeat(131_072),
      "\n".repeat(262_144),
    ]) {
      const startedAt = performance.now();
      findJsonFault(text);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
  });
});
