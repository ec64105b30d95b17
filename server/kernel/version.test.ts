import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "./project-root";
import { fullVersion } from "./version";

test("the full version ends with the time of the last migration", () => {
  const migrations = readdirSync(join(projectRoot(), "prisma/migrations")).filter((name) => /^\d/.test(name));
  expect(fullVersion).toMatch(/^\d+\.\d+\.\d+\S*\+\d{14}$/);
  expect(fullVersion).toContain(`+${migrations.sort().at(-1)?.split("_")[0]}`);
});
