import { domainToASCII, domainToUnicode } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toALabels } from "./idna";

// Labels on which all engines' IDNA tables agree: lower-case letters of one direction.
const alphabets = ["abcxyz019-", "äöüßéñ", "αβγδς", "жзий", "漢字仮名", "かなカナ", "กขค", "한국어"];
const character = fc.constantFrom(...Array.from(alphabets.join("")));
const label = fc.string({ unit: character, minLength: 1, maxLength: 30 }).map((text) => `ü${text}ü`);

describe("toALabels", () => {
  it.each([
    // RFC 3492, section 7.1, in lower case.
    ["他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"],
    ["למההםפשוטלאמדבריםעברית", "xn--4dbcagdahymbxekheh6e0a7fei0b"],
    ["почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"],
    ["3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"],
    ["porquénopuedensimplementehablarenespañol", "xn--porqunopuedensimplementehablarenespaol-fmd56a"],
  ])("turns %s into %s and back", (unicode, ascii) => {
    expect(toALabels(unicode)).toBe(ascii);
    expect(toALabels(ascii)).toBe(ascii);
  });

  it("gives the platform's result where all platforms agree", () => {
    fc.assert(
      fc.property(label, (text) => {
        const ascii = toALabels(text);
        expect(ascii).toBe(domainToASCII(text));
        expect(domainToUnicode(ascii ?? "")).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("never throws on xn-- followed by anything, and accepts only labels that it leaves unchanged", () => {
    const tail = fc.string({
      unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz0123456789-é"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(tail, (text) => {
        expect([null, `xn--${text}`]).toContain(toALabels(`xn--${text}`));
      }),
      { numRuns: 5000 },
    );
  });
});
