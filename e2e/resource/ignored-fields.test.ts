import { afterAll, beforeAll, expect, it } from "vitest";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

it("Ignored-Fields names unknown members of every body that was read; without any the header is absent", async () => {
  const { key } = await api.at.tenant();
  const ask = async (method: string, path: string, json: unknown, more: Record<string, string> = {}) => {
    const { status, headers, json: answer } = await api.ask(key, method, path, { json, headers: more });
    return { ignored: [status, headers["ignored-fields"]], data: answer.data };
  };
  const post = (path: string, json: unknown, more?: Record<string, string>) => ask("POST", path, json, more);
  const ada = { email: "ada@example.org", vip: true, merge_fields: {} };
  const once = { "Idempotency-Key": "one" };
  const first = await post(SUBSCRIBERS, ada, once);
  expect(first.ignored).toEqual([201, "vip, merge_fields"]);
  expect(Object.keys(first.data)).toEqual(["id", "email", "name", "status", "created_at"]);
  expect((await post(SUBSCRIBERS, ada, once)).ignored).toEqual([201, "vip, merge_fields"]);
  expect((await post(SUBSCRIBERS, ada)).ignored).toEqual([422, "vip, merge_fields"]);
  expect((await post(SUBSCRIBERS, { emial: "x" })).ignored).toEqual([422, "emial"]);
  const bulk = [
    { email: "b1@example.org", vip: true },
    { email: "b2@example.org", "a b": 1, vip: false },
  ];
  expect((await post(`${SUBSCRIBERS}/bulk`, bulk)).ignored).toEqual([201, "vip, a%20b"]);
  const put = await ask("PUT", `${SUBSCRIBERS}/${first.data.id}`, { name: "Ada", id: "mine" });
  expect(put.ignored).toEqual([200, "id"]);
  const optOut = [{ email: "out@example.org", reason: "manual", note: "by mail" }];
  expect((await post("/api/v1/suppressions", optOut)).ignored).toEqual([201, "note"]);
  const dry = await post(`${SUBSCRIBERS}?dry_run=true`, { email: "new@example.org", vip: true });
  expect(dry.ignored).toEqual([200, "vip"]);
  expect((await post(SUBSCRIBERS, { email: "plain@example.org" })).ignored).toEqual([201, undefined]);
  const unread = await post(SUBSCRIBERS, ada, { "Content-Type": "text/plain" });
  expect(unread.ignored).toEqual([415, undefined]);
});
