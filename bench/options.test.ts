import { expect, test } from "vitest";
import { readOptions } from "./options";

test("--people takes at least 10,000", () => {
  expect(readOptions([])?.people).toBe(0);
  expect(readOptions(["--people", "10000"])?.people).toBe(10_000);
  expect(() => readOptions(["--people", "9999"])).toThrow(
    "--people takes a number from 10,000 to 20,000,000.",
  );
});

test("an unknown option is an error", () => {
  expect(() => readOptions(["--poeple", "10000"])).toThrow("Unknown option '--poeple'");
});

test("--peer takes directus only", () => {
  expect(readOptions([])?.peer).toBeUndefined();
  expect(readOptions(["--peer", "directus"])?.peer).toBe("directus");
  expect(() => readOptions(["--peer", "other"])).toThrow("--peer takes directus.");
});
