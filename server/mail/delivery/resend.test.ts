import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Provider } from "./provider";
import { openResend } from "./resend";

type Canned = { status: number; body: unknown; headers?: Record<string, string> };
let canned: Canned;
let seen: { headers: Record<string, unknown>; text: string }[] = [];
let resend: Provider;
const server = createServer(async (request, response) => {
  let text = "";
  for await (const chunk of request) text += chunk;
  seen.push({ headers: request.headers, text });
  response.writeHead(canned.status, { "content-type": "application/json", ...canned.headers });
  response.end(typeof canned.body === "string" ? canned.body : JSON.stringify(canned.body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  resend = openResend({ apiKey: "re_x", baseUrl, timeoutMs: 1_000 });
});
afterAll(() => server.close());

const payload = JSON.stringify([
  { to: ["a@x.org"], "ä\u2028": "\ud83d" },
  { to: ["b@x.org"] },
  { to: ["c@x.org"] },
]);

async function deliver(answer: Canned) {
  canned = answer;
  seen = [];
  return resend.deliver("key-1", payload);
}
const error = (status: number, name: string, headers = {}): Canned => ({
  status,
  body: { statusCode: status, name, message: "said" },
  headers,
});

test("a batch is sent in permissive mode, with its key and its exact bytes", async () => {
  await deliver({ status: 200, body: { data: [] } });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.text).toBe(payload);
  expect(seen[0]?.headers).toMatchObject({
    authorization: "Bearer re_x",
    "idempotency-key": "key-1",
    "x-batch-validation": "permissive",
  });
});

test("ids belong to the mails that were not rejected", async () => {
  const { outcome } = await deliver({
    status: 200,
    body: { data: [{ id: "A" }, { id: "C" }], errors: [{ index: 1, message: "no" }] },
  });
  expect(outcome).toEqual({
    kind: "accepted",
    ids: ["A", null, "C"],
    rejections: [{ position: 1, message: "no" }],
  });
});

test("a null in place of errors rejects no mail", async () => {
  const data = [{ id: "A" }, { id: "B" }, { id: "C" }];
  const { outcome } = await deliver({ status: 200, body: { data, errors: null } });
  expect(outcome).toEqual({ kind: "accepted", ids: ["A", "B", "C"], rejections: [] });
});

test.each([
  [{ data: [{ id: "A" }, { id: "B" }] }],
  [{ data: [{ id: "A" }, { id: "B" }, {}] }],
  [{ data: [{ id: "A" }, { id: "B" }], errors: [{ index: 7, message: "no" }] }],
  [{ data: [{ id: "A" }], errors: [{ index: 1 }, { index: 1 }] }],
  [{ data: [{ id: "A" }, { id: "B" }], errors: [{ index: null, message: "no" }] }],
  [{ ok: true }],
  [null],
  ["<html>"],
])("a 2xx that does not account for every mail is ambiguous: %j", async (body) => {
  expect((await deliver({ status: 200, body })).outcome.kind).toBe("ambiguous");
});

test.each([
  [error(400, "validation_error"), "rejected"],
  [error(422, "validation_error"), "rejected"],
  [error(422, "missing_required_field"), "rejected"],
  [error(451, "security_error"), "rejected"],
  [error(401, "missing_api_key"), "blocked"],
  [error(401, "restricted_api_key"), "blocked"],
  [error(403, "invalid_api_key"), "blocked"],
  [error(403, "validation_error"), "blocked"],
  [error(404, "not_found"), "blocked"],
  [error(409, "concurrent_idempotent_requests"), "ambiguous"],
  [error(409, "invalid_idempotent_request"), "mismatch"],
  [error(409, "something_new"), "ambiguous"],
  [error(500, "internal_server_error"), "ambiguous"],
  [error(503, "validation_error"), "ambiguous"],
  [error(408, "validation_error"), "ambiguous"],
  [{ status: 502, body: "<html>bad gateway" }, "ambiguous"],
  [{ status: 422, body: "<html>a proxy speaks" }, "ambiguous"],
  [{ status: 422, body: {} }, "ambiguous"],
  [{ status: 422, body: "null" }, "ambiguous"],
])("%j is classified as %s", async (answer, kind) => {
  expect((await deliver(answer)).outcome.kind).toBe(kind);
});

test("a 429 waits as told, until the window ends, or for a default time", async () => {
  const wait = async (name: string, headers = {}) => {
    const { outcome } = await deliver(error(429, name, headers));
    return outcome.kind === "throttled" ? [outcome.waitMs, outcome.quota] : outcome;
  };
  expect(await wait("rate_limit_exceeded", { "retry-after": "3", "ratelimit-reset": "1" })).toEqual([
    3_000,
    false,
  ]);
  expect(await wait("rate_limit_exceeded", { "ratelimit-reset": "2" })).toEqual([2_000, false]);
  expect(await wait("rate_limit_exceeded")).toEqual([1_000, false]);
  expect(await wait("daily_quota_exceeded")).toEqual([1_800_000, true]);
  expect(await wait("monthly_quota_exceeded", { "retry-after": "9999999" })).toEqual([86_400_000, true]);
  expect(await wait("rate_limit_exceeded", { "retry-after": "Fri, 01 Jan 2027 00:00:00 GMT" })).toEqual([
    1_000,
    false,
  ]);
});

test("the rate limit is read from every answer", async () => {
  const pauseAfter = async (remaining: string) => {
    const headers = { "ratelimit-limit": "2", "ratelimit-remaining": remaining, "ratelimit-reset": "1" };
    return (await deliver({ status: 200, body: {}, headers })).pauseMs;
  };
  expect(await pauseAfter("0")).toBe(1_000);
  expect(await pauseAfter("1")).toBe(0);
  expect((await deliver({ status: 200, body: {} })).pauseMs).toBe(0);
});

test("a refused connection and a timeout are ambiguous", async () => {
  const nobody = openResend({ apiKey: "re_x", baseUrl: "http://127.0.0.1:1", timeoutMs: 1_000 });
  expect((await nobody.deliver("k", "[]")).outcome).toMatchObject({
    kind: "ambiguous",
    code: "application_error",
  });
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const { outcome } = await openResend({ apiKey: "re_x", baseUrl, timeoutMs: 100 }).deliver("k", "[]");
  expect(outcome).toEqual({
    kind: "ambiguous",
    code: "timeout",
    message: "Resend did not answer within 0.1 s.",
  });
  mute.closeAllConnections();
  mute.close();
});
