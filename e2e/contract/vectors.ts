import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BULK } from "./client";
import { create, createMany, each, type Stage } from "./stage";

/** Read, not imported: bundlers reject the halves of characters that are in them. */
function load<T>(file: string): T {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), "utf8"));
}

const validations =
  load<{ address: string; accept: boolean; canonical_or_reason: string }[]>("email-verdicts.json");
const hostile = load<{ emails: { value: string; expect: string; detail: string }[] }>("hostile.json");
const jsonBodies = load<{ tests: { name: string; expect: string; b64: string | null }[] }>(
  "json-bodies.json",
);

const AT_ONCE = 8;

/** The addresses that the policy accepts, each with its canonical form. */
const accepted: { address: string; canonical: string }[] = [
  ...validations
    .filter(({ accept }) => accept)
    .map(({ address, canonical_or_reason: canonical }) => ({ address, canonical })),
  ...hostile.emails
    .filter(({ expect: validation }) => validation === "accept")
    .map(({ value: address, detail: canonical }) => ({ address, canonical })),
];

function hundreds<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 100) }, (_, i) => all.slice(100 * i, 100 * i + 100));
}

/** Vectors through the adapter and the database; the rules for addresses and names have theirs in server/kernel. */
export function vectorsSuite(stage: Stage): void {
  describe("vectors", () => {
    it("email: each accepted address is stored, comes back as given, and is unique by its listed canonical form", async () => {
      const { key, newsletterId } = await stage.at.tenant();
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
        return answers
          .filter(
            ({ status, json }) => !allowed[validation]?.includes(status) || json.code !== "validation_error",
          )
          .map(({ status, text }) => `${name}, ${validation}: ${status} ${text.slice(0, 200)}`);
      });
      expect(wrong.flat()).toEqual([]);
      expect(await stage.at.list(newsletterId)).toEqual([]);
    });
  });
}
