import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinName, nameFaults, parseName } from "./name";

type HostileName = { id: string; value: string; expect: "accept" | "reject" };

const hostile = readVectors<{ names: HostileName[] }>("hostile.json").names;
const naughty = readVectors<string[]>("blns/blns.json");

function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../e2e/vectors/${name}`, import.meta.url), "utf8"));
}

function split(input: string): [string, string] | string {
  const parsed = parseName(input);
  return parsed.ok ? [parsed.firstName, parsed.lastName] : parsed.code;
}

const anyString = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
const spacedOut = fc.string({
  unit: fc.constantFrom(" ", "\u00a0", "\u3000", "\t", "\ufeff", "\u0338", "e", "\u0301", "="),
});
const anyInput = fc.oneof(anyString, spacedOut, fc.string({ unit: "grapheme" }));

describe("parseName", () => {
  // The list rejects them. The contract, which is newer, folds tabs and line breaks to a space.
  const folded = ["tab", "crlf_header", "lf"];

  it.each(hostile)("gives the hostile name $id its listed result", ({ id, value, expect: wanted }) => {
    expect(parseName(value).ok).toBe(wanted === "accept" || folded.includes(id));
  });

  it.each<[string, string, string]>([
    ["Ada Lovelace", "Ada", "Lovelace"],
    ["Plato", "Plato", ""],
    ["Jean Paul Sartre", "Jean", "Paul Sartre"],
    ["A  B", "A", " B"],
    ["  Ada Lovelace ", "Ada", "Lovelace"],
    ["\tAda\u00a0Lovelace\u3000", "Ada\u00a0Lovelace", ""],
    ["\ufeff\u00a0山田 太郎", "山田", "太郎"],
    ["Jose\u0301 Ruiz", "José", "Ruiz"],
    ["Ada\tLovelace", "Ada", "Lovelace"],
    ["Ada \r\n \t King\nLovelace", "Ada", "King Lovelace"],
    ["\r\nAda\n", "Ada", ""],
    ["", "", ""],
    [" \u00a0\t ", "", ""],
  ])("splits %j into %j and %j", (input, first, last) => {
    expect(split(input)).toEqual([first, last]);
  });

  it.each([
    ["Ada\vLovelace", "control_char"],
    ["\u2028Ada", "control_char"],
    ["Ada\u0085", "control_char"],
    ["Ada\u200f", "bidi_control"],
    ["Ada\u061c", "bidi_control"],
    ["\udc00Ada", "lone_surrogate"],
    ["x".repeat(256), "too_long"],
    ["x".repeat(1_000_000), "too_long"],
  ] as const)("rejects %j as %s", (input, code) => {
    expect(parseName(input)).toEqual({ ok: false, code, message: nameFaults[code] });
  });

  it("counts code points after normalisation, even when four become one", () => {
    expect(parseName("\u03b1\u0313\u0300\u0345".repeat(255)).ok).toBe(true);
    expect(parseName("\u03b1\u0313\u0300\u0345".repeat(256)).ok).toBe(false);
    let mostShrunk = 0;
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      mostShrunk = Math.max(mostShrunk, character.normalize("NFD").length / character.length);
    }
    expect(mostShrunk).toBe(4);
  });

  it("never throws, and joinName restores exactly the trimmed, normalised name", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const parsed = parseName(input);
        if (!parsed.ok) return;
        expect(joinName(parsed.firstName, parsed.lastName)).toBe(parsed.name);
        const folded = input.replace(/ *[\t\r\n][ \t\r\n]*/g, " ");
        expect(parsed.name).toBe(folded.trim().normalize("NFC"));
        expect(parsed.firstName).not.toContain(" ");
      }),
      { numRuns: 5000 },
    );
  });

  it("leaves an accepted name unchanged", () => {
    fc.assert(
      fc.property(fc.oneof(anyInput, fc.constantFrom(...naughty)), (input) => {
        const parsed = parseName(input);
        if (parsed.ok) expect(parseName(parsed.name)).toEqual(parsed);
      }),
      { numRuns: 5000 },
    );
  });
});
