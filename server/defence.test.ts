import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { scrub } from "./kernel/log";
import { OWNER, opened, openHttpAppForTests } from "./test/http-app";
import { withPasswordCost } from "./test/password-cost";
import { appRouter } from "./trpc/router";

// A quarter of the real cost, still large enough to measure.
withPasswordCost(15);

openHttpAppForTests();
let origin: string;
let newsletterId: string;

beforeAll(async () => {
  ({ origin, newsletterId } = opened);
});

let callers = 0;
/** Sends a request from a new address, unless the headers name one. */
function post(path: string, body: string, headers: Record<string, string> = {}) {
  const from = { "X-Forwarded-For": `203.0.113.${++callers}` };
  const usual = { "Content-Type": "application/json", Origin: origin };
  return fetch(`${origin}${path}`, { method: "POST", headers: { ...usual, ...from, ...headers }, body });
}

async function signedIn(): Promise<string> {
  const answer = await post("/api/auth/sign-in/email", JSON.stringify(OWNER));
  expect(answer.status).toBe(200);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

it("hashes no password for guessed invitation links", async () => {
  const body = String(new URLSearchParams({ name: "Eve", password: "a long enough password" }));
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const before = process.cpuUsage();
  for (let i = 0; i < 20; i++) expect((await post(`/join/x${i}`, body, form)).status).toBe(404);
  const { user, system } = process.cpuUsage(before);
  // Twenty password hashes take more than two seconds.
  expect((user + system) / 1000).toBeLessThan(1000);
});

it("answers at most ten calls in one request", async () => {
  const calls = (count: number) => Array(count).fill("own.checkRecentSignIn").join();
  const ask = (count: number) => fetch(`${origin}/api/trpc/${calls(count)}?batch=1`);
  expect((await ask(10)).status).toBe(401);
  expect((await ask(11)).status).toBe(400);
});

it("hashes two passwords at a time and rejects requests that would wait too long", async () => {
  const guess = (i: number) => JSON.stringify({ email: `nobody${i}@lovelace.org`, password: OWNER.password });
  const answers = await Promise.all(
    Array.from({ length: 80 }, (_, i) => post("/api/auth/sign-in/email", guess(i))),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  // These requests were hashed, or waited in the queue.
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(22);
  const busy = answers.find(({ status }) => status === 503);
  expect(busy?.headers.get("retry-after")).toBe("5");
  expect(await busy?.text()).toContain("Try again shortly");
  expect((await post("/api/auth/sign-in/email", JSON.stringify(OWNER))).status).toBe(200);
});

describe("a request body for sign-in", () => {
  it("over 4 KiB gets 413", async () => {
    const body = JSON.stringify({ ...OWNER, more: "x".repeat(5_000) });
    expect((await post("/api/auth/sign-in/email", body)).status).toBe(413);
  });

  it("is limited while it is read when it has no Content-Length", async () => {
    const chunk = new TextEncoder().encode("x".repeat(1024));
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    const answer = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body,
      duplex: "half",
    } as RequestInit).catch(() => null);
    // A client that keeps writing to a closed connection may not receive the response.
    if (answer) expect(answer.status).toBe(413);
    expect((await post("/api/auth/sign-in/email", JSON.stringify(OWNER))).status).toBe(200);
  });
});

it("every response forbids type sniffing and embedding", async () => {
  const paths =
    "/api/trpc/own.rename /sign-in /api/auth/sign-in/email /api/health /api/nope /api/v1/x /confirm/x /s/x /docs";
  for (const path of paths.split(" ")) {
    const { headers } = await fetch(`${origin}${path}`);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
    expect(headers.get("strict-transport-security"), path).toBeNull();
  }
});

