import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EmailFault, emailFaults, maskEmail, parseEmail, throttleKey } from "./email";

type ListedValidation = { address: string; accept: boolean; canonical_or_reason: string };
type HostileEmail = { id: string; value: string; expect: "accept" | "reject"; detail: string };
type SchemaGroup = { tests: { description: string; data: unknown; valid: boolean }[] };

const listed = readVectors<ListedValidation[]>("email-verdicts.json");
const hostile = readVectors<{ emails: HostileEmail[] }>("hostile.json").emails;
const naughty = readVectors<string[]>("blns/blns.json");
const hostnames = readVectors<SchemaGroup[]>("jsonschema/idn-hostname.json").flatMap((group) => group.tests);

function readVectors<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../e2e/vectors/${name}`, import.meta.url), "utf8"));
}

/** Returns the canonical form of an accepted address, or the fault's code of a rejected one. */
function validation(input: string): string {
  const parsed = parseEmail(input);
  return parsed.ok ? parsed.canonical : parsed.code;
}

const anyString = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
});
const letter = fc.constantFrom(
  ...Array.from("abzAZ09.-@+=?_'é\u0301ßẞςΣİıאב٠۰\u200d·ｅ。☃ \t𝕏漢한नि"),
  "xn--",
  "bücher",
  "gmail.com",
);
const addressLike = fc.string({ unit: letter, maxLength: 24 });
const nearlyValid = fc.tuple(addressLike, addressLike).map(([local, domain]) => `a${local}@${domain}b.org`);
// Few of the other inputs are accepted.
const usual = fc
  .tuple(fc.emailAddress(), fc.boolean())
  .map(([address, isGmail]) => (isGmail ? address.replace(/@.*/, "@gmail.com") : address));
const anyInput = fc.oneof(
  anyString,
  addressLike,
  nearlyValid,
  usual,
  fc.string({ unit: "binary", maxLength: 40 }),
);

describe("parseEmail", () => {
  it.each(listed)("validates $address as listed", ({ address, accept, canonical_or_reason }) => {
    expect(validation(address)).toBe(canonical_or_reason);
    expect(parseEmail(address).ok).toBe(accept);
  });

  it.each(hostile)("gives the hostile input $id its listed result", ({ value, expect: wanted, detail }) => {
    expect(validation(value)).toBe(detail);
    expect(parseEmail(value).ok).toBe(wanted === "accept");
  });

  it("finds no address among the naughty strings", () => {
    expect(naughty.filter((text) => parseEmail(text).ok)).toEqual([]);
  });

  it("trims the address and keeps its case and script", () => {
    expect(parseEmail("\t Ada@Bücher.Example ")).toEqual({
      ok: true,
      email: "Ada@Bücher.Example",
      canonical: "ada@xn--bcher-kva.example",
    });
  });

  it("explains every rejection in plain sentences", () => {
    for (const message of Object.values(emailFaults)) expect(message).toMatch(/^(The|A) .+\.$/);
    expect(parseEmail("ada")).toEqual({ ok: false, code: "at_sign", message: emailFaults.at_sign });
    expect(parseEmail("maria@lopez@example.org")).toMatchObject({
      code: "at_sign",
      message: expect.stringMatching(/^The email has more than one @ sign.+\.$/),
    });
  });

  const order: [string, EmailFault][] = [
    [`${" ".repeat(1001)}`, "too_long"],
    ["\ud800\n", "lone_surrogate"],
    ["a b\n", "control_char"],
    ["a b\u200b", "whitespace"],
    ["a@b@c\u200b", "invisible_or_unassigned"],
    ["é@@", "at_sign"],
    ['é"@[1.2.3.4]', "local_non_ascii"],
    ["a..b@", "local_syntax"],
    [`${"a".repeat(65)}@`, "local_too_long"],
    ["=?a?=@", "encoded_word"],
    ["a@ｅ_☃", "domain_char"],
    ["a@ｅ☃", "domain_compat_char"],
    ["a@☃", "domain_symbol"],
    ["a@-", "no_tld"],
    ["a@-..1", "empty_label"],
    ["a@-b.1", "label_syntax"],
    [`a@${"b".repeat(64)}.1`, "label_too_long"],
    ["a@xn--0.1", "idna"],
    [`a@${"b.".repeat(130)}1`, "tld"],
    [`a@${"b.".repeat(130)}org`, "domain_too_long"],
    [`${"a".repeat(64)}@${"b.".repeat(100)}org`, "too_long"],
  ];
  it.each(order)("reports the first rule broken, in the order of the policy: %j is %s", (input, code) => {
    expect(validation(input)).toBe(code);
  });

  it("counts 254 both as given and as A-labels", () => {
    const label = Array.from({ length: 18 }, (_, index) => String.fromCodePoint(0x4e00 + index * 400)).join(
      "",
    );
    const given = `${"a".repeat(64)}@${label}.${label}.${label}.${label}.example`;
    expect(given.length).toBeLessThan(254);
    expect(validation(given)).toBe("too_long");
  });

  it.each([
    ["u@straße.example", "u@xn--strae-oqa.example"],
    ["u@ΑΣ.example", "u@xn--mxa0b.example"],
    ["u@xn--BCHER-KVA.example", "u@xn--bcher-kva.example"],
    ["u@\u212Aelvin.example", "u@kelvin.example"],
    ["u@paral·lel.cat", "u@xn--parallel-koa.cat"],
    ["u@xn--mgba3gch31f060k.example", "u@xn--mgba3gch31f060k.example"],
    ["u@xn--i-7iq.ws", "u@xn--i-7iq.ws"],
    ["u@i❤.ws", "domain_symbol"],
    ["u@xn--rwg.example", "idna"],
    ["u@二〇.example", "u@xn--w6jt23g.example"],
    ["u@ab·cd.example", "domain_symbol"],
    ["u@xn--a-.example", "label_syntax"],
    ["u@xn--a.example", "idna"],
    ["u@xn--bücher.example", "idna"],
    ["u@xn--zn7c.example", "idna"],
    ["u@bücher-.example", "label_syntax"],
    ["u@exam\ufe0fple.example", "invisible_or_unassigned"],
    ["u@\u037e.example", "domain_char"],
  ])("turns %s into %s", (given, wanted) => {
    expect(validation(given)).toBe(wanted);
  });

  it("accepts all valid host names of the JSON Schema suite, except those rejected on purpose", () => {
    // Joiners in Unicode spelling are invisible. Other dots than the full stop are rejected, not silently replaced.
    const onPurpose = /\u200c|\u200d|\u3002|\uff0e|\uff61/;
    const wanted = hostnames.filter(
      ({ data, valid }) => valid && typeof data === "string" && !onPurpose.test(data),
    );
    expect(wanted.length).toBeGreaterThan(20);
    for (const { data, description } of wanted) {
      expect.soft(parseEmail(`u@${data}.example`).ok, description).toBe(true);
    }
  });

  it("never throws, and gives accepted addresses an ASCII canonical form that is its own canonical form", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const parsed = parseEmail(input);
        if (!parsed.ok) return;
        expect(parsed.canonical).toMatch(/^[!-?[-~]+@[a-z0-9.-]+$/);
        expect(parsed.canonical.length).toBeLessThanOrEqual(254);
        expect(validation(parsed.canonical)).toBe(parsed.canonical);
        expect(validation(parsed.email)).toBe(parsed.canonical);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("throttleKey", () => {
  it.each([
    ["ada+news@lovelace.org", "ada@lovelace.org"],
    ["a.da@lovelace.org", "a.da@lovelace.org"],
    ["k.en.d.ra.lr+x+y@gmail.com", "kendralr@gmail.com"],
    ["k.endra.lr@googlemail.com", "kendralr@gmail.com"],
    ["+ada@lovelace.org", "+ada@lovelace.org"],
  ])("gives %s the key %s", (canonical, key) => {
    expect(throttleKey(canonical)).toBe(key);
    expect(throttleKey(key)).toBe(key);
  });

  it("is idempotent for every accepted address, and keeps both sides of the @ sign", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyValid, usual), (input) => {
        const parsed = parseEmail(input);
        if (!parsed.ok) return;
        const key = throttleKey(parsed.canonical);
        expect(key).toMatch(/^.+@.+$/);
        expect(throttleKey(key)).toBe(key);
      }),
    );
  });
});

describe("maskEmail", () => {
  it.each([
    ["ada@lovelace.org", "a***@lovelace.org"],
    ["a@lovelace.org", "***@lovelace.org"],
    ["𝕏@lovelace.org", "***@lovelace.org"],
    ["@lovelace.org", "***@lovelace.org"],
    ["not an address", "***"],
    ["", "***"],
  ])("shows %j as %j", (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });

  it("never shows the whole local part", () => {
    fc.assert(
      fc.property(anyString, fc.domain(), (local, domain) => {
        expect(maskEmail(`${local}@${domain}`).startsWith(`${local}***`)).toBe(local === "");
      }),
    );
  });
});
