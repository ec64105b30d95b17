import { expect, test } from "vitest";
import { mutantsOf, withMutant } from "./mutants";

const brokenVersionsOf = (code: string) => mutantsOf(code).map((mutant) => withMutant(code, mutant));

test.each([
  [
    "if (a < b) c();",
    ["if (true) c();", "if (false) c();", "if (a <= b) c();", "if (a >= b) c();", "if (a < b) ;"],
  ],
  ["x = a && !b", ["x = a || !b", "x = a && b", ";"]],
  ["x = list.filter(f).some(g);", ["x = list.some(g);", "x = list.filter(f).every(g);", ";"]],
  ["x = /^a$/i;", ["x = /a$/i;", "x = /^a/i;", "x = /^a$/;", ";"]],
  [
    "x = sql`SELECT 1 WHERE a = 1 AND b IS NULL`;",
    [
      "x = sql`SELECT 1 WHERE a <> 1 AND b IS NULL`;",
      "x = sql`SELECT 1 WHERE a = 1 OR b IS NULL`;",
      "x = sql`SELECT 1 WHERE a = 1 AND b IS NOT NULL`;",
      ";",
    ],
  ],
])("%s is broken in each of its ways", (code, expected) => {
  expect(brokenVersionsOf(code).sort()).toEqual(expected.sort());
});

test.each(['import { a } from "b";', "type A = 1 | 2;", 'throw new AppError("not_found", "No such page.");'])(
  "%s stays as it is",
  (code) => {
    expect(mutantsOf(code)).toEqual([]);
  },
);
