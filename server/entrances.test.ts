import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openApiDocument } from "./docs/openapi";
import { type HttpApp, OWNER, opened, openHttpApp, openHttpAppForTests } from "./test/http-app";

const EXTRA = "https://newsletter.example.org";

openHttpAppForTests({ APP_ORIGINS: EXTRA });

type Sent = { method?: string; headers?: Record<string, string>; body?: unknown };

/** Sends a request with any Host. fetch can't. */
async function ask(path: string, { method = "POST", headers = {}, body }: Sent = {}) {
  const sent = request(`${opened.origin}${path}`, { method, headers });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const answer = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    sent.on("response", resolve).on("error", reject);
  });
  return { status: answer.statusCode as number, headers: answer.headers, text: await text(answer) };
}

let callers = 0;
const signIn = (headers: Record<string, string>) =>
  ask("/api/auth/sign-in/email", {
    headers: { "Content-Type": "application/json", "X-Forwarded-For": `203.0.113.${++callers}`, ...headers },
    body: OWNER,
  });

describe("a Host that is not ours", () => {
  const foreign = { Host: "evil.example", Origin: "http://evil.example" };

  it("can't be used to sign in, even with a matching Origin (DNS rebinding), and the error names the setting", async () => {
    const before = await opened.app.db.staffSession.count();
    const answer = await signIn(foreign);
    expect(answer.status).toBe(421);
    expect(answer.text).toMatch(/set APP_URL .* APP_ORIGINS/);
    expect(await opened.app.db.staffSession.count()).toBe(before);
  });

  it.each([
    ["POST", "/api/trpc/own.rename"],
    ["POST", "/sign-in"],
    ["GET", "/join/x"],
    ["GET", "/api/trpc/keys.list"],
    ["GET", `/setup?token=x`],
  ])("gets 421 for %s %s", async (method, path) => {
    expect((await ask(path, { method, headers: foreign })).status).toBe(421);
  });

  it.each([
    ["GET", "/api/health", 200],
    ["POST", "/api/v1/subscribers", 401],
    ["POST", "/api/webhooks/resend", 404],
    ["GET", "/confirm/x", 404],
    ["POST", "/unsubscribe/x", 404],
    ["POST", "/preferences/x", 404],
    ["POST", "/s/x", 404],
  ])("still reaches %s %s, which uses no cookie", async (method, path, status) => {
    expect((await ask(path, { method, headers: foreign })).status).toBe(status);
  });
});

describe("an Origin", () => {
  const port = () => new URL(opened.origin).port;

  it.each<[string, () => string]>([
    ["with another scheme", () => opened.origin.replace("http:", "https:")],
    ["with another port", () => "http://127.0.0.1:1"],
    ["with our name in front", () => `${opened.origin}.evil.example`],
    ["of no page", () => "null"],
    ["that is empty", () => ""],
    ["of APP_ORIGINS, with another scheme", () => EXTRA.replace("https:", "http:")],
  ])("%s is rejected at our own Host, and the error names the setting", async (_, origin) => {
    const answer = await signIn({ Origin: origin() });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("APP_ORIGINS");
    const call = await ask("/api/trpc/own.rename", { headers: { Origin: origin() }, body: { json: {} } });
    expect(call.status).toBe(403);
    expect(call.text).toContain("APP_ORIGINS");
  });

  it.each<[string, () => string]>([
    ["APP_URL", () => opened.origin],
    ["another name of this machine, where APP_URL is one", () => `http://localhost:${port()}`],
    ["its IPv6 name", () => `http://[::1]:${port()}`],
    ["one of APP_ORIGINS", () => EXTRA],
  ])("that is %s signs in", async (_, origin) => {
    const answer = await signIn({ Origin: origin(), Host: new URL(origin()).host });
    expect(answer.status, answer.text).toBe(200);
  });
});

it("a set-up link is checked at each of our own hosts, in any spelling", async () => {
  const at = (host: string) => ask("/setup?token=x", { method: "GET", headers: { Host: host } });
  expect((await at(new URL(opened.origin).host)).status).toBe(404);
  expect((await at("NEWSLETTER.example.org:443")).status).toBe(404);
});

it.each(["/api/trpc/%ff", "/api/trpc/own.rename%ff?batch=1", "/api/trpc/%E0%A4%A"])(
  "a URL with an invalid percent-encoding is a client error: %s",
  async (path) => {
    for (const method of ["GET", "POST"]) {
      const answer = await ask(path, { method, headers: { Origin: opened.origin }, body: undefined });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("UTF-8")]);
    }
  },
);

it("a request body over 16 KiB gets 413 without a session, and is accepted with one", async () => {
  const call = (body: string, cookie = "") =>
    fetch(`${opened.origin}/api/trpc/imports.undo`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: opened.origin, Cookie: cookie },
      body,
    });
  const big = JSON.stringify({ json: { filler: "x".repeat(17 * 1024) } });
  const stranger = await call(big);
  expect([stranger.status, await stranger.text()]).toEqual([413, expect.stringContaining("Sign in")]);
  expect((await call(JSON.stringify({ json: {} }))).status).toBe(401);
  const cookies = (await signIn({ Origin: opened.origin })).headers["set-cookie"] ?? [];
  expect((await call(big, cookies.map((line) => line.split(";")[0]).join("; "))).status).toBe(422);
});

