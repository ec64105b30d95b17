import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { chapters } from "../../server/docs/manual";
import { openApiDocument } from "../../server/docs/openapi";
import { projectRoot } from "../../server/kernel/project-root";
import { version } from "../../server/kernel/version";
import { createTestDatabase } from "../../server/test/database";
import { openInstallation } from "../contract/installation";
import { startContract } from "../contract/start";

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
function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** Generates types into a file. */
function generateTypes(document: object, into: string): void {
  const file = join(tmpdir(), `rollcall-openapi-${process.pid}.json`);
  onTestFinished(() => rmSync(file));
  writeFileSync(file, JSON.stringify(document));
  run("node_modules/openapi-typescript/bin/cli.js", file, "-o", into);
}

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

/** The JavaScript of a Markdown text. */
const programsOf = (text: string) =>
  Array.from(text.matchAll(/^```js\n([\s\S]+?)^```$/gm), ([, program = ""]) => program);
const chapterOf = (text: string, title: string) => text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

/** Lets npm install the client of an instance into an empty folder. */
function installClient(url: string): string {
  const place = mkdtempSync(join(tmpdir(), "rollcall-client-"));
  onTestFinished(() => rmSync(place, { recursive: true }));
  writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--cache", join(place, ".npm")];
  execFileSync("npm", ["install", ...quiet, `${url}/sdk/js.tgz`], { cwd: place, stdio: "pipe" });
  return place;
}

it.skipIf(missing !== null)(
  "npm installs the client from an instance; the programs of its README and of the manual compile and run",
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const at = await openInstallation(database.url);
    onTestFinished(() => at.close());
    const product = await startContract({ DATABASE_URL: database.url });
    onTestFinished(async () => void (await product.stop()));
    const { key, newsletterId } = await at.tenant();
    const place = installClient(product.url);
    const installed = join(place, "node_modules/rollcall-client");
    expect(JSON.parse(readFileSync(join(installed, "package.json"), "utf8")).version).toBe(version);

    const readme = programsOf(readFileSync(join(installed, "README.md"), "utf8"));
    const manual = programsOf(chapterOf(chapters(product.url), "JavaScript client"));
    expect([readme.length, manual.length]).toEqual([6, 2]);
    const program = readme.join("").replaceAll("https://list.example.org", product.url);
    symlinkSync(join(projectRoot(), "node_modules/@types"), join(place, "node_modules/@types"));
    writeFileSync(join(place, "readme.ts"), program.replace("POST(request)", "POST(request: Request)"));
    writeFileSync(
      join(place, "manual.ts"),
      manual.join("").replace("POST(request)", "POST(request: Request)"),
    );
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noEmit"];
    const types = [
      "--types",
      "node",
      "--target",
      "es2023",
      "--module",
      "nodenext",
      "--skipLibCheck",
      "false",
    ];
    const files = ["readme.ts", "manual.ts"].map((name) => join(place, name));
    expect(run("node_modules/typescript/bin/tsc", ...strict, ...types, ...files)).toBe("");

    // The fifth program never ends, and the sixth is a part of a server.
    const [create, ...others] = program.split(/(?=^import \{ readFile)/m);
    expect(others).toHaveLength(1);
    writeFileSync(join(place, "readme.mjs"), create ?? "");
    writeFileSync(join(place, "manual.mjs"), manual[0] ?? "");
    const env = { ...process.env, ROLLCALL_KEY: key };
    for (const name of ["readme.mjs", "manual.mjs"])
      execFileSync(process.execPath, [name], { cwd: place, env, stdio: "pipe", timeout: 60_000 });
    expect(await at.list(newsletterId)).not.toEqual([]);
  },
);