describe("a value that the database cannot store", () => {
  const settings = {
    name: "Notes",
    sender: null,
    replyTo: null,
    language: "en",
    timeZone: "UTC",
    domainMailsPerDay: 10,
    mailsPerDay: 10,
    sendDelaySeconds: 0,
  };
  it.each([
    ["a zero byte in the sender", "newsletters.save", { settings: { ...settings, sender: "A\0<a@x.org>" } }],
    [
      "a zero byte in a file's name",
      "imports.begin",
      { head: { fileName: "a\0.csv", statusRule: "active" } },
    ],
    [
      "a version beyond its column",
      "people.change",
      { id: crypto.randomUUID(), version: 2 ** 40, patch: {} },
    ],
  ])("%s is the caller's mistake", async (_, path, input) => {
    const body = JSON.stringify({ json: { newsletterId, ...input } });
    const answer = await post(`/api/trpc/${path}`, body, { cookie: await signedIn() });
    expect([400, 422], await answer.text()).toContain(answer.status);
  });

  it("a zero byte in a rejected line is the caller's mistake", async () => {
    const cookie = await signedIn();
    const send = (path: string, input: object) =>
      post(`/api/trpc/imports.${path}`, JSON.stringify({ json: { newsletterId, ...input } }), { cookie });
    const begun = await send("begin", { head: { fileName: null, statusRule: "active" } });
    const { importId } = (await begun.json()).result.data.json;
    const rejected = [{ line: 2, text: "a\0", reason: "no address" }];
    const answer = await send("upload", { importId, part: 0, rows: [], rejected });
    expect([400, 422], await answer.text()).toContain(answer.status);
  });

  const added = (at: string) => ({
    filters: [{ match: "all", conditions: [{ about: "added", test: "after", at }], not: [] }],
  });
  it.each([
    ["imports.list", { cursor: 2 ** 40 }],
    ["people.matching", { filter: added("-200000-01-01T00:00:00Z") }],
    ["people.matching", { filter: added("0000-01-01T00:00:00Z") }],
    ["requests.page", { view: { answer: "x".repeat(1_000_000).slice(0, 3_000) } }],
  ])("%s %j is the caller's mistake", async (path, input) => {
    const asked = encodeURIComponent(JSON.stringify({ json: { newsletterId, ...input } }));
    const answer = await fetch(`${origin}/api/trpc/${path}?input=${asked}`, {
      headers: { cookie: await signedIn() },
    });
    expect([400, 422], await answer.text()).toContain(answer.status);
  });
});

it("scrubbing a long log line takes time proportional to its length", () => {
  const long = "a".repeat(200_000);
  const before = process.cpuUsage();
  expect(scrub(long)).toBe(long);
  expect(scrub(`${long}@${long}`)).toHaveLength(400_001);
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(1_000);
  expect(scrub("ada.lovelace@example.org wrote")).not.toContain("ada.lovelace@");
});

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * Lists the places in a schema where a text or a list has no limit. A custom rule states its limit in the description.
 */
function unbounded(schema: Schema, path: string, defs = schema.$defs ?? {}): string[] {
  if (schema.$ref) return unbounded(defs[schema.$ref.replace("#/$defs/", "")] as Schema, path, defs);
  const { properties = {}, items, anyOf = [], allOf = [], description = "" } = schema;
  const types = [schema.type].flat();
  const fixed = schema.enum !== undefined || schema.const !== undefined || schema.format !== undefined;
  const bounded = schema.maxLength !== undefined || /at most \d+ characters/.test(description);
  const own =
    (types.includes("string") && !fixed && !bounded) ||
    (types.includes("array") && schema.maxItems === undefined);
  const inside = [
    ...Object.entries(properties).map(([name, one]) => [one, `${path}.${name}`]),
    ...[...anyOf, ...allOf].map((one) => [one, path]),
    ...(items ? [[items, `${path}[]`]] : []),
  ] as [Schema, string][];
  return [...(own ? [path] : []), ...inside.flatMap(([one, at]) => unbounded(one, at, defs))];
}

it("every text and list in a procedure's input has a limit", () => {
  const procedures = (appRouter._def as unknown as { procedures: Record<string, Procedure> }).procedures;
  const found = Object.entries(procedures).flatMap(([name, { _def }]) =>
    _def.inputs.flatMap((input) =>
      unbounded(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }), name),
    ),
  );
  expect(Object.keys(procedures).length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
type Procedure = { _def: { inputs: z.ZodType[] } };
