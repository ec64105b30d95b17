import { existsSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { version } from "../../server/kernel/version";
import { freePort, run, runProgram, type Settings } from "../../server/test/product";
import { removeDataDir, throwawayDataDir } from "../../server/test/throwaway-cluster";
import { ask } from "../contract/client";
import { familyOf, kill9, stillRunning } from "./pids";
import { mountOf, type Site, siteForTest, until } from "./site";

/** A stop takes at most 10 s; a busy machine is slower. */
const STOP_MS = 30_000;

/** A DATA_DIR for one test, removed with its processes when the test ends. */
function dataDirFor(test: TestContext): string {
  const dataDir = throwawayDataDir();
  test.onTestFinished(() => removeDataDir(dataDir));
  return dataDir;
}

/** Starts the launcher, which should fail; it is killed when the test ends. */
function attempt(test: TestContext, settings: Settings) {
  const program = run(["start"], settings);
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

/** A request whose body is held back. */
function halfARequest(site: Site, url: string) {
  const body = JSON.stringify({ email: "patient@lovelace.org" });
  const { hostname, port } = new URL(url);
  const headers = {
    Authorization: `Bearer ${site.key}`,
    "Content-Type": "application/json",
    "Content-Length": body.length,
  };
  const sent = request({
    hostname,
    port,
    path: "/api/v1/subscribers",
    method: "POST",
    headers,
    agent: false,
  });
  const status = new Promise<number | undefined>((resolve) => {
    sent.on("response", (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode));
    });
    sent.on("error", () => resolve(undefined));
  });
  sent.write(body.slice(0, 10));
  return { status, finish: () => sent.end(body.slice(10)) };
}

/** A client that creates people on one connection that it keeps open, until an answer says that it is closed. */
function createUntilClosed(site: Site, url: string, name: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { Authorization: `Bearer ${site.key}`, "Content-Type": "application/json" };
  const create = (email: string) =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const sent = request(`${url}/api/v1/subscribers`, { method: "POST", agent, headers }, (incoming) => {
        incoming.resume();
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode, connection: incoming.headers.connection }),
        );
      });
      sent.on("error", reject);
      sent.end(JSON.stringify({ email }));
    });
  const client = {
    onAnswer: () => {},
    async run(): Promise<{ problem: string | null; lastConnection: string | undefined }> {
      let lastConnection: string | undefined;
      for (let i = 0; lastConnection !== "close"; i++) {
        try {
          const { status, connection } = await create(`${name}-${i}@busy.example`);
          if (status !== 201) return { problem: `answered ${status}`, lastConnection: connection };
          lastConnection = connection;
          client.onAnswer();
        } catch (error) {
          return { problem: (error as Error).message, lastConnection };
        }
      }
      agent.destroy();
      return { problem: null, lastConnection };
    },
  };
  return client;
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
    await ask(mountOf(product), {
      key: site.key,
      json: { email: "a@lovelace.org", status: "pending" },
    });
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

  it("cuts no request when it stops: each client's last response says so, and every stored write was answered", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const { first: product } = site;
    let answered = 0;
    const clients = Array.from({ length: 16 }, (_, i) => createUntilClosed(site, product.url, `c${i}`));
    for (const client of clients) client.onAnswer = () => answered++;
    const outcomes = Promise.all(clients.map((client) => client.run()));
    await until("the load", () => answered > 200);
    const { ms } = await timed(product.stop(), () => {});
    const ended = await outcomes;
    expect(ended.map(({ problem }) => problem)).toEqual(ended.map(() => null));
    expect(ended.map(({ lastConnection }) => lastConnection)).toEqual(ended.map(() => "close"));
    expect(ms).toBeLessThan(STOP_MS);
    await site.start();
    const [row] = await site.sql<{ people: number }>(
      "SELECT count(*)::int AS people FROM subscribers WHERE email LIKE 'c%@busy.example'",
    );
    expect(row?.people).toBe(answered);
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

  it.for<[string, (said: string, dataDir: string) => boolean]>([
    ["PostgreSQL is being started", (_, dataDir) => existsSync(postmasterFile(dataDir))],
    ["the tables are made", (said) => said.includes("Migrating the database")],
  ])("stopped while %s, leaves no process behind", async ([_, isThere], test) => {
    const dataDir = dataDirFor(test);
    const { child, output, ended } = attempt(test, { DATA_DIR: dataDir, PORT: String(await freePort()) });
    await until("the moment", () => isThere(output(), dataDir));
    const family = familyOf(child.pid as number);
    const { ms } = await timed(ended, () => child.kill("SIGTERM"));
    expect(ms).toBeLessThan(STOP_MS);
    expect(stillRunning(family)).toEqual([]);
    expect(existsSync(postmasterFile(dataDir))).toBe(false);
  });
});

// Side by side, since nothing here is timed.
describe.concurrent("npm start rejects", () => {
  it("a second server on the same data: the second names the first and does not disturb it", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const second = attempt(test, { ...site.env, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    expect(second.stderr()).toContain("Rollcall is already running on this data");
    expect(second.stderr()).toContain(`process ${site.first.pid}`);
    expect(second.stderr()).toContain(`:${new URL(site.first.url).port}`);
    expect(second.stderr()).not.toMatch(/^\s+at /m);
    const answer = await ask(mountOf(site.first), {
      key: site.key,
      json: { email: "b@lovelace.org" },
    });
    expect(answer.status).toBe(201);
  });

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
    const settings = { DATA_DIR: dataDir, HOST: "0.0.0.0", PORT: String(await freePort()) };
    const { child, ended, stderr } = run(["start", "--demo"], settings);
    test.onTestFinished(() => void child.kill("SIGKILL"));
    expect(await ended).toBe(1);
    expect(stderr()).toContain("can only serve this machine");
    expect(stderr()).not.toMatch(/^\s+at /m);
    expect(existsSync(dataDir)).toBe(false);
  });
});
