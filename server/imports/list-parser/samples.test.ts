import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeReading, parseSamples } from "./testing/samples";

const folder = new URL("./testing/samples/", import.meta.url);
const files = readdirSync(folder).map((name) => ({
  name,
  samples: parseSamples(readFileSync(new URL(name, folder), "utf8")),
}));

describe("the samples of pasted lists", () => {
  describe.each(files)("$name", ({ samples }) => {
    it.each(samples)("$title", ({ text, gives: expected }) => {
      expect(expected.length).toBeGreaterThan(0);
      expect(describeReading(text)).toEqual(expected);
    });
  });
});
