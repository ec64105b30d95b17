import { afterAll, beforeAll, expect, it } from "vitest";
import type { ApiRequestRow } from "../../server/api-keys/queries/api-requests";
import { openRequestLog } from "../../server/api-keys/request-log";
import { deleteExpired } from "../../server/operations/queries/housekeeping";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

const rows = (newsletterId: string) =>
  api.at.sql<Record<string, unknown>>("SELECT * FROM api_requests WHERE newsletter_id = $1 ORDER BY id", [
    newsletterId,
  ]);

it("logs each request of a key with its input, result and validation errors", async () => {
  const { key, keyId, newsletterId } = await api.at.tenant();
  const [headers, path] = [{ "X-Request-Id": "mine-7" }, `${SUBSCRIBERS}/bulk`];
  const asked: [operation: string, status: number, code: string | null, rejected: string | null][] = [];
  const ask = async (
    expected: (typeof asked)[0],
    ...[method, where, more]: [string, string, Parameters<Api["ask"]>[3]?]
  ) => {
    expect((await api.ask(key, method, where, { headers, ...more })).status).toBe(expected[1]);
    asked.push(expected);
  };
  const ada = { email: "ada@lovelace.org", name: "Ada Lovelace", status: "pending" };
  await ask(["createSubscriber", 201, null, null], "POST", SUBSCRIBERS, { json: ada });
  await ask(["createSubscriber", 422, "email_already_subscribed", "email"], "POST", SUBSCRIBERS, {
    json: ada,
  });
  await ask(["createSubscriber", 422, "validation_error", "email, status"], "POST", SUBSCRIBERS, {
    json: { email: "no@body@x.org", status: "x@y.org" },
  });
  await ask(
    [
      "createSubscribers",
      422,
      "validation_error",
      "email: already_subscribed, email: tld ×2, name: invalid_type",
    ],
    "POST",
    path,
    {
      json: [ada, { email: "a@b.c1" }, { email: "b@b.c1", name: 7 }],
    },
  );
  await ask(["createSubscriber", 400, "validation_error", null], "POST", SUBSCRIBERS, {
    raw: '{"email": ada@x.org',
  });
  await ask(["listSubscribers", 400, "validation_error", "status"], "GET", `${SUBSCRIBERS}?status=a@b.org`);
  await ask(["listSubscribers", 200, null, null], "GET", `${SUBSCRIBERS}?email=ada@lovelace.org`);
  await ask(["getMe", 200, null, null], "GET", "/api/v1/me");
  await expect.poll(async () => (await rows(newsletterId)).length, { timeout: 20_000 }).toBe(asked.length);
  const kept = await rows(newsletterId);
  expect(kept.map((row) => [row.operation, row.status, row.code, row.rejected]).sort()).toEqual(
    [...asked].sort(),
  );
  for (const row of kept) {
    expect(row).toMatchObject({ api_key_id: keyId, request_id: "mine-7" });
    expect(row.duration_ms).toBeGreaterThanOrEqual(0);
    expect(Date.now() - (row.at as Date).getTime()).toBeLessThan(60_000);
    // No address and nothing else of a body, in any column.
    expect(JSON.stringify(row)).not.toMatch(/@|lovelace|Ada/);
  }
});

it("logs no request without a valid key or with an unknown path", async () => {
  const { key, newsletterId } = await api.at.tenant();
  await api.ask(undefined, "GET", SUBSCRIBERS);
  await api.ask(key, "GET", "/api/v1/nope/ada@lovelace.org");
  await api.ask(key, "GET", "/api/v1/me");
  await expect.poll(async () => (await rows(newsletterId)).length, { timeout: 20_000 }).toBe(1);
  expect(await rows(newsletterId)).toMatchObject([{ operation: "getMe" }]);
});

const entry = (more: Partial<ApiRequestRow>): ApiRequestRow => ({
  newsletterId: "01a1fab8-1f00-7a11-8000-5b1d5e1f0a01",
  apiKeyId: "01a1fab8-1f05-7bd2-9c3e-2f6f0a7b1c02",
  operation: "getMe",
  status: 200,
  code: null,
  requestId: "x",
  durationMs: 1,
  rejected: null,
  at: new Date(),
  ...more,
});

it("keeps at most 500 requests between two writes, and logs how many were dropped", async () => {
  const { newsletterId } = await api.at.tenant();
  const said: unknown[] = [];
  const log = openRequestLog(api.app.db, {
    info: (details: unknown) => said.push(details),
    warn: () => {},
  } as never);
  for (let i = 0; i < 1_700; i++) log.note(entry({ newsletterId }));
  await log.close();
  expect((await rows(newsletterId)).length).toBe(500);
  expect(said).toEqual([{ lost: 1_200 }]);
});

it("answers normally while its batches can't be written", async () => {
  const { key, newsletterId } = await api.at.tenant();
  await api.at.sql("ALTER TABLE api_requests RENAME TO api_requests_away");
  try {
    expect((await api.ask(key, "POST", SUBSCRIBERS, { json: { email: "a@example.org" } })).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await api.ask(key, "GET", SUBSCRIBERS)).json.pagination.total).toBe(1);
  } finally {
    await api.at.sql("ALTER TABLE api_requests_away RENAME TO api_requests");
  }
  expect((await api.ask(key, "GET", "/api/v1/me")).status).toBe(200);
  await expect
    .poll(async () => (await rows(newsletterId)).map((row) => row.operation), { timeout: 30_000 })
    .toContain("getMe");
});

it("housekeeping deletes requests older than 30 days and answers older than 24 hours, and nothing newer", async () => {
  const { key, keyId, newsletterId } = await api.at.tenant();
  const day = 86_400_000;
  const log = openRequestLog(api.app.db, api.app.log);
  for (const age of [0, 29.9, 30.1, 90])
    log.note(
      entry({ newsletterId, apiKeyId: keyId, requestId: `age-${age}`, at: new Date(Date.now() - age * day) }),
    );
  await log.close();
  for (const [i, age] of ["23 hours 59 minutes", "24 hours 1 minute", "40 days"].entries()) {
    const headers = { "Idempotency-Key": age };
    await api.ask(key, "POST", SUBSCRIBERS, { headers, json: { email: `p${i}@example.org` } });
    await api.at.sql(
      "UPDATE idempotent_answers SET created_at = now() - $1::interval WHERE key = $1 AND api_key_id = $2",
      [age, keyId],
    );
  }
  const removed = await deleteExpired(api.app.db);
  expect(removed).toEqual({ "responses stored for Idempotency-Key": 2, "logged API requests": 2 });
  const left = (await rows(newsletterId))
    .map((row) => row.request_id)
    .filter((id) => String(id).startsWith("age-"));
  expect(left.sort()).toEqual(["age-0", "age-29.9"]);
  expect(await api.at.sql("SELECT key FROM idempotent_answers WHERE api_key_id = $1", [keyId])).toEqual([
    { key: "23 hours 59 minutes" },
  ]);
});
