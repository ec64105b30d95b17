import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Product } from "../../server/test/product";
import { seeded } from "../../server/test/seeded";
import { type Answer, askRaw, expectRejection } from "../contract/client";
import { openSite, type Site } from "./site";
import { maxSentBytes, type Shape, send as sendShape, shapes, sizeOf, vary } from "./strangers";

/** The longest stop. */
const STOP_MS = 30_000;
/** A socket without a head is closed after 15 s, checked every 5 s; a busy machine is slower. */
const SILENT_MS = 150_000;

/** Opens every entrance for strangers, who choose their own address. */
const SETTINGS = { TRUST_PROXY: "1", RESEND_WEBHOOK_SECRET: "whsec_plJ3nmyCDGBKInavdOK15jslAAAA" };

let site: Site;
let product: Product;
let host: string;
/** Sockets that send nothing or only the beginning of a head, opened at the start for the last test. */
let silent: { began: number; ended: Promise<number> }[];

beforeAll(async () => {
  site = await openSite({ database: "own", settings: SETTINGS });
  product = site.first;
  host = new URL(product.url).host;
  // Next does not listen for anything before its first page.
  expect((await fetch(`${product.url}/nowhere`)).status).toBe(404);
  silent = ["", "GET / HTTP/1.1\r\nHo", "POST /api/v1/subscribers HTTP/1.1\r\nHost: x\r\n"].map(keepSilent);
});
afterAll(() => site?.close());

function keepSilent(text: string) {
  const { hostname, port } = new URL(product.url);
  const began = performance.now();
  const ended = new Promise<number>((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => resolve(performance.now() - began));
  });
  return { began, ended };
}

/** Sends a head as it stands; resolves when the server has closed the connection. */
const send = (first: string, headers: string[]): Promise<Answer> =>
  askRaw(product, `${[`${first} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n`);

/** Requests another protocol on a connection that stays open. @returns the status; null without an answer for a minute */
function upgrade(url: string, protocol: string): Promise<number | null> {
  const { hostname, host, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  );
  return new Promise((resolve) => {
    socket.on("data", (bytes) => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(String(bytes))?.[1])));
    socket.on("error", () => resolve(null));
    setTimeout(resolve, 60_000, null).unref();
  });
}

const PATHS = ["/sign-in", "/nowhere", "/api/health", "/api/v1/subscribers", "/api/trpc/x", "/confirm/x"];
const own = () => `Host: ${host}`;

describe("after a page was served, and on a connection that is then closed", () => {
  it.each<[string, () => string[], number, string]>([
    ["201 headers", () => [own(), ...many(200)], 431, "payload_too_large"],
    // Beyond a thousand Node would drop them, the Host among them.
    ["2,100 headers", () => [...many(2_099), own()], 431, "payload_too_large"],
  ])("%s is rejected in the envelope, whatever the path", async (_, headers, status, code) => {
    for (const path of PATHS) {
      const answer = await send(`GET ${path}`, headers());
      expectRejection(answer, status, code);
      expect(answer.headers.connection).toBe("close");
    }
  });
  const many = (count: number) => Array.from({ length: count }, () => "a:");

  it.each([
    ["OPTIONS *", 400, "validation_error"],
    ["GET http://evil.example/sign-in", 400, "validation_error"],
    ["GET /n/%E0%A4%A", 400, "validation_error"],
    ["POST /sign-in%ff", 400, "validation_error"],
  ])("%s is rejected in the envelope", async (first, status, code) => {
    const answer = await send(first, [own()]);
    expectRejection(answer, status, code);
    expect(answer.headers.connection).toBe("close");
  });

  it("200 headers and Expect: 100-continue are read", async () => {
    const headers = [own(), "Connection: close", "Expect: 100-continue", ...Array(197).fill("a:")];
    expect((await send("GET /sign-in", headers)).text).toContain("HTTP/1.1 200 OK");
  });

  it("a request for an upgrade is answered as if it had no Upgrade header", async () => {
    const asked = await Promise.all(
      ["/sign-in", "/api/health", "/api/v1/subscribers", "/nowhere"].flatMap((path) =>
        ["h2c", "websocket", "x"].map((protocol) => upgrade(`${product.url}${path}`, protocol)),
      ),
    );
    expect(asked.filter((status) => status === null)).toEqual([]);
    const post = await fetch(`${product.url}/nowhere`, { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("a page at another host name is answered 421 with the setting to change", async () => {
    for (const path of ["/", "/n/x/people", "/type/x.woff2"]) {
      const answer = await send(`GET ${path}`, ["Host: evil.example", "Connection: close"]);
      expect(answer.status, path).toBe(421);
      expect(answer.text).toMatch(/APP_URL.*APP_ORIGINS/);
    }
    // The first of two names counts.
    const two = ["Host: evil.example", own(), "Connection: close"];
    for (const path of ["/sign-in", "/setup?token=x"])
      expect((await send(`GET ${path}`, two)).status).toBe(421);
    const port = host.split(":")[1];
    for (const name of [`localhost:${port}`, `[::1]:${port}`])
      expect((await send("GET /sign-in", [`Host: ${name}`, "Connection: close"])).status).toBe(200);
  });
});

const AT_ONCE = 16;
/** Only a blocked event loop takes so long. */
const HELD_MS = 20_000;

/** Polls /api/health until it is stopped. @returns the statuses and the milliseconds of the slowest answer */
function watchHealth(url: string) {
  const statuses = new Set<number>();
  let slowestMs = 0;
  let isOver = false;
  const polling = (async () => {
    while (!isOver) {
      const began = performance.now();
      statuses.add((await fetch(`${url}/api/health`)).status);
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await polling;
    return { statuses: [...statuses], slowestMs };
  };
}

it(`each unauthenticated request below 1 KB, alone and ${AT_ONCE} at once, is answered, never with 500, while health answers`, async () => {
  const random = seeded(12);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const ask = async (shape: Shape, isFirst = false) => {
    const sent = vary(shape, random, isFirst);
    expect(sizeOf(sent), shape.name).toBeLessThan(maxSentBytes);
    const status = await sendShape(agent, product.url, sent);
    // A sign-in gets 503 while too many passwords are being hashed.
    const isWrong = status === null || (status >= 500 && !(status === 503 && shape.name.startsWith("auth")));
    if (isWrong) wrong.push({ ...sent, status });
  };
  const wrong: object[] = [];
  const all = shapes();
  expect(all.length).toBeGreaterThan(100);
  const stopWatch = watchHealth(product.url);
  for (const shape of all) {
    await ask(shape, true);
    await ask(shape);
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(shape)));
  }
  const { statuses, slowestMs } = await stopWatch();
  agent.destroy();
  expect(wrong).toEqual([]);
  expect(statuses).toEqual([200]);
  expect(slowestMs).toBeLessThan(HELD_MS);
});

it("silent sockets are closed, and SIGTERM ends the process in time", async () => {
  for (const { ended } of silent) expect(await ended).toBeLessThan(SILENT_MS);
  const began = performance.now();
  await product.stop();
  expect(performance.now() - began).toBeLessThan(STOP_MS);
  expect(product.output()).not.toMatch(/did not stop cleanly|uncaught/i);
});