it.each([
  ["application/json", "", 400],
  ["application/json", "account=%ff", 400],
  ["multipart/form-data", "x", 415],
  ["text/plain", "{}", 415],
])("a request body that is not JSON is a client error: %s %j", async (type, body, status) => {
  const cookies = (await signIn({ Origin: opened.origin })).headers["set-cookie"] ?? [];
  const Cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  const headers = { "Content-Type": type, Origin: opened.origin, Cookie };
  const answer = await fetch(`${opened.origin}/api/trpc/own.rename`, { method: "POST", headers, body });
  expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining("JSON")]);
});

it("the reference has its own content policy, and answers only GET and HEAD", async () => {
  for (const path of ["/docs", "/docs/", "/docs?x", "/docs/operators"]) {
    const { status, headers } = await ask(path, { method: "GET" });
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/script-src 'self'; style-src 'sha256-/);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
  for (const path of ["/docs", "/docs/operators", "/llms.txt", "/sdk/js.tgz"]) {
    const { status, headers } = await ask(path);
    expect([status, headers.allow]).toEqual([405, "GET, HEAD"]);
  }
});

it("the OpenAPI document contains this installation's address", async () => {
  const { status, headers, text } = await ask("/api/v1/openapi.json", { method: "GET" });
  expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument(opened.origin))));
});

describe("with a limit on sessions and addresses", () => {
  let small: HttpApp;
  beforeAll(async () => {
    small = await openHttpApp({ RATE_LIMIT_SESSION: "12/d", RATE_LIMIT_ADDRESS: "20/d" });
  });
  afterAll(() => small.close());

  const get = (path: string, headers: Record<string, string>) => fetch(`${small.origin}${path}`, { headers });
  const post = (path: string, body: unknown, headers: Record<string, string>) =>
    fetch(`${small.origin}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: small.origin, ...headers },
      body: JSON.stringify(body),
    });
  const from = (address: string) => ({ "X-Forwarded-For": address });
  async function session(address: string) {
    const answer = await post("/api/auth/sign-in/email", OWNER, from(address));
    expect(answer.status).toBe(200);
    const cookie = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
    return { ...from(address), cookie: cookie.join("; ") };
  }
  const call = (path = "sessions.list") => `/api/trpc/${path}`;

  it("a session over its limit gets 429 with a message and Retry-After; the person's other session still works", async () => {
    const [one, other] = [await session("203.0.113.1"), await session("203.0.113.2")];
    for (let i = 0; i < 12; i++) expect((await get(call(), one)).status).toBe(200);
    const rejected = await get(call(), one);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await rejected.json()).error.json).toMatchObject({
      message: expect.stringMatching(/^Too many requests came from this browser .* Nothing was changed/),
      data: { code: "rate_limit_exceeded", httpStatus: 429 },
    });
    expect((await get(call(), other)).status).toBe(200);
    // Requests of signed-in people don't count against their address.
    for (let i = 0; i < 9; i++) await get(call(), from("203.0.113.2"));
    expect((await get(call(), from("203.0.113.2"))).status).toBe(429);
    expect((await get(call(), other)).status).toBe(200);
  });

  it("each call in a request counts, and lists count by their size", async () => {
    const batch = `${call(Array(10).fill("sessions.list").join())}?batch=1&input={}`;
    const one = await session("203.0.113.3");
    for (const status of [207, 207, 429]) {
      const answer = await get(batch, one);
      expect(status === 429 ? answer.status === 429 : answer.status < 300).toBe(true);
    }
    const { newsletterId } = small;
    const two = await session("203.0.113.4");
    const list = { json: { newsletterId, filler: "x".repeat(3 * 1024 * 1024) } };
    for (const status of [422, 429])
      expect((await post(call("imports.undo"), list, two)).status).toBe(status);
  });

  it("an address without a session has one limit for all entrances; another address is not affected", async () => {
    const entrances: (() => Promise<Response>)[] = [
      () => get(call(), from("198.51.100.1")),
      () => get(call("no.such.call"), from("198.51.100.1")),
      () => post(call("join"), { json: { token: "x", joining: {} } }, from("198.51.100.1")),
      () => post("/api/auth/sign-in/email", {}, from("198.51.100.1")),
      () => get("/setup?token=x", from("198.51.100.1")),
    ];
    for (const ask of entrances) expect((await ask()).status).not.toBe(429);
    entrances.push(
      () => get("/confirm/x", from("198.51.100.1")),
      () => get("/docs", from("198.51.100.1")),
    );
    for (const ask of entrances) {
      const answer = await ask();
      expect(answer.status).toBe(429);
      expect(await answer.text()).toMatch(/Too many requests came from your address .* Nothing was changed/);
    }
    expect((await get("/setup?token=x", from("198.51.100.2"))).status).toBe(404);
    // Requests with an API key, mail reports and health checks are not limited either.
    for (const path of ["/api/health", "/api/v1/openapi.json"])
      expect((await get(path, from("198.51.100.1"))).status).toBe(200);
  });

  it("an IPv6 network of 64 bits counts as one address", async () => {
    for (let i = 0; i < 5; i++) await get("/setup?token=x", from(`2001:db8:7:7::${i}`));
    expect((await get("/setup?token=x", from("2001:db8:7:7:9:9:9:9"))).status).toBe(429);
    expect((await get("/setup?token=x", from("2001:db8:7:8::1"))).status).toBe(404);
  });
});
