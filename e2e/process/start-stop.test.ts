import { existsSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { version } from "../../server/kernel/version";
import { freePort, run, runProgram, type Settings } from "../../server/test/product";
import { removeDataDir, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { ask } from "../contract/client";
import { breachesOf, isAcknowledged, noBreaches, startLoad } from "../ledger/load";
import { familyOf, kill9, stillRunning } from "./pids";
import { type Site, siteForTest, until } from "./site";

/** A stop takes at most 10 s; a busy machine is slower. */
const STOP_MS = 30_000;

/** A DATA_DIR for one test, removed with its processes when the test ends. */
function dataDirFor(test: TestContext): string {
  const dataDir = throwawayDataDir();
  test.onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** Starts the launcher, which should fail; it is killed when the test ends. */
function attempt(test: TestContext, settings: Settings, args: string[] = []) {
  const program = run(["start", ...args], settings);
  test.onTestFinished(() => void program.child.kill("SIGKILL"));
  return program;
}

/** Does `stop` and waits for the end. @returns how long it took, and the exit code */
async function timed(ended: Promise<number>, stop: () => unknown): Promise<{ ms: number; code: number }> {
  const began = performance.now();
  stop();
  const code = await ended;
  return { ms: performance.now() - began, code };
}

const postmasterFile = (dataDir: string) => join(dataDir, "postgres", "postmaster.pid");

/** Sends a create without the end of its body. @returns the answer's status, undefined without one, and the rest */
function halfARequest(site: Site, url: string) {
  const { hostname, host, port } = new URL(url);
  const body = JSON.stringify({ email: "patient@lovelace.org" });
  const head = [
    "POST /api/v1/subscribers HTTP/1.1",
    `Host: ${host}`,
    `Authorization: Bearer ${site.key}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  const status = new Promise<number | undefined>((resolve) => {
    socket.on("data", (bytes) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(bytes))?.[1])));
    socket.on("error", () => {});
    socket.on("close", () => resolve(undefined));
  });
  return { status, finish: () => socket.write(body.slice(10)) };
}

const isDeaf = (url: string) =>
  fetch(`${url}/api/health`, { headers: { connection: "close" } }).then(
    () => false,
    () => true,
  );

describe("npm start", () => {
  it("ends soon after Ctrl-C in its terminal and leaves no process running", async (test) => {
    const dataDir = dataDirFor(test);
    const port = await freePort();
    // Terminals run each command in its own process group, and Ctrl-C reaches the whole group.
    const npm = runProgram(["npm", "start"], { DATA_DIR: dataDir, PORT: String(port) }, { detached: true });
    const pid = npm.child.pid as number;
    test.onTestFinished(() => kill9([-pid]));
    await until("the start", () => npm.output().includes("Ctrl-C stops it"));
    const family = familyOf(pid);
    expect(existsSync(postmasterFile(dataDir))).toBe(true);
    const { ms } = await timed(npm.ended, () => process.kill(-pid, "SIGINT"));
    expect(ms).toBeLessThan(STOP_MS);
    expect(stillRunning(family)).toEqual([]);
    expect(existsSync(postmasterFile(dataDir))).toBe(false);
    expect(npm.output()).not.toContain("did not stop cleanly");
    expect(npm.output()).toContain(`\nRollcall ${version}, Node ${process.version}\n`);
    // No part complains that another part has stopped before it.
    expect(npm.output()).not.toContain('"level":');
  });

  it("answers running requests after SIGTERM and does not wait for endless ones", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const { first: product, fake } = site;
    const family = familyOf(product.pid);
    // One client is slow; another client and the mail provider never end.
    fake.fault({ kind: "silence" });
    await ask(product, { key: site.key, json: { email: "a@lovelace.org", status: "pending" } });
    const slow = halfARequest(site, product.url);
    const endless = halfARequest(site, product.url);
    await until("the mail at the provider", () => fake.requests.length > 0);
    const { ms, code } = await timed(product.stop(), async () => {
      await until("the adapter to be shut", () => isDeaf(product.url));
      slow.finish();
    });
    expect(await slow.status).toBe(201);
    expect(await endless.status).toBeUndefined();
    expect(ms).toBeLessThan(STOP_MS);
    expect(code).toBe(0);
    expect(stillRunning(family)).toEqual([]);
    expect(existsSync(postmasterFile(product.dataDir))).toBe(false);
    expect(product.output()).not.toContain("did not stop cleanly");
  });

  it("cuts no request when it stops: later ones find no server, and every stored write was answered", async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    const { first: product } = site;
    const load = startLoad([product], site.key, { prefix: "c" });
    await until("the load", () => load.writes.filter(isAcknowledged).length > 200);
    const { ms } = await timed(product.stop(), () => {});
    await load.stop();
    expect(ms).toBeLessThan(STOP_MS);
    const open = load.writes.filter((write) => !isAcknowledged(write));
    expect(open.filter(({ failure }) => !failure?.includes("ECONNREFUSED"))).toEqual([]);
    expect(await breachesOf(site, load)).toEqual(noBreaches);
    const emails = open.filter(({ method }) => method === "POST").flatMap(({ people }) => people);
    const stored = "SELECT email FROM subscribers WHERE email = ANY ($1)";
    expect(await site.sql(stored, [emails.map(({ email }) => email)])).toEqual([]);
  });

  it("ends soon after SIGTERM when its PostgreSQL was killed", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const { first: product } = site;
    const family = familyOf(product.pid);
    kill9(site.postgresPids());
    await until("the outage to show", async () => (await fetch(`${product.url}/api/health`)).status === 503);
    const { ms } = await timed(product.stop(), () => {});
    expect(ms).toBeLessThan(STOP_MS);
    expect(stillRunning(family)).toEqual([]);
    const lines = product.output().split("\n");
    expect(lines.filter((line) => line.length > 4_000)).toEqual([]);
    expect(lines.length).toBeLessThan(100);
  });

  it("leaves no process behind when it is stopped while PostgreSQL is being started", async (test) => {
    const dataDir = dataDirFor(test);
    const { child, ended } = attempt(test, { DATA_DIR: dataDir, PORT: String(await freePort()) });
    await until("PostgreSQL", () => existsSync(postmasterFile(dataDir)));
    const family = familyOf(child.pid as number);
    const { ms } = await timed(ended, () => child.kill("SIGTERM"));
    expect(ms).toBeLessThan(STOP_MS);
    expect(stillRunning(family)).toEqual([]);
    expect(existsSync(postmasterFile(dataDir))).toBe(false);
  });
});

// Side by side, since nothing here is timed.
describe.concurrent("npm start rejects", () => {
  it("a port that another program uses: it names the port and says what to do", async (test) => {
    const dataDir = dataDirFor(test);
    const other = createServer().listen(0, "127.0.0.1");
    test.onTestFinished(() => void other.close());
    await until("the other program", () => other.listening);
    const { port } = other.address() as AddressInfo;
    const { ended, stderr } = attempt(test, { DATA_DIR: dataDir, PORT: String(port) });
    expect(await ended).toBe(1);
    expect(stderr()).toContain(`Port ${port} is taken by another program.`);
    expect(stderr()).toContain("PORT=3001 npm start");
    expect(stderr()).not.toMatch(/^\s+at /m);
    expect(existsSync(postmasterFile(dataDir))).toBe(false);
  });

  it("demo data with a known password on a public address", async (test) => {
    const dataDir = dataDirFor(test);
    const { ended, stderr } = attempt(test, { DATA_DIR: dataDir, HOST: "0.0.0.0" }, ["--demo"]);
    expect(await ended).toBe(1);
    expect(stderr()).toContain("can only serve this machine");
    expect(existsSync(dataDir)).toBe(false);
  });
});
