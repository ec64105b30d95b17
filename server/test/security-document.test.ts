import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../kernel/project-root";

const document = readFileSync(join(projectRoot(), "SECURITY.md"), "utf8");

test("every test that SECURITY.md names exists", () => {
  const named = [...document.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)].map(
    ([, path]) => path as string,
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(projectRoot(), path)))).toEqual([]);
});

test("it has each chapter of ASVS 5 once, and names a test for every requirement that is met", () => {
  const rows = document.split("\n").filter((line) => /^\| V\d/.test(line));
  expect(rows.map((row) => Number(/V(\d+)/.exec(row)?.[1]))).toEqual(
    Array.from({ length: 17 }, (_, i) => i + 1),
  );
  for (const row of rows) {
    const [, , holds, , tests] = row.split("|").map((cell) => cell.trim());
    expect(Boolean(holds), row).toBe(Boolean(tests));
  }
});
