import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fingerprint } from "../client/generate";

it("the client's types were made from today's document: if not, run npx tsx e2e/client/generate.ts", () => {
  const [first] = readFileSync(new URL("../client/schema.d.ts", import.meta.url), "utf8").split("\n");
  expect(first).toBe(`// Made by generate.ts from the document ${fingerprint()}`);
});
