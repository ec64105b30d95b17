import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../server/kernel/ids";
import type { Filter } from "../../server/subscribers/schema/filter";
import { createSegment, removeSegment } from "../../server/subscribers/segments";
import type { Tenant } from "../contract/installation";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";
const SEGMENTS = "/api/v1/segments";

let api: Api;
let tenant: Tenant;
let newsletter: { id: string; accountId: string };
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  tenant = await api.at.tenant();
  const { id, accountId } = await api.app.db.newsletter.findUniqueOrThrow({
    where: { id: tenant.newsletterId },
  });
  newsletter = { id, accountId };
});
afterAll(() => api?.close());

const ctx = () => ({ db: api.app.db, actor: { kind: "operator" as const }, requestId: "test" });
const save = (name: string, filter: Filter) =>
  createSegment(ctx(), newsletter, { name, filter, order: "newest", columns: null });
const get = (path: string, key = tenant.key) => api.ask(key, "GET", path);
const pending: Filter = { match: "all", conditions: [{ about: "status", is: ["pending"] }], not: [] };

it("segments are listed by name with their ids, without their conditions", async () => {
  expect((await get(SEGMENTS)).json.data).toEqual([]);
  const two = await save("Silent", pending);
  const one = await save("bounced", {
    match: "any",
    conditions: [{ about: "mail", is: ["bounced"] }],
    not: [],
  });
  const { status, json } = await get(SEGMENTS);
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect([status, json.data]).toEqual([
    200,
    [
      { id: one.id, name: "bounced", created_at },
      { id: two.id, name: "Silent", created_at },
    ],
  ]);
  expect((await get(SEGMENTS, (await api.at.tenant()).key)).json.data).toEqual([]);
  expect((await api.ask(tenant.key, "POST", SEGMENTS, { json: {} })).status).toBe(405);
  expect((await get(`${SEGMENTS}?name=x`)).status).toBe(400);
});

it("the list returns a segment's people in pages, together with other filters", async () => {
  const { id } = await save("Pending", pending);
  const people = Array.from({ length: 5 }, (_, i) => ({
    email: `p${i}@example.org`,
    status: i < 3 ? "pending" : "active",
    tags: i === 0 ? ["vip"] : [],
  }));
  expect((await api.ask(tenant.key, "POST", `${SUBSCRIBERS}/bulk`, { json: people })).status).toBe(201);
  const emails = async (query: string) => {
    const { json } = await get(`${SUBSCRIBERS}?segment=${id}${query}`);
    const shown = json.data.map(({ email }: { email: string }) => email[1]);
    return { shown: shown.sort().join(""), total: json.pagination.total, next: json.pagination.next_cursor };
  };
  expect(await emails("")).toEqual({ shown: "012", total: 3, next: null });
  const first = await emails("&limit=2");
  const second = await emails(`&limit=2&cursor=${first.next}`);
  expect([first.total, second.total, second.next]).toEqual([3, 3, null]);
  expect([...first.shown, ...second.shown].sort().join("")).toBe("012");
  expect((await emails("&tag=VIP")).shown).toBe("0");
  expect((await emails("&status=active")).total).toBe(0);
});

it("an unknown segment is 400 and names the list of segments; so is one with a deleted field", async () => {
  const { id } = await save("Pending", pending);
  const stranger = await api.at.tenant();
  const unknown = await get(`${SUBSCRIBERS}?segment=${newId()}`);
  const theirs = await get(`${SUBSCRIBERS}?segment=${id}`, stranger.key);
  const noId = await get(`${SUBSCRIBERS}?segment=Pending`);
  for (const { status, json } of [unknown, theirs, noId]) {
    expect([status, json.code, Object.keys(json.errors)]).toEqual([400, "validation_error", ["segment"]]);
    expect(json.message).toContain("GET /api/v1/segments lists");
  }
  await api.ask(tenant.key, "POST", "/api/v1/fields", { json: { key: "company", type: "text" } });
  const asking = await save("Without", {
    match: "all",
    conditions: [],
    not: [{ about: "field", key: "company", test: "set" }],
  });
  const refused = await api.ask(tenant.key, "DELETE", "/api/v1/fields/company");
  expect([refused.status, Object.keys(refused.json.errors)]).toEqual([422, ["key"]]);
  expect(refused.json.message).toContain("The segment Without uses this field.");
  await api.at.sql("UPDATE fields SET deleted_at = now() WHERE newsletter_id = $1 RETURNING 1", [
    tenant.newsletterId,
  ]);
  const gone = await get(`${SUBSCRIBERS}?segment=${asking.id}`);
  expect([gone.status, gone.json.errors.segment[0]]).toEqual([400, expect.stringContaining("company")]);
  await removeSegment(ctx(), newsletter, id);
  expect((await get(`${SUBSCRIBERS}?segment=${id}`)).status).toBe(400);
});
