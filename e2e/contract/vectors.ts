import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { create, createMany, each, type Stage } from "./stage";

const AT_ONCE = 8;

/** Bodies that are JSON or almost JSON; the rules for addresses and names have their vectors in server/kernel. */
export function vectorsSuite(stage: Stage): void {
  // Read, not imported: bundlers reject the halves of characters that are in it.
  const file = new URL("../vectors/json-bodies.json", import.meta.url);
  const { tests }: { tests: { name: string; expect: string; b64: string | null }[] } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  const generated: Record<string, string> = {
    "n_structure_100000_opening_arrays.json": "[".repeat(100_000),
    "n_structure_open_array_object.json": '[{"":'.repeat(50_000),
  };
  const allowed: Record<string, number[]> = { reject: [400], accept: [422], either: [400, 422] };

  it(`each of ${tests.length} bodies is 400 when it is no JSON, and else 422 by the rules, at both paths`, async () => {
    const { key, newsletterId } = await stage.at.tenant();
    const wrong = await each(tests, AT_ONCE, async ({ name, b64, expect: validation }) => {
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
}
