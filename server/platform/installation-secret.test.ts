import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { authSecrets } from "./installation-secret";

const DATA_DIR = mkdtempSync(join(tmpdir(), "rollcall-secret-"));
const file = join(DATA_DIR, "auth-secret");
afterAll(() => rmSync(DATA_DIR, { recursive: true }));

test("the first start makes a secret that only its user can read, and later starts use it", () => {
  const [made, ...others] = authSecrets({ DATA_DIR });
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(others).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(authSecrets({ DATA_DIR })).toEqual([made]);
  expect(readdirSync(DATA_DIR)).toEqual(["auth-secret"]);
});

test("a new first line rotates the secret, and the setting takes precedence over the file", () => {
  const old = readFileSync(file, "utf8").trim();
  const newer = "n".repeat(43);
  writeFileSync(file, `${newer}\n${old}\n`);
  expect(authSecrets({ DATA_DIR })).toEqual([newer, old]);
  expect(authSecrets({ DATA_DIR, AUTH_SECRET: ["s".repeat(32)] })).toEqual(["s".repeat(32)]);
});

test.each(["", "short\n", `${"n".repeat(43)}\nshort\n`])("a truncated file (%j) is refused", (text) => {
  writeFileSync(file, text);
  expect(() => authSecrets({ DATA_DIR })).toThrow(/is incomplete/);
});
