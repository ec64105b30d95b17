import { describe, expect, it } from "vitest";
import { handlePublic } from "../../server/public/handler";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

const NOBODY = "01a1fab8-221d-73cc-bf6f-88bbf811ce3c";

openApiForTests({ APP_URL: "https://list.example.org" });

const linksOf = (id: string) => ask("POST", `${SUBSCRIBERS}/${id}/links`);
const linksOfMany = (json: unknown) => ask("POST", `${SUBSCRIBERS}/links`, json);

async function add(count: number): Promise<string[]> {
  const people = Array.from({ length: count }, (_, i) => ({ email: `person-${i}@example.org` }));
  const { data } = (await ask("POST", `${SUBSCRIBERS}/bulk`, people)).json;
  return data.created.map(({ id }: { id: string }) => id);
}
const traces = () =>
  api.at.sql(
    `SELECT (SELECT json_agg(s ORDER BY id) FROM subscribers s WHERE newsletter_id = $1)::text AS people,
       (SELECT count(*) FROM subscriber_events WHERE newsletter_id = $1) AS events,
       (SELECT count(*) FROM audit_entries WHERE newsletter_id = $1) AS entries`,
    [tenant.newsletterId],
  );

it("the links of one person are absolute, stable, and unsubscribe only this person", async () => {
  const [id, other] = (await add(2)) as [string, string];
  const before = await traces();
  const { status, json } = await linksOf(id);
  const unsubscribe = expect.stringMatching(/^https:\/\/list\.example\.org\/unsubscribe\//);
  expect([status, json]).toEqual([200, { success: true, data: { id, unsubscribe } }]);
  expect((await linksOf(id.toUpperCase())).json).toEqual(json);
  expect(await traces()).toEqual(before);

  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const request = new Request(json.data.unsubscribe, { method: "POST", body });
  expect((await handlePublic(api.app, request, "203.0.113.7")).status).toBe(200);
  const people = (await ask("GET", SUBSCRIBERS)).json.data;
  expect(people).toMatchObject([
    { id: other, status: "active" },
    { id, status: "unsubscribed" },
  ]);
  const [activity] = (await ask("GET", `${SUBSCRIBERS}/${id}/activity`)).json.data;
  expect(activity).toMatchObject({ type: "unsubscribed", by: { kind: "person" }, address: "203.0.113.7" });
  expect((await linksOf(id)).json).toEqual(json);
  await ask("DELETE", `${SUBSCRIBERS}/${id}?erase=true`);
  expect((await linksOf(id)).json.code).toBe("not_found");
});

describe("the links of many", () => {
  it("have the order of the request; unknown people are listed", async () => {
    const [one, two, three] = (await add(3)) as [string, string, string];
    const stranger = await api.at.tenant();
    const theirs = await api.ask(stranger.key, "POST", SUBSCRIBERS, { json: { email: "p@example.org" } });
    const foreign = theirs.json.data.id;
    const before = await traces();
    const { status, json } = await linksOfMany([three, NOBODY, one.toUpperCase(), foreign, two, one]);
    expect([status, json.data.skipped]).toEqual([
      200,
      [
        { index: 1, id: NOBODY, reason: "not_found" },
        { index: 3, id: foreign, reason: "not_found" },
      ],
    ]);
    const alone = [three, one, two, one].map(async (id) => (await linksOf(id)).json.data);
    expect(json.data.links).toEqual(await Promise.all(alone));
    expect(await traces()).toEqual(before);
  });

  it("cover up to 1,000 people", async () => {
    const most = await linksOfMany(Array(1_000).fill(NOBODY));
    expect([most.status, most.json.data.skipped.length]).toEqual([200, 1_000]);
    for (const json of [[], Array(1_001).fill(NOBODY), {}, null]) {
      const { status, json: body } = await linksOfMany(json);
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, "validation_error", ["body"]]);
    }
  });

  it("are rejected if any item is not an id, and every such item is named", async () => {
    const { status, json } = await linksOfMany([NOBODY, "x", 7, null, `${NOBODY} `]);
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
  });
});
