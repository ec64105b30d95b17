import { describe, expect, it } from "vitest";
import type { Answer } from "../contract/client";
import { people } from "../contract/stage";
import { type Asking, api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

// Windows of a day: no test runs over into the next one.
openApiForTests({
  RATE_LIMIT_READ: "8/d",
  RATE_LIMIT_WRITE: "6/d",
  RATE_LIMIT_BULK: "3/d",
  RATE_LIMIT_STREAM: "1/d",
  RATE_LIMIT_ME: "2/d",
  LOCKOUT_AUTH: "3/10m for 10m",
  LOCKOUT_ERRORS: "4/10m for 10m",
});

const BULK = `${SUBSCRIBERS}/bulk`;
const ADA = { email: "ada@example.org" };
const PLAIN = { raw: "email=x", headers: { "Content-Type": "text/plain" } };
const HUGE = { raw: " ".repeat(600_000) };

const create = (more: Asking = { json: ADA }, key: string | undefined = tenant.key) =>
  api.ask(key, "POST", SUBSCRIBERS, more);
const policyOf = ({ headers }: Answer) => [headers["ratelimit-policy"], headers["x-ratelimit-remaining"]];

/** Checks a 429. @returns the seconds until the next attempt */
function retryAfter({ status, headers, json }: Answer): number {
  expect([status, json.code, Object.keys(json.errors)]).toEqual([
    429,
    "rate_limit_exceeded",
    ["retry_after"],
  ]);
  const seconds = json.errors.retry_after;
  expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
  expect(headers["retry-after"]).toBe(String(seconds));
  return seconds;
}

describe("rate limits", () => {
  it.each<[method: string, path: string, status: number, left: string, more: Asking]>([
    ["POST", SUBSCRIBERS, 201, "5 of 6", { json: ADA }],
    ["POST", `${SUBSCRIBERS}?dry_run=true`, 200, "5 of 6", { json: ADA }],
    ["POST", SUBSCRIBERS, 422, "5 of 6", { json: { email: "no" } }],
    ["POST", SUBSCRIBERS, 400, "5 of 6", { raw: "{" }],
    ["POST", SUBSCRIBERS, 413, "5 of 6", HUGE],
    ["POST", SUBSCRIBERS, 415, "5 of 6", PLAIN],
    ["POST", "/api/v1/nope", 404, "6 of 6", { raw: "{}" }],
    ["DELETE", SUBSCRIBERS, 405, "6 of 6", {}],
    ["GET", SUBSCRIBERS, 200, "7 of 8", {}],
    ["GET", `${SUBSCRIBERS}?nope=1`, 400, "7 of 8", {}],
    ["GET", `${SUBSCRIBERS}/01a1fab8-221d-73cc-bf6f-88bbf811ce3c`, 404, "7 of 8", {}],
    ["GET", "/api/v1/nope", 404, "8 of 8", {}],
    ["DELETE", `${SUBSCRIBERS}/01a1fab8-221d-73cc-bf6f-88bbf811ce3c`, 404, "5 of 6", {}],
  ])("%s %s with a valid key is answered %i and shows %s requests left", async (...given) => {
    const [method, path, status, left, more] = given;
    const answer = await api.ask(tenant.key, method, path, more);
    const [remaining, quota] = left.split(" of ");
    expect([answer.status, ...policyOf(answer)]).toEqual([status, `"day";q=${quota};w=86400`, remaining]);
  });

  it("count a long poll as one read, however long it waits", async () => {
    const { next } = (await ask("GET", "/api/v1/changes?after=now")).json.pagination;
    const polled = await ask("GET", `/api/v1/changes?after=${next}&wait=2`);
    expect([polled.status, polled.headers["x-ratelimit-remaining"]]).toEqual([200, "6"]);
    expect(policyOf(await ask("HEAD", SUBSCRIBERS))[1]).toBe("5");
  });

  it("do not count the request of a key without permission, and are not shown to an unknown key", async () => {
    const reader = await api.at.addKey(tenant.newsletterId, { permissions: ["subscribers:read"] });
    const rejected = await create({ json: ADA }, reader.secret);
    expect([rejected.status, ...policyOf(rejected)]).toEqual([403, '"day";q=6;w=86400', "6"]);
    const unknown = await api.ask(undefined, "POST", SUBSCRIBERS, { json: ADA });
    expect(Object.keys(unknown.headers).filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  it("are checked after the permission and before the media type, and do not count rejected requests", async () => {
    for (const { email } of people(6)) await create({ json: { email } });
    for (const more of [{ json: ADA }, PLAIN, HUGE]) {
      const answer = await create(more);
      expect(retryAfter(answer)).toBeLessThanOrEqual(86_400);
      expect([answer.json.message, answer.headers["x-ratelimit-remaining"]]).toEqual([
        expect.stringContaining("per day"),
        "0",
      ]);
    }
    expect(await api.at.list(tenant.newsletterId)).toHaveLength(6);
    await api.at.sql("UPDATE api_keys SET permissions = '{subscribers:read}' WHERE id = $1", [tenant.keyId]);
    await api.at.sql("SELECT pg_notify('rollcall_keys', '')");
    const status = async () => (await create()).status;
    await expect.poll(status, { interval: 5, timeout: 20_000 }).toBe(403);
  });

  it("count bulks and links of many together, and reads, writes and tests of the key separately", async () => {
    const bulk = await ask("POST", BULK, people(100));
    expect([bulk.status, ...policyOf(bulk)]).toEqual([201, '"day";q=3;w=86400', "2"]);
    for (const left of ["1", "0"]) {
      const links = await ask("POST", `${SUBSCRIBERS}/links`, ["01a1fab8-221d-73cc-bf6f-88bbf811ce3c"]);
      expect([links.status, links.headers["x-ratelimit-remaining"]]).toEqual([200, left]);
    }
    retryAfter(await ask("POST", BULK, [ADA]));
    expect(policyOf(await ask("GET", SUBSCRIBERS))[1]).toBe("7");
    for (const left of ["1", "0"]) {
      const me = await ask("GET", "/api/v1/me");
      expect([me.status, ...policyOf(me)]).toEqual([200, '"day";q=2;w=86400', left]);
      expect(me.json.data.rate_limits).toMatchObject({
        read: [{ quota: 8, remaining: 7 }],
        write: [{ quota: 6, remaining: 6 }],
        bulk: [{ quota: 3, remaining: 0 }],
        stream: [{ quota: 1, remaining: 1 }],
      });
    }
    retryAfter(await ask("GET", "/api/v1/me"));
    expect(policyOf(await create())[1]).toBe("5");
  });
});

it("a stream counts as a stream, and not as a read", async () => {
  const stream = () =>
    api.ask(tenant.key, "GET", SUBSCRIBERS, { headers: { Accept: "application/x-ndjson" } });
  const first = await stream();
  expect([first.status, ...policyOf(first)]).toEqual([200, '"day";q=1;w=86400', "0"]);
  retryAfter(await stream());
  expect(policyOf(await ask("GET", SUBSCRIBERS))[1]).toBe("7");
});

describe("a lockout", () => {
  it("after invalid requests rejects the writes of the key and of no other key", async () => {
    const colleague = await api.at.addKey(tenant.newsletterId);
    for (const more of [{ json: { email: "no" } }, { raw: "{" }, PLAIN, HUGE]) await create(more);
    const seconds = retryAfter(await create());
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    retryAfter(await ask("POST", BULK, [ADA]));
    retryAfter(await create(PLAIN));
    expect((await create({ json: { email: "bob@example.org" } }, colleague.secret)).status).toBe(201);
    expect(await api.at.list(tenant.newsletterId)).toHaveLength(1);
  });

  it("does not count answers 403 and 404", async () => {
    const reader = await api.at.addKey(tenant.newsletterId, { permissions: ["subscribers:read"] });
    for (let i = 0; i < 5; i++) {
      expect((await create({ json: ADA }, reader.secret)).status).toBe(403);
      expect((await api.ask(reader.secret, "GET", "/api/v1/nope")).status).toBe(404);
    }
    await api.at.sql("UPDATE api_keys SET permissions = '{subscribers:write}' WHERE id = $1", [reader.id]);
    await api.at.sql("SELECT pg_notify('rollcall_keys', '')");
    const status = async () => (await create({ json: ADA }, reader.secret)).status;
    await expect.poll(status, { interval: 5, timeout: 20_000 }).not.toBe(403);
    expect((await create({ json: { email: "bob@example.org" } }, reader.secret)).status).toBe(201);
  });

  it("after wrong keys rejects further wrong keys from the address; a valid key still works", async () => {
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await create({ json: ADA }, "sk_wrong")).status);
    expect(statuses).toContain(401);
    expect(statuses.at(-1)).toBe(429);
    const seconds = retryAfter(await api.ask(undefined, "POST", SUBSCRIBERS, { json: ADA }));
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    expect((await create()).status).toBe(201);
  });
});
