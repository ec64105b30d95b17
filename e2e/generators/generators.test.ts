import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApiDocument } from "../../server/docs/openapi";
import { type Product, runAdmin, startProduct } from "../../server/test/product";
import type { Facts } from "./clients/calls";

const folder = fileURLToPath(new URL(".", import.meta.url));
const TSC = [join(folder, "node_modules/typescript/bin/tsc"), "-p", join(folder, "tsconfig.json")];

/** Runs a script of Node.js in this folder. @returns what it printed, also where it failed */
function run(args: string[]): { ok: boolean; text: string } {
  try {
    return {
      ok: true,
      text: execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" }),
    };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { ok: false, text: `${stdout}${stderr}` };
  }
}

/** The packages as their lock file has them. @returns why they are not there; null when they are */
function install(): string | null {
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return null;
  try {
    // Without scripts: none of the generators needs its own, and one of them calls home.
    const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
    execFileSync("npm", args, { cwd: folder, stdio: "pipe", timeout: 240_000 });
    return null;
  } catch (error) {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    return (error as Error).message.split("\n").slice(0, 3).join(" ");
  }
}

const missing = install();
if (missing !== null)
  console.log(`SKIPPED: the generators cannot be installed from the registry: ${missing}`);

describe.skipIf(missing !== null)("a client generated from the OpenAPI document", () => {
  let product: Product;
  let key: string;
  let scratch: string;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), "rollcall-generators-"));
    // All of them call with one key.
    product = await startProduct({ env: { RATE_LIMIT: "off", RATE_LIMIT_BULK: "off" } });
    const setup = ["setup", "--account", "Acme", "--newsletter", "Weekly", "--email", "you@example.org"];
    const made = await runAdmin<{ key: { secret: string } }>([...setup, "--password", "a long password"], {
      DATA_DIR: product.dataDir,
    });
    key = made.key.secret;
    const file = join(scratch, "openapi.json");
    const document = await fetch(`${product.url}/api/v1/openapi.json`);
    writeFileSync(file, await document.text());
    expect(run(["generate.mjs", file, product.url])).toMatchObject({ ok: true });
  });

  afterAll(async () => {
    await product?.stop();
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  });

  it("compiles in strict mode together with its caller", () => {
    expect(run(TSC)).toEqual({ ok: true, text: "" });
    // Not all generators promise this of their own code.
    const exact = run([...TSC, "--exactOptionalPropertyTypes"]).text.split("\n");
    expect(exact.filter((line) => line.startsWith("clients/"))).toEqual([]);
  });

  /** A client and what calls it, as one module. */
  async function load<Client>(name: string): Promise<Client> {
    const outfile = join(scratch, `${name}.mjs`);
    const entryPoints = [join(folder, "clients", `${name}.ts`)];
    await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
    return import(pathToFileURL(outfile).href) as Promise<Client>;
  }

  const facts: Facts = {
    valid: true,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    tags: ["vip"],
    skipped: 0,
    total: 1,
    name: "Ada King",
    status: "unsubscribed",
  };

  it("openapi-typescript: calls each operation, and reads the answers by their types", async () => {
    type Called = { facts: Facts; answers: Record<string, unknown> };
    type Client = { callEach(url: string, key: string): Promise<Called> };
    const { callEach } = await load<Client>("openapi-typescript");
    const made = await callEach(product.url, key);
    expect(made.facts).toEqual(facts);
    const { getDocument, ...enveloped } = made.answers;
    expect(getDocument).toMatchObject({ openapi: "3.1.0" });
    for (const [operation, answer] of Object.entries(enveloped))
      expect({ operation, answer }).toMatchObject({ operation, answer: { success: true } });
    const paths = Object.values(openApiDocument(product.url).paths as Record<string, object>);
    const all = paths.flatMap((path) => Object.values(path).map(({ operationId }) => operationId as string));
    expect(Object.keys(made.answers).toSorted()).toEqual(all.toSorted());
  });

  it.each(["hey-api", "orval", "kubb"])(
    "%s: creates, lists, changes and unsubscribes people",
    async (name) => {
      type Client = { callSome(url: string, key: string): Promise<Facts> };
      const { callSome } = await load<Client>(name);
      expect(await callSome(product.url, key)).toEqual(facts);
    },
  );
});
