import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openApiDocument } from "../../server/docs/openapi";

const folder = import.meta.dirname;

/** The packages as their lock file has them. @returns why they are not there; null when they are */
function install(): string | null {
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return null;
  try {
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", args, { cwd: folder, stdio: "pipe", timeout: 240_000 });
    return null;
  } catch (error) {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    return (error as Error).message.split("\n").slice(0, 3).join(" ");
  }
}

const missing = install();
if (missing !== null) console.log(`SKIPPED: the generator cannot be installed from the registry: ${missing}`);

/** Runs a script of Node.js in this folder. @returns what it printed; throws with that when it fails */
const run = (...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });

it.skipIf(missing !== null)(
  "a client that openapi-typescript generates compiles in strict mode together with its caller",
  () => {
    const file = join(tmpdir(), `rollcall-openapi-${process.pid}.json`);
    onTestFinished(() => rmSync(file));
    writeFileSync(file, JSON.stringify(openApiDocument("https://list.example.org")));
    const generator = "node_modules/openapi-typescript/bin/cli.js";
    run(generator, file, "-o", "node_modules/.made/openapi-typescript.ts");
    const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--exactOptionalPropertyTypes"];
    expect(run(...tsc)).toBe("");
  },
);
