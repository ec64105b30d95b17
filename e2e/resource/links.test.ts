import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { handlePublic } from "../../server/public/handler";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";
const APP_URL = "https://list.example.org";
const NOBODY = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";

let api: Api;
beforeAll(async () => {
  api = await openApi({ APP_URL });
});
afterAll(() => api?.close());

const linksOf = (key: string, id: string) => api.ask(key, "POST", `${SUBSCRIBERS}/${id}/links`);
const linksOfMany = (key: string, json: unknown) => api.ask(key, "POST", `${SUBSCRIBERS}/links`, { json });

async function add(key: string, count: number): Promise<string[]> {
  const json = Array.from({ length: count }, (_, i) => ({ email: `person-${i}@example.org` }));
  const answer = await api.ask(key, "POST", `${SUBSCRIBERS}/bulk`, { json });
  expect(answer.status).toBe(201);
  return answer.json.data.created.map(({ id }: { id: string }) => id);
}
const traces = (newsletterId: string) =>
  api.at.sql(
    `SELECT (SELECT json_agg(s ORDER BY id) FROM subscribers s WHERE newsletter_id = $1)::text AS people,
       (SELECT count(*) FROM subscriber_events WHERE newsletter_id = $1) AS events,
       (SELECT count(*) FROM audit_entries WHERE newsletter_id = $1) AS entries`,
    [newsletterId],
  );

describe("the links of one person", () => {
  it("are absolute, stable, and unsubscribe only this person", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const [id, other] = (await add(key, 2)) as [string, string];
    const before = await traces(newsletterId);
    const { status, json } = await linksOf(key, id);
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        data: { id, unsubscribe: expect.stringMatching(/^https:\/\/list\.example\.org\/unsubscribe\//) },
      },
    ]);
    expect((await linksOf(key, id)).json).toEqual(json);
    expect((await linksOf(key, id.toUpperCase())).json).toEqual(json);
    expect(await traces(newsletterId)).toEqual(before);

    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    const request = new Request(json.data.unsubscribe, { method: "POST", body });
    expect((await handlePublic(api.app, request, "203.0.113.7")).status).toBe(200);
    const people = (await api.ask(key, "GET", SUBSCRIBERS)).json.data;
    expect(people.map((one: { id: string; status: string }) => [one.id, one.status])).toEqual([
      [other, "active"],
      [id, "unsubscribed"],
    ]);
    const [activity] = (await api.ask(key, "GET", `${SUBSCRIBERS}/${id}/activity`)).json.data;
    expect(activity).toMatchObject({
      type: "unsubscribed",
      by: { kind: "person" },
      address: "203.0.113.7",
    });
    // Other tests' transactions hold changes back for a while.
    const lastChange = async () => (await api.ask(key, "GET", "/api/v1/changes")).json.data.at(-1);
    await expect
      .poll(lastChange, { timeout: 60_000 })
      .toMatchObject({ type: "unsubscribed", subscriber_id: id });
  });

  it("exist for pending and unsubscribed people, but not for erased people", async () => {
    const { key } = await api.at.tenant();
    const [id] = (await add(key, 1)) as [string];
    await api.ask(key, "DELETE", `${SUBSCRIBERS}/${id}`);
    expect((await linksOf(key, id)).status).toBe(200);
    await api.ask(key, "PUT", `${SUBSCRIBERS}/${id}`, { json: { status: "pending" } });
    expect((await linksOf(key, id)).status).toBe(200);
    await api.ask(key, "DELETE", `${SUBSCRIBERS}/${id}?erase=true`);
    expect((await linksOf(key, id)).json.code).toBe("not_found");
  });
});

describe("the links of many", () => {
  it("have the order of the request; unknown people are listed", async () => {
    const { key, newsletterId } = await api.at.tenant();
    const stranger = await api.at.tenant();
    const [one, two, three] = (await add(key, 3)) as [string, string, string];
    const [foreign] = (await add(stranger.key, 1)) as [string];
    const before = await traces(newsletterId);
    const { status, json } = await linksOfMany(key, [three, NOBODY, one.toUpperCase(), foreign, two, one]);
    expect([status, json.data.skipped]).toEqual([
      200,
      [
        { index: 1, id: NOBODY, reason: "not_found" },
        { index: 3, id: foreign, reason: "not_found" },
      ],
    ]);
    const alone = await Promise.all(
      [three, one, two, one].map(async (id) => (await linksOf(key, id)).json.data),
    );
    expect(json.data.links).toEqual(alone);
    expect(await traces(newsletterId)).toEqual(before);
  });

  it("cover up to 1,000 people", async () => {
    const { key } = await api.at.tenant();
    const [id] = (await add(key, 1)) as [string];
    const most = await linksOfMany(key, Array(1_000).fill(id));
    expect([most.status, most.json.data.links.length]).toEqual([200, 1_000]);
    for (const json of [[], Array(1_001).fill(id), {}, null, id]) {
      const { status, json: body } = await linksOfMany(key, json);
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, "validation_error", ["body"]]);
    }
  });

  it("are rejected if any item is not an id, and every such item is named", async () => {
    const { key } = await api.at.tenant();
    const [id] = (await add(key, 1)) as [string];
    const { status, json } = await linksOfMany(key, [id, "x", 7, null, `${id} `]);
    expect([status, json.code]).toEqual([422, "validation_error"]);
    expect(json.items.map(({ index, field, code }: Record<string, unknown>) => [index, field, code])).toEqual(
      [
        [1, "id", "invalid_format"],
        [2, "id", "invalid_type"],
        [3, "id", "invalid_type"],
        [4, "id", "invalid_format"],
      ],
    );
    expect(json.errors.id[0]).toBe("Item 2: The id must be a UUID, as returned by the API.");
    expect((await api.ask(key, "POST", `${SUBSCRIBERS}/links`, { raw: "[" })).status).toBe(400);
    expect((await api.ask(key, "GET", `${SUBSCRIBERS}/links`)).headers.allow).toBe("POST");
  });

  it("count as bulk requests", async () => {
    const limited = await openApi({ RATE_LIMIT_BULK: "1/d", RATE_LIMIT: "2/d" });
    try {
      const { key } = await limited.at.tenant();
      const many = () => limited.ask(key, "POST", `${SUBSCRIBERS}/links`, { json: [NOBODY] });
      expect([(await many()).status, (await many()).status]).toEqual([200, 429]);
      expect((await limited.ask(key, "POST", `${SUBSCRIBERS}/${NOBODY}/links`)).status).toBe(404);
    } finally {
      await limited.close();
    }
  });
});
