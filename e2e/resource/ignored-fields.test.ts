import { afterAll, beforeAll, expect, it } from "vitest";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

it("unknown members are ignored and named in Ignored-Fields; without any the header is absent", async () => {
  const { key } = await api.at.tenant();
  const post = (path: string, json: unknown, headers = {}) => api.ask(key, "POST", path, { json, headers });
  const plain = await post(SUBSCRIBERS, { email: "plain@example.org", name: "Ada", status: "active" });
  expect([plain.status, plain.headers["ignored-fields"]]).toEqual([201, undefined]);

  const single = await post(SUBSCRIBERS, { email: "ada@example.org", vip: true, merge_fields: {} });
  expect([single.status, single.headers["ignored-fields"]]).toEqual([201, "vip, merge_fields"]);
  expect(Object.keys(single.json.data)).toEqual(["id", "email", "name", "status", "created_at"]);
  const bulk = await post(`${SUBSCRIBERS}/bulk`, [
    { email: "b1@example.org", vip: true },
    { email: "b2@example.org", "a b": 1, vip: false },
  ]);
  expect([bulk.status, bulk.headers["ignored-fields"]]).toEqual([201, "vip, a%20b"]);
  const path = `${SUBSCRIBERS}/${single.json.data.id}`;
  const put = await api.ask(key, "PUT", path, { json: { name: "Ada", id: "mine" } });
  expect([put.status, put.headers["ignored-fields"]]).toEqual([200, "id"]);
  const suppressed = await post("/api/v1/suppressions", [
    { email: "out@example.org", reason: "manual", note: "by mail" },
  ]);
  expect([suppressed.status, suppressed.headers["ignored-fields"]]).toEqual([201, "note"]);
  const dry = await post(`${SUBSCRIBERS}?dry_run=true`, { email: "new@example.org", vip: true });
  expect([dry.status, dry.headers["ignored-fields"]]).toEqual([200, "vip"]);
});

it("rejections name them after the body was read, and so does a repeat with the same Idempotency-Key", async () => {
  const { key } = await api.at.tenant();
  const json = { email: "ada@example.org", vip: true };
  const once = { json, headers: { "Idempotency-Key": "one" } };
  const first = await api.ask(key, "POST", SUBSCRIBERS, once);
  const again = await api.ask(key, "POST", SUBSCRIBERS, once);
  for (const { headers } of [first, again]) expect(headers["ignored-fields"]).toBe("vip");
  expect(again.headers["idempotency-replayed"]).toBe("true");
  const taken = await api.ask(key, "POST", SUBSCRIBERS, { json });
  expect([taken.json.code, taken.headers["ignored-fields"]]).toEqual(["email_already_subscribed", "vip"]);
  const bad = await api.ask(key, "POST", SUBSCRIBERS, { json: { emial: "ada@example.org" } });
  expect([bad.json.code, bad.headers["ignored-fields"]]).toEqual(["validation_error", "emial"]);
  const unread = await api.ask(key, "POST", SUBSCRIBERS, { json, headers: { "Content-Type": "text/plain" } });
  expect([unread.status, unread.headers["ignored-fields"]]).toEqual([415, undefined]);
});
