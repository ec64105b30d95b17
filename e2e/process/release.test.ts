import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Rollcall } from "../../clients/js/index.js";
import { projectRoot } from "../../server/kernel/project-root";
import { version } from "../../server/kernel/version";
import { freePort } from "../../server/test/product";
import { until } from "./site";

/** Started as root, the product would run as a user for whom no folder is read-only. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let place: string;
let archive: string;
let program: string;

/** A bare machine: one folder with a link to node is all that is on the PATH, and there is no HOME. */
function onBareMachine(...args: string[]) {
  const env = { PATH: join(place, "bin") } as unknown as NodeJS.ProcessEnv;
  const child = spawn("node", [join(program, "rollcall.mjs"), ...args], {
    cwd: join(place, "cwd"),
    env,
    ...user,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { child, ended, output: () => output };
}

const DIGESTS = 'find . -type f -exec sha256sum {} + | sort; find . -printf "%p %m %l\\n" | sort';
const digestOf = (folder: string) =>
  execFileSync("sh", ["-c", DIGESTS], { cwd: folder, encoding: "utf8", maxBuffer: 1e8 });

const textOf = (name: string) => readFileSync(join(projectRoot(), name), "utf8");

/** Copies the files that `docker build` sees: those of the checkout that are not ignored. */
function copyContext(context: string): void {
  const ignored = textOf("deploy/Dockerfile.dockerignore").trim().split("\n");
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: projectRoot(),
    encoding: "utf8",
  });
  for (const file of listed.trim().split("\n")) {
    const isIgnored = ignored.some((one) => file === one || file.startsWith(`${one}/`));
    if (!isIgnored && existsSync(join(projectRoot(), file)))
      cpSync(join(projectRoot(), file), join(context, file), { recursive: true });
  }
}

/**
 * Plays the steps of the Dockerfile's first stage. Two are shortened: packages are linked instead of installed, and the build
 * of this checkout is brought along, which the launcher takes only for the very same sources.
 */
function playDockerfile(context: string): void {
  copyContext(context);
  execFileSync("cp", ["-al", join(projectRoot(), "node_modules"), join(context, "node_modules")]);
  for (const name of ["server/platform/db/generated", ".next", ".build"])
    cpSync(join(projectRoot(), name), join(context, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/\.next\/cache$|\.build\/(?:release|compile-cache|lock)$/.test(path),
    });
  const [firstStage = ""] = textOf("deploy/Dockerfile").split(/^FROM .*slim$/m);
  const steps = Array.from(firstStage.matchAll(/^RUN (.+)$/gm), ([, step]) => step as string);
  expect(steps[0]).toMatch(/^npm ci /);
  for (const step of steps.slice(1)) {
    const env = { PATH: process.env.PATH, HOME: place } as unknown as NodeJS.ProcessEnv;
    execFileSync("sh", ["-c", step], { cwd: context, env, stdio: "pipe" });
  }
}

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "rollcall-release-"));
  const context = join(place, "src");
  playDockerfile(context);
  const [name] = readdirSync(join(context, ".build/release")).filter((one) => one.endsWith(".gz"));
  archive = join(context, ".build/release", name as string);
  program = join(place, "program");
  renameSync(join(context, "release"), program);
  for (const folder of ["bin", "cwd"]) mkdirSync(join(place, folder));
  symlinkSync(process.execPath, join(place, "bin", "node"));
  if (user.uid) execFileSync("chown", [`${user.uid}`, join(place, "cwd")]);
  else execFileSync("chmod", ["-R", "a-w", program]);
  execFileSync("chmod", ["755", place]);
});
afterAll(() => {
  execFileSync("chmod", ["-R", "u+w", program]);
  rmSync(place, { recursive: true });
});

