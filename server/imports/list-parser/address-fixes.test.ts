import { describe, expect, it } from "vitest";
import { parseEmail } from "../../kernel/email";
import { parseListed, suggestAddress } from "./address-fixes";
import { DomainSuggestions } from "./domain-suggestions";

const fix = (email: string) => suggestAddress(email, new DomainSuggestions(new Map()));

describe("suggestAddress", () => {
  it.each([
    ["mailto:ada%40example.com?subject=Hello%20Ada", "ada@example.com"],
    ["ada (at) example.com", "ada@example.com"],
    ["ada[at]example[dot]com", "ada@example.com"],
    ["ada at example dot com", "ada@example.com"],
    ["ada_at_example.com", "ada@example.com"],
    ["ada@example (dot) com", "ada@example.com"],
    ["ada＠example．com", "ada@example.com"],
    ["ada@example。com", "ada@example.com"],
    ["ada&#64;example&#46;com", "ada@example.com"],
    ["ada&commat;example&period;com", "ada@example.com"],
    ["spaces in@gmail.com", "spacesin@gmail.com"],
    ["ada @ example.com", "ada@example.com"],
    ["ada@example .com", "ada@example.com"],
    ["ada@gmail com", "ada@gmail.com"],
    ["ada.love-\nlace@example.org", "ada.lovelace@example.org"],
    ["ada@exam- ple.org", "ada@example.org"],
    ["ada@t-\nonline.de", "ada@t-online.de"],
    ["ada@@example.org", "ada@example.org"],
    ["ada@example.org@example.org", "ada@example.org"],
    ["ada@gmail@gmail.com", "ada@gmail.com"],
    ["ada@gmail@com", "ada@gmail.com"],
    ["ada@example..org", "ada@example.org"],
    ["ada..l@example.org", "ada.l@example.org"],
    ["ada.@example.org.", "ada@example.org"],
    ["'ada@example.org'.", "ada@example.org"],
    ["ada@example.org/", "ada@example.org"],
    ["ada@gmail.com1", "ada@gmail.com"],
    ["ada@gmail.c", "ada@gmail.com"],
    ["ada@gmailcom", "ada@gmail.com"],
    ["ada@gmail", "ada@gmail.com"],
    ["Ada@Example,org", "Ada@Example.org"],
    ["ada @bücher.de", "ada@bücher.de"],
  ])("corrects %s to %s", (written, meant) => {
    expect(fix(written)).toBe(meant);
  });

  it.each([
    "maria@lopez@example.org",
    "ada@x.com@y.com@z.com",
    "ada@gmail.comgrace@gmail.com",
    "Ada Augusta Lovelace ada@example.org",
    "ada@localhost",
    "ada@example.org Lovelace",
    "ada@my_firm.com",
    "josé@example.org",
    "ada@gmx",
    "@example.org",
    "ada@",
    "100%",
    "",
  ])("suggests nothing for the ambiguous %s", (written) => {
    expect(fix(written)).toBeNull();
  });

  it("prefers the domain of a provider that is most frequent in the list", () => {
    const counts = new Map([
      ["gmx.net", 2],
      ["gmx.at", 5],
    ]);
    expect(suggestAddress("ada@gmx", new DomainSuggestions(counts))).toBe("ada@gmx.at");
  });
});

describe("parseListed", () => {
  it("rejects an address with percent codes", () => {
    expect(parseListed("ada%2Bnews@example.com")).toMatchObject({ ok: false, code: "local_syntax" });
    expect(parseListed("ada%news@example.com")).toEqual(parseEmail("ada%news@example.com"));
    expect(parseListed("ada@example.com")).toEqual(parseEmail("ada@example.com"));
  });
});
