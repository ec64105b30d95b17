import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ask, BULK, SUBSCRIBERS } from "./client";
import { create, createMany, each, type Stage } from "./stage";

/** Read, not imported: bundlers reject the halves of characters that are in them. */
function load<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));
}

type Hostile = {
  emails: { value: string; expect: string; detail: string }[];
  names: { id: string; value: string; expect: string }[];
  bodies: { id: string; body: string }[];
};
const blns = load<string[]>("blns/blns.json");
const validations =
  load<{ address: string; accept: boolean; canonical_or_reason: string }[]>("email-verdicts.json");
const hostile = load<Hostile>("hostile.json");
const jsonBodies = load<{ tests: { name: string; expect: string; b64: string | null }[] }>(
  "json-bodies.json",
);

const DRY = `${SUBSCRIBERS}?dry_run=true`;
const DRY_BULK = `${BULK}?dry_run=true`;
const AT_ONCE = 8;

type Item = { index: number; field: string; code: string };
type Validation = { address: string; accept: boolean; canonical: string; reason: string };

const emails: Validation[] = [
  ...validations.map(({ address, accept, canonical_or_reason: detail }) => ({
    address,
    accept,
    canonical: detail,
    reason: detail,
  })),
  ...hostile.emails.map(({ value, expect: validation, detail }) => ({
    address: value,
    accept: validation === "accept",
    canonical: detail,
    reason: detail,
  })),
];

const FORBIDDEN = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** contract.md §4, name, said once more and not in the product's words. */
function nameAllowed(name: string): boolean {
  const trimmed = name.trim();
  // A line break is rejected at the edges too, where a space or a tab is trimmed.
  if (/[\n\v\f\r\u2028\u2029]/.test(name)) return false;
  return !FORBIDDEN.test(trimmed) && [...trimmed.normalize("NFC")].length <= 255;
}

function hundreds<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 100) }, (_, i) => all.slice(100 * i, 100 * i + 100));
}

