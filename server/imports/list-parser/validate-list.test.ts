import { describe, expect, it } from "vitest";
import { emailFaults } from "../../kernel/email";
import { nameFaults } from "../../kernel/name";
import type { PastedPerson } from "./list-types";
import { parseList } from "./parse-list";
import { ListValidator, type ValidateContext } from "./validate-list";

const validate = (records: PastedPerson[], context?: ValidateContext) =>
  new ListValidator(records).validate(context);

const kinds = (text: string, context?: ValidateContext) =>
  validate(parseList(text).records, context).validations.map(({ kind }) => kind);
const suggestions = (domains: string[]) =>
  validate(
    parseList(domains.map((domain, index) => `p${index}@${domain}`).join("\n")).records,
  ).validations.map((validation) =>
    validation.kind === "mistyped" ? validation.suggestedDomain : validation.kind,
  );

describe("validate", () => {
  it("reports subscribers, unsubscribed people and suppressed addresses", () => {
    const known = new Map([
      ["ada@x.com", "active"],
      ["grace@x.com", "pending"],
      ["alan@x.com", "unsubscribed"],
    ] as const);
    const text = "Ada@X.com\ngrace@x.com\nalan@x.com\njoan@x.com\nhedy@x.com";
    const validated = validate(parseList(text).records, { known, suppressed: new Set(["joan@x.com"]) });
    expect(validated.validations.map(({ kind }) => kind)).toEqual([
      "active",
      "pending",
      "unsubscribed",
      "suppressed",
      "ready",
    ]);
  });

  it("reports the first line of a repeated address in any case", () => {
    const { validations } = validate(parseList("ada@x.com\ngrace@x.com\nADA@x.com\nAda <ada@X.COM>").records);
    expect(validations[2]).toEqual({ kind: "twice", firstLine: 1 });
    expect(validations[3]).toMatchObject({ kind: "twice", firstLine: 1 });
  });

  it("reports the fault of an address or name, with a suggestion if it is unambiguous", () => {
    const { validations } = validate(
      parseList("ada@x,com\nada @ x.com\nada@@x.com\nada@localhost\nada..l@gmial.com").records,
    );
    const { domain_char, whitespace, no_tld, local_syntax } = emailFaults;
    expect(validations).toEqual([
      { kind: "invalid", message: domain_char, suggestion: "ada@x.com" },
      { kind: "invalid", message: whitespace, suggestion: "ada@x.com" },
      { kind: "invalid", message: expect.stringContaining("more than one @ sign"), suggestion: "ada@x.com" },
      { kind: "invalid", message: no_tld, suggestion: null },
      { kind: "invalid", message: local_syntax, suggestion: "ada.l@gmail.com" },
    ]);
    const long = validate(parseList(`email,name\nada@x.com,${"x".repeat(256)}`).records).validations;
    expect(long).toEqual([{ kind: "invalid", message: nameFaults.too_long, suggestion: null }]);
  });

  it.each([
    ["treats a person as opted out", "unsubscribed", "leaving"],
    ["holds a person back", "on the moon", "asked"],
  ])("%s if any of their lines says %s", (_, status, kind) => {
    const text = `email,status\nada@x.com,active\nada@x.com,${status}\ngrace@x.com,active`;
    expect(kinds(text)).toEqual([kind, "twice", "ready"]);
  });

  it("groups people by mistyped domain and accepts Keep for one or all", () => {
    const records = parseList("a@gmial.com\nb@gmial.com\nc@gmail.com\nd@hotmial.com").records;
    const { validations, slips } = validate(records);
    expect(validations[0]).toEqual({
      kind: "mistyped",
      canonical: "a@gmial.com",
      domain: "gmial.com",
      suggestedDomain: "gmail.com",
      suggestion: "a@gmail.com",
    });
    expect([...slips]).toEqual([
      ["gmial.com", 2],
      ["hotmial.com", 1],
    ]);
    expect(validate(records, { trustedDomains: new Set(["gmial.com"]) }).slips.size).toBe(1);
    const kept = validate(records, { kept: new Set(["@gmial.com", "d@hotmial.com"]) });
    expect(kept.validations.map(({ kind }) => kind)).toEqual(Array(4).fill("ready"));
  });
});

describe("domain suggestions", () => {
  it("correct to a frequent domain of the list", () => {
    expect(suggestions([...Array<string>(8).fill("lovelace.org"), "lovelcae.org"]).at(-1)).toBe(
      "lovelace.org",
    );
    expect(suggestions([...Array<string>(8).fill("team1.example"), "team2.example"]).at(-1)).toBe("ready");
    expect(
      suggestions([...Array<string>(8).fill("lovelace.org"), ...Array<string>(8).fill("lovelacy.org")]),
    ).not.toContain("lovelace.org");
  });

  it("accept a domain that is frequent in the list", () => {
    const list = [...Array<string>(40).fill("gmail.com"), ...Array<string>(30).fill("gmaik.com")];
    expect(suggestions(list)).not.toContain("gmail.com");
  });
});
