import { describe, expect, test } from "vitest";
import { describeJsonError } from "./request-body";

describe("a body that is not JSON", () => {
  test.each([
    ['{"a": 1,}', 1, 9],
    ["[1,\n 2,\n]", 3, 1],
    ['{\r\n  "a": tru\r\n}', 2, 8],
  ])("%j has its error at line %i, column %i", (text, line, column) => {
    expect(describeJsonError(text)).toContain(`line ${line}, column ${column}, `);
  });

  test("is described in a sentence", () => {
    expect(describeJsonError('{"a":1 "b":2}')).toBe(
      "The body is not JSON: line 1, column 8, comma expected.",
    );
  });

  test("of 512 KiB is described quickly at any depth", () => {
    for (const text of [
      "[".repeat(524_288),
      '{"":'.repeat(131_072),
      `["${"\\n".repeat(262_000)}`,
      "1 ".repeat(262_144),
      "\n".repeat(524_288),
    ]) {
      const startedAt = performance.now();
      expect(describeJsonError(text)).toContain("The body is not JSON");
      expect(performance.now() - startedAt).toBeLessThan(1_000);
    }
  });
});
