import { expect, it } from "vitest";
import { newId } from "../../server/kernel/ids";
import type { Filter } from "../../server/subscribers/schema/filter";
import { createSegment } from "../../server/subscribers/segments";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

const SEGMENTS = "/api/v1/segments";

openApiForTests();

const pending: Filter = { match: "all", conditions: [{ about: "status", is: ["pending"] }], not: [] };
function save(name: string, filter = pending) {
  const ctx = { db: api.app.db, actor: { kind: "operator" } as const, requestId: "test" };
  const { newsletterId, accountId } = tenant;
  return createSegment(ctx, { newsletterId, accountId, name, filter, order: "newest", columns: null });
}

it("segments are listed by name with their ids, without their conditions", async () => {
  const [two, one] = [await save("Silent"), await save("bounced")];
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect((await ask("GET", SEGMENTS)).json.data).toEqual([
    { id: one.id, name: "bounced", created_at },
    { id: two.id, name: "Silent", created_at },
  ]);
});

it("the list returns a segment's people in pages, together with other filters", async () => {
  const { id } = await save("Pending");
  const people = Array.from({ length: 5 }, (_, i) => ({
    email: `p${i}@example.org`,
    status: i < 3 ? "pending" : "active",
    tags: i === 0 ? ["vip"] : [],
  }));
  expect((await ask("POST", `${SUBSCRIBERS}/bulk`, people)).status).toBe(201);
  const read = async (query: string) => {
    const { data, pagination } = (await ask("GET", `${SUBSCRIBERS}?segment=${id}${query}`)).json;
    const shown = data.map(({ email }: { email: string }) => email[1]).join("");
    return { shown, total: pagination.total, next: pagination.next_cursor };
  };
  expect(await read("")).toEqual({ shown: "210", total: 3, next: null });
  const first = await read("&limit=2");
  expect(first).toMatchObject({ shown: "21", total: 3 });
  expect(await read(`&limit=2&cursor=${first.next}`)).toEqual({ shown: "0", total: 3, next: null });
  expect((await read("&tag=VIP")).shown).toBe("0");
  expect((await read("&status=active")).total).toBe(0);
});

it("an unknown segment is 400 and names the list of segments; so is one with a deleted field", async () => {
  const company = { about: "field", key: "company", test: "set" } as const;
  await ask("POST", "/api/v1/fields", { key: "company", type: "text" });
  const { id } = await save("Without", { match: "all", conditions: [], not: [company] });
  await api.at.sql("UPDATE fields SET deleted_at = now() WHERE newsletter_id = $1", [tenant.newsletterId]);
  const unusable = (await ask("GET", `${SUBSCRIBERS}?segment=${id}`)).json;
  expect(unusable.errors.segment[0]).toContain("company");
  const stranger = await api.at.tenant();
  for (const { status, json } of [
    await ask("GET", `${SUBSCRIBERS}?segment=${newId()}`),
    await ask("GET", `${SUBSCRIBERS}?segment=Pending`),
    await api.ask(stranger.key, "GET", `${SUBSCRIBERS}?segment=${id}`),
  ]) {
    expect([status, json.code, Object.keys(json.errors)]).toEqual([400, "validation_error", ["segment"]]);
    expect(json.message).toContain("GET /api/v1/segments lists");
  }
});
