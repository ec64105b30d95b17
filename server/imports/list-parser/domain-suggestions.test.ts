import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mailProviders } from "../../kernel/mail-providers";
import { isEnding } from "./domain-endings";
import { DomainSuggestions, knownDomains } from "./domain-suggestions";
import { parseList } from "./parse-list";
import { ListValidator } from "./validate-list";

const readLines = (name: string) =>
  readFileSync(new URL(`./testing/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
const realDomains = readLines("real-domains.txt").join(" ").split(/\s+/);
const slips = readLines("domain-slips.txt").map((line) => line.split(" ") as [slip: string, meant: string]);

const validate = (domains: string[]) =>
  new ListValidator(parseList(domains.map((domain, index) => `p${index}@${domain}`).join("\n")).records)
    .validate()
    .validations.map((validation) => {
      if (validation.kind === "ready") return null;
      const suggestion = "suggestion" in validation ? validation.suggestion : undefined;
      return suggestion?.slice(suggestion.lastIndexOf("@") + 1) ?? validation.kind;
    });
const suggest = (domain: string) => new DomainSuggestions(new Map()).for(domain);

describe("real domains", () => {
  it("from the sample of at least 800 are never corrected, alone or together", () => {
    expect(realDomains.length).toBeGreaterThanOrEqual(800);
    expect(realDomains.filter((domain) => validate([domain])[0] !== null)).toEqual([]);
    expect(validate(realDomains).filter((changed) => changed !== null)).toEqual([]);
  });

  it("of a provider in other countries are not corrected", () => {
    const names = "yahoo hotmail outlook live gmx orange vodafone wanadoo chello t-online".split(" ");
    const endings = "fr de es it pl co.uk com.co com.pl com.au eu hu gr net org".split(" ");
    for (const name of names) for (const ending of endings) expect(suggest(`${name}.${ending}`)).toBeNull();
  });

  it("in the bundled list are valid and never corrected", () => {
    expect(knownDomains.size).toBeGreaterThan(4000);
    for (const domain of [...knownDomains, ...mailProviders]) {
      expect(domain).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
      expect(isEnding(domain.slice(domain.lastIndexOf(".") + 1)), domain).toBe(true);
      expect(suggest(domain)).toBeNull();
    }
  });

  it("are not corrected if they are as frequent in the list as the similar small provider", () => {
    const counts = new Map([
      ["ornge.fr", 3],
      ["orange.fr", 2],
    ]);
    expect(new DomainSuggestions(counts).for("ornge.fr")).toBeNull();
    expect(suggest("ornge.fr")).toBe("orange.fr");
  });
});

describe("mistyped domains", () => {
  it("from the sample of at least 300 are corrected in 97 % of cases, and never wrongly", () => {
    expect(slips.length).toBeGreaterThanOrEqual(300);
    const answers = slips.map(([slip, meant]) => ({ slip, meant, answer: validate([slip])[0] ?? null }));
    const isRight = ({ slip, meant, answer }: (typeof answers)[number]) =>
      answer === meant || (answer === null && slip === `${meant}.`);
    const wrong = answers.filter((one) => !isRight(one));
    expect(wrong.filter(({ answer }) => answer?.includes("."))).toEqual([]);
    expect(wrong.length / slips.length).toBeLessThan(0.03);
  });

  it("with one letter swapped, doubled or missing in a large provider's name are corrected, unless they are real", () => {
    const domain = fc.constantFrom(
      "gmail.com",
      "hotmail.com",
      "yahoo.com",
      "outlook.com",
      "icloud.com",
      "hotmail.fr",
    );
    fc.assert(
      fc.property(domain, fc.nat(20), fc.constantFrom("swap", "double", "drop"), (meant, place, kind) => {
        const length = meant.indexOf(".");
        const at = 1 + (place % (length - 2));
        const [before, here, next, after] = [
          meant.slice(0, at),
          meant[at],
          meant[at + 1],
          meant.slice(at + 2),
        ];
        const slip = {
          swap: `${before}${next}${here}${after}`,
          double: `${before}${here}${here}${next}${after}`,
          drop: `${before}${next}${after}`,
        }[kind];
        if (slip !== meant && !knownDomains.has(slip)) expect(suggest(slip)).toBe(meant);
      }),
    );
  });

  it("are corrected only to an existing ending", () => {
    const letters = fc.string({ unit: fc.constantFrom(..."gmailhotyhuk.-co1"), maxLength: 14 });
    fc.assert(
      fc.property(letters, (text) => {
        const meant = suggest(text);
        if (meant) expect(isEnding(meant.slice(meant.lastIndexOf(".") + 1))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
