import { expect, it } from "vitest";
import type { ApiRequestRow } from "../../server/api-keys/queries/api-requests";
import { openRequestLog } from "../../server/api-keys/request-log";
import { deleteExpired } from "../../server/operations/queries/housekeeping";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

const SOON = { timeout: 20_000 };

openApiForTests();

const rows = () =>
  api.at.sql<Record<string, unknown>>("SELECT * FROM api_requests WHERE newsletter_id = $1 ORDER BY id", [
    tenant.newsletterId,
  ]);

const ADA = { email: "ada@lovelace.org", name: "Ada Lovelace", status: "pending" };

it("logs each request of a key with its input, result and validation errors", async () => {
  type Logged = [operation: string, status: number, code: string | null, rejected: string | null];
  const bad = [ADA, { email: "a@b.c1" }, { email: "b@b.c1", name: 7 }];
  const badFields = "email: already_subscribed, email: tld ×2, name: invalid_type";
  const requests: [logged: Logged, method: string, path: string, json?: unknown][] = [
    [["createSubscriber", 201, null, null], "POST", SUBSCRIBERS, ADA],
    [["createSubscriber", 422, "email_already_subscribed", "email"], "POST", SUBSCRIBERS, ADA],
    [
      ["createSubscriber", 422, "validation_error", "email, status"],
      "POST",
      SUBSCRIBERS,
      { email: "no@body@x.org", status: "x@y.org" },
    ],
    [["createSubscribers", 422, "validation_error", badFields], "POST", `${SUBSCRIBERS}/bulk`, bad],
    [["listSubscribers", 400, "validation_error", "status"], "GET", `${SUBSCRIBERS}?status=a@b.org`],
    [["listSubscribers", 200, null, null], "GET", `${SUBSCRIBERS}?email=ada@lovelace.org`],
    [["getMe", 200, null, null], "GET", "/api/v1/me"],
  ];
  const headers = { "X-Request-Id": "mine-7" };
  for (const [, method, path, json] of requests) await ask(method, path, json, headers);
  await api.ask(tenant.key, "POST", SUBSCRIBERS, { raw: '{"email": ada@x.org', headers });
  const expected = [...requests.map(([one]) => one), ["createSubscriber", 400, "validation_error", null]];
  await expect.poll(async () => (await rows()).length, SOON).toBe(expected.length);
  const kept = await rows();
  const logged = kept.map((row) => [row.operation, row.status, row.code, row.rejected]);
  expect(logged.sort()).toEqual(expected.sort());
  for (const row of kept) {
    expect(row).toMatchObject({ api_key_id: tenant.keyId, request_id: "mine-7" });
    expect(row.duration_ms).toBeGreaterThanOrEqual(0);
    expect(Date.now() - (row.at as Date).getTime()).toBeLessThan(60_000);
    // No address and nothing else of a body, in any column.
    expect(JSON.stringify(row)).not.toMatch(/@|lovelace|Ada/);
  }
});

it("logs the code of a rejection that repeats for an Idempotency-Key", async () => {
  await ask("POST", SUBSCRIBERS, ADA);
  for (let i = 0; i < 2; i++) await ask("POST", SUBSCRIBERS, ADA, { "Idempotency-Key": "once" });
  await expect.poll(async () => (await rows()).length, SOON).toBe(3);
  const rejection = { code: "email_already_subscribed", rejected: "email" };
  expect((await rows()).filter(({ status }) => status === 422)).toMatchObject([rejection, rejection]);
});

it("logs no request without a valid key or with an unknown path", async () => {
  await api.ask(undefined, "GET", SUBSCRIBERS);
  await ask("GET", "/api/v1/nope/ada@lovelace.org");
  await ask("GET", "/api/v1/me");
  await expect.poll(async () => (await rows()).length, SOON).toBe(1);
  expect(await rows()).toMatchObject([{ operation: "getMe" }]);
});

const entry = (more: Partial<ApiRequestRow>): ApiRequestRow => ({
  newsletterId: tenant.newsletterId,
  apiKeyId: tenant.keyId,
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
  const said: unknown[] = [];
  const note = { info: (details: unknown) => said.push(details), warn: () => {} };
  const log = openRequestLog(api.app.db, note as never);
  for (let i = 0; i < 1_700; i++) log.note(entry({}));
  await log.close();
  expect((await rows()).length).toBe(500);
  expect(said).toEqual([{ lost: 1_200 }]);
});

it("answers normally while its batches can't be written", async () => {
  await api.at.sql("ALTER TABLE api_requests RENAME TO api_requests_away");
  try {
    expect((await ask("POST", SUBSCRIBERS, ADA)).status).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect((await ask("GET", SUBSCRIBERS)).json.pagination.total).toBe(1);
  } finally {
    await api.at.sql("ALTER TABLE api_requests_away RENAME TO api_requests");
  }
  await ask("GET", "/api/v1/me");
  const operations = async () => (await rows()).map((row) => row.operation);
  await expect.poll(operations, SOON).toContain("getMe");
});

it("housekeeping deletes requests older than 30 days and answers older than 24 hours, and nothing newer", async () => {
  const day = 86_400_000;
  const log = openRequestLog(api.app.db, api.app.log);
  for (const age of [29.9, 30.1])
    log.note(entry({ requestId: `age-${age}`, at: new Date(Date.now() - age * day) }));
  await log.close();
  for (const [i, age] of ["23 hours 59 minutes", "24 hours 1 minute"].entries()) {
    await ask("POST", SUBSCRIBERS, { email: `p${i}@example.org` }, { "Idempotency-Key": age });
    await api.at.sql(
      "UPDATE idempotent_answers SET created_at = now() - $1::interval WHERE key = $1 AND api_key_id = $2",
      [age, tenant.keyId],
    );
  }
  const removed = await deleteExpired(api.app.db);
  expect(removed).toEqual({ "responses stored for Idempotency-Key": 1, "logged API requests": 1 });
  const left = (await rows()).map((row) => String(row.request_id)).filter((id) => id.startsWith("age-"));
  expect(left).toEqual(["age-29.9"]);
  const answers = await api.at.sql("SELECT key FROM idempotent_answers WHERE api_key_id = $1", [
    tenant.keyId,
  ]);
  expect(answers).toEqual([{ key: "23 hours 59 minutes" }]);
});