/** All of e2e/vectors through the adapter. */
export function vectorsSuite(stage: Stage): void {
  describe("vectors", () => {
    it(`email: each of ${emails.length} addresses has its listed validation from the single create`, async () => {
      const { key } = await stage.at.tenant();
      const wrong = await each(emails, AT_ONCE, async ({ address, accept }) => {
        const { status, json } = await create(stage, key, { email: address }, { path: DRY });
        const right = accept
          ? status === 200
          : status === 422 && json.code === "validation_error" && json.errors.email?.length > 0;
        return right ? [] : [{ address, accept, status, json }];
      });
      expect(wrong.flat()).toEqual([]);
    });

    it("email: the bulk says the same, and names the listed reason", async () => {
      const { key } = await stage.at.tenant();
      for (const part of hundreds(emails)) {
        // Skipping duplicates: some addresses are in the lists in several spellings.
        const { status, json } = await createMany(
          stage,
          key,
          part.map(({ address }) => ({ email: address })),
          { path: `${DRY_BULK}&on_duplicate=skip` },
        );
        const rejected = part.flatMap(({ accept, reason }, index) =>
          accept ? [] : [{ index, field: "email", code: reason }],
        );
        expect(status).toBe(rejected.length > 0 ? 422 : 200);
        expect((json.items ?? []).map(({ index, field, code }: Item) => ({ index, field, code }))).toEqual(
          rejected,
        );
      }
    });

    it("email: each accepted address is stored, comes back as given, and is unique by its listed canonical form", async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const accepted = emails.filter(({ accept }) => accept);
      const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, "");
      const created: string[] = [];
      for (const part of hundreds(accepted)) {
        const { status, json } = await createMany(
          stage,
          key,
          part.map(({ address }) => ({ email: address })),
          { path: `${BULK}?on_duplicate=skip` },
        );
        expect(status).toBe(201);
        created.push(...json.data.created.map((record: { email: string }) => record.email));
        expect(json.data.created.length + json.data.skipped.length).toBe(part.length);
      }
      const firsts = [...new Map([...accepted].reverse().map((one) => [one.canonical, one])).values()];
      expect(created.sort()).toEqual(firsts.map(({ address }) => trimmed(address)).sort());
      const list = await stage.at.list(newsletterId);
      expect(list.map((row) => [row.email, row.canonical]).sort()).toEqual(
        firsts.map((one) => [trimmed(one.address), one.canonical]).sort(),
      );
    });

    it("names: each hostile name has its listed validation, and comes back as given", async () => {
      const { key } = await stage.at.tenant();
      for (const [i, { id, value, expect: validation }] of hostile.names.entries()) {
        const { status, json } = await create(stage, key, { email: `n${i}@example.org`, name: value });
        expect([id, status]).toEqual([id, validation === "accept" ? 201 : 422]);
        if (validation === "accept") expect(json.data.name).toBe(value.trim().normalize("NFC"));
        else expect(Object.keys(json.errors)).toEqual(["name"]);
      }
    });

    it("naughty strings as names: kept as given or rejected by the rule, in a single and in a bulk", async () => {
      const { key } = await stage.at.tenant();
      await each(blns, AT_ONCE, async (name, i) => {
        const { status, json } = await create(stage, key, { email: `single-${i}@example.org`, name });
        expect([name, status]).toEqual([name, nameAllowed(name) ? 201 : 422]);
        if (status === 201) expect(json.data.name).toBe(name.trim().normalize("NFC"));
        else expect(Object.keys(json.errors)).toEqual(["name"]);
      });
      const items = blns.map((name, i) => ({ email: `bulk-${i}@example.org`, name }));
      for (const part of hundreds(items)) {
        const { status, json } = await createMany(stage, key, part, { path: DRY_BULK });
        const rejected = part.flatMap(({ name }, index) => (nameAllowed(name) ? [] : [index]));
        expect(status).toBe(rejected.length > 0 ? 422 : 200);
        expect((json.items ?? []).map((item: Item) => item.index)).toEqual(rejected);
      }
      for (const part of hundreds(items.filter(({ name }) => nameAllowed(name)))) {
        const { json } = await createMany(stage, key, part);
        expect(json.data.created.map((record: { name: string }) => record.name)).toEqual(
          part.map(({ name }) => name.trim().normalize("NFC")),
        );
      }
    });

    it("naughty strings as emails: none is an address, and single and bulk agree on it", async () => {
      const { key } = await stage.at.tenant();
      await each(blns, AT_ONCE, async (email) => {
        const { status, json } = await create(stage, key, { email }, { path: DRY });
        expect([email, status, Object.keys(json.errors ?? {})]).toEqual([email, 422, ["email"]]);
      });
      for (const part of hundreds(blns)) {
        const { json } = await createMany(
          stage,
          key,
          part.map((email) => ({ email })),
          { path: DRY_BULK },
        );
        expect(json.items.map((item: Item) => item.index)).toEqual(part.map((_, i) => i));
      }
    });

    it(`JSON: each of ${jsonBodies.tests.length} bodies is 400 when it is none, and else 422 by the rules, at both paths`, async () => {
      const { key, newsletterId } = await stage.at.tenant();
      const generated: Record<string, string> = {
        "n_structure_100000_opening_arrays.json": "[".repeat(100_000),
        "n_structure_open_array_object.json": '[{"":'.repeat(50_000),
      };
      const allowed: Record<string, number[]> = { reject: [400], accept: [422], either: [400, 422] };
      const wrong = await each(jsonBodies.tests, AT_ONCE, async ({ name, b64, expect: validation }) => {
        const raw = generated[name] ?? Buffer.from(b64 ?? "", "base64");
        const answers = [
          await create(stage, key, undefined, { raw }),
          await createMany(stage, key, undefined, { raw }),
        ];
        const right = answers.every(
          ({ status, json }) => allowed[validation]?.includes(status) && json.code === "validation_error",
        );
        return right
          ? []
          : [
              {
                name,
                validation,
                answers: answers.map(({ status, text }) => `${status} ${text.slice(0, 200)}`),
              },
            ];
      });
      expect(wrong.flat()).toEqual([]);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });

    // Those whose body is told in words are in body.ts and bulk.ts.
    const literal: [id: string, path: string, status: number][] = [
      ["dup_key", SUBSCRIBERS, 201],
      ["proto", SUBSCRIBERS, 201],
      ["constructor", SUBSCRIBERS, 201],
      ["mass_assign", SUBSCRIBERS, 201],
      ["operator", SUBSCRIBERS, 422],
      ["array_email", SUBSCRIBERS, 422],
      ["number_email", SUBSCRIBERS, 422],
      ["null_email", SUBSCRIBERS, 422],
      ["null_name", SUBSCRIBERS, 201],
      ["status_case", SUBSCRIBERS, 422],
      ["status_other", SUBSCRIBERS, 422],
      ["array_on_single", SUBSCRIBERS, 422],
      ["object_on_bulk", BULK, 422],
      ["empty_array", BULK, 422],
      ["dup_in_request", BULK, 422],
      ["nested_nulls", BULK, 422],
      ["huge_number", SUBSCRIBERS, 201],
      ["bom", SUBSCRIBERS, 400],
      ["empty_body", SUBSCRIBERS, 400],
      ["not_json", SUBSCRIBERS, 400],
    ];
    it.each(literal)("hostile body %s", async (id, path, status) => {
      const { key } = await stage.at.tenant();
      const raw = hostile.bodies.find((body) => body.id === id)?.body;
      expect((await ask(stage.mount, { key, path, raw: raw ?? "never" })).status).toBe(status);
    });
  });
}
