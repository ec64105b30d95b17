import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openApiDocument } from "../../server/docs/openapi";
import { projectRoot } from "../../server/kernel/project-root";

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

/** Generates types into a file. */
function generateTypes(document: object, into: string): void {
  const file = join(tmpdir(), `rollcall-openapi-${process.pid}.json`);
  onTestFinished(() => rmSync(file));
  writeFileSync(file, JSON.stringify(document));
  run("node_modules/openapi-typescript/bin/cli.js", file, "-o", into);
}

it.skipIf(missing !== null)(
  "a client that openapi-typescript generates compiles in strict mode together with its caller",
  () => {
    generateTypes(openApiDocument("https://list.example.org"), "node_modules/.made/openapi-typescript.ts");
    const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json", "--exactOptionalPropertyTypes"];
    expect(run(...tsc)).toBe("");
  },
);

type Responses = Record<string, { headers?: object }>;

/** The document without errors and headers, which are four fifths of it. The client has classes for errors. */
function withoutErrors() {
  const document = structuredClone(openApiDocument("https://list.example.org"));
  for (const path of Object.values(
    document.paths as Record<string, Record<string, { responses: Responses }>>,
  ))
    for (const { responses } of Object.values(path))
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) >= 400) delete responses[status];
        else delete response.headers;
      }
  const { schemas } = document.components as { schemas: object };
  return { ...document, components: { schemas } };
}

// After a change of the API: OPENAPI_TYPES=write npm test -- e2e/generators/generators.test.ts
it.skipIf(missing !== null)("the types of clients/js are those of the document", () => {
  const made = join(folder, "node_modules/.made/openapi.d.ts");
  const kept = join(projectRoot(), "clients/js/openapi.d.ts");
  generateTypes(withoutErrors(), process.env.OPENAPI_TYPES === "write" ? kept : made);
  if (process.env.OPENAPI_TYPES !== "write")
    expect(readFileSync(kept, "utf8")).toBe(readFileSync(made, "utf8"));
});