describe("the release, built by the steps of the Dockerfile", () => {
  it("is one archive of at most 45 MB with its digest; its files are sorted, have one timestamp and belong to root", () => {
    expect(basename(archive)).toBe(`rollcall-${version}-${process.platform}-${process.arch}.tar.gz`);
    const bytes = readFileSync(archive);
    expect(bytes.length).toBeLessThan(45e6);
    const digest = createHash("sha256").update(bytes).digest("hex");
    expect(readFileSync(`${archive}.sha256`, "utf8")).toBe(`${digest}  ${basename(archive)}\n`);
    const list = execFileSync("tar", ["--numeric-owner", "--full-time", "-tvzf", archive], {
      encoding: "utf8",
    });
    const entries = list
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/));
    expect(new Set(entries.map(([, owner, , day, time]) => `${owner} ${day} ${time}`)).size).toBe(1);
    expect(entries[0]?.[1]).toBe("0/0");
    const names = entries.slice(3).map(([, , , , , name]) => name as string);
    expect(names).toEqual(names.toSorted());
  });

  it("contains every licence, but no tools, tests or private files of the operator", () => {
    const names = execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n");
    const unwanted =
      /\.test\.|\/e2e\/|\/node_modules\/(?:typescript|esbuild|vitest|prisma|sharp)\/.*js$|\/\.env$|\.data\//;
    expect(names.filter((name) => unwanted.test(name))).toEqual([]);
    const licences = readFileSync(join(program, "LICENCES.txt"), "utf8");
    for (const text of ["next 16", "pg 8", "Permission is hereby granted"]) expect(licences).toContain(text);
    expect(readFileSync(join(program, "LICENSE"), "utf8")).toContain("Rollcall contributors");
  });

  it("starts with Node alone as an ordinary user in any folder, serves, runs commands, and writes only to DATA_DIR", async () => {
    const before = digestOf(program);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = `PORT=${port}\nAPP_ORIGINS=${url}\nDATA_DIR=own-data\n`;
    writeFileSync(join(place, "cwd", ".env"), settings);
    const { child, ended, output } = onBareMachine("start");
    onTestFinished(() => void child.kill("SIGKILL"));
    const isUp = () =>
      fetch(`${url}/api/health`).then(
        ({ ok }) => ok,
        () => child.exitCode !== null,
      );
    const startedAt = performance.now();
    await until("health", isUp);
    console.log(`the release: first start in ${Math.round(performance.now() - startedAt)} ms`);
    await until("the last line", () => output().includes("  or here:") || child.exitCode !== null);
    expect(output()).toContain(`Rollcall is at ${url.replace("127.0.0.1", "localhost")}`);
    expect(output()).not.toContain("npm ");
    const names = ["--account", "A", "--newsletter", "N", "--email", "a@lovelace.org"];
    const args = ["setup", ...names, "--password", "a long enough password", "--json"];
    const setUp = onBareMachine("admin", ...args);
    expect(await setUp.ended, setUp.output()).toBe(0);
    const { key } = JSON.parse(setUp.output().trim().split("\n").at(-1) as string);
    const rollcall = new Rollcall({ url, key: key.secret });
    const ada = await rollcall.subscribers.create({ email: "ada@lovelace.org", status: "pending" });
    expect(ada.status).toBe("pending");
    const page = await (await fetch(`${url}/nowhere`)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map(
      ([, file]) => file as string,
    );
    expect(files.length).toBeGreaterThan(5);
    const others = [
      "/docs",
      "/docs/operators",
      "/docs/guides",
      "/metrics",
      "/llms.txt",
      "/sdk/js.tgz",
      "/sign-in",
      "/api/v1/openapi.json",
    ];
    for (const path of [...files, ...others, "/favicon.ico"])
      expect((await fetch(url + path)).status, path).toBe(200);
    child.kill("SIGTERM");
    expect(await ended, output()).toBe(0);
    expect(output()).not.toMatch(/\bEACCES\b|\bEROFS\b|MODULE_NOT_FOUND|did not stop cleanly/);
    expect(digestOf(program)).toBe(before);
    expect(execFileSync("ls", ["-A", join(place, "cwd")], { encoding: "utf8" })).toBe(".env\nown-data\n");
  });

  it("names its two programs when another program is requested", async () => {
    const { ended, output } = onBareMachine("build");
    expect(await ended).toBe(2);
    expect(output()).toContain("node rollcall.mjs start|admin");
  });
});
