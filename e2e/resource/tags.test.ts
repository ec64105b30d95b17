import { describe, expect, it } from "vitest";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

const TAGS = "/api/v1/tags";

openApiForTests();

const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
const add = async (...lists: string[][]) => {
  const people = lists.map((tags, i) => ({ email: `p${i}@example.org`, tags }));
  expect((await ask("POST", `${SUBSCRIBERS}/bulk`, people)).status).toBe(201);
};
/** The people's tags, oldest first, for a query. */
const tagsOf = async (query = "") => {
  const { json } = await ask("GET", `${SUBSCRIBERS}?include=tags&sort=email&${query}`);
  return json.data.map(({ tags }: { tags: string[] }) => tags);
};
/** The addresses of the people in the change feed's table. Open transactions of other tests hold the feed itself back. */
const changes = async () =>
  (
    await api.at.sql(
      `SELECT s.email FROM changes c JOIN subscribers s ON s.id = c.subscriber_id
       WHERE c.newsletter_id = $1 ORDER BY c.xid, s.email`,
      [tenant.newsletterId],
    )
  ).map(({ email }) => email);
const list = async () => (await ask("GET", TAGS)).json.data;
it("tags are listed by name with the number of subscribers of any status; a newsletter without tags has none", async () => {
  expect(await list()).toEqual([]);
  await add(["vip", "Zoo"], ["VIP", "a b"], []);
  await ask("DELETE", `${SUBSCRIBERS}/p0@example.org`);
  const tag = (name: string, subscribers: number) => ({ name, subscribers, merging: 0, created_at });
  expect(await list()).toEqual([tag("a b", 1), tag("vip", 2), tag("Zoo", 1)]);
  const stranger = await api.at.tenant();
  expect((await api.ask(stranger.key, "GET", TAGS)).json.data).toEqual([]);
});

describe("PATCH and PUT", () => {
  it.each(["PATCH", "PUT"])("%s renames at once", async (method) => {
    await add(["vip", "x"]);
    const { status, json } = await ask(method, `${TAGS}/VIP`, { name: " Customer" });
    expect([status, json.data]).toEqual([200, { name: "Customer", subscribers: 1, merging: 0, created_at }]);
    expect(await tagsOf("tag=customer")).toEqual([["Customer", "x"]]);
    expect(await tagsOf("tag=vip")).toEqual([]);
  });

  it("merges into the tag that has the name, and the subscribers appear in the change feed", async () => {
    await add(["old", "x"], ["old", "new"], ["new"]);
    const before = await changes();
    const { status, json } = await ask("PATCH", `${TAGS}/old`, { name: "NEW" });
    expect([status, json.data]).toEqual([200, { name: "new", subscribers: 3, merging: 0, created_at }]);
    expect(await tagsOf()).toEqual([["new", "x"], ["new"], ["new"]]);
    const changed = (await changes()).slice(before.length).sort();
    expect(changed).toEqual(["p0@example.org", "p1@example.org"]);
    expect((await ask("PATCH", `${TAGS}/old`, { name: "other" })).status).toBe(404);
  });

  it.each([{}, { name: "" }, { name: "x".repeat(65) }, { name: 1 }, { name: "a\nb" }, { name: null }, []])(
    "%j is rejected",
    async (body) => {
      await add(["vip"]);
      const { status, json } = await ask("PATCH", `${TAGS}/vip`, body);
      expect([status, json.code]).toEqual([422, "validation_error"]);
      expect(await list()).toMatchObject([{ name: "vip" }]);
    },
  );
});

describe("DELETE", () => {
  it("removes the tag from everybody and returns it as it was", async () => {
    await add(["vip", "x"], ["VIP"]);
    const { status, json } = await ask("DELETE", `${TAGS}/Vip`);
    expect([status, json.data]).toEqual([200, { name: "vip", subscribers: 2, merging: 0, created_at }]);
    expect(await tagsOf()).toEqual([["x"], []]);
    expect((await ask("DELETE", `${TAGS}/vip`)).status).toBe(404);
    expect(await list()).toMatchObject([{ name: "x" }]);
  });
});

it.each([
  "conference 2026",
  "a/b",
  "100%",
  "?x=1#y",
  "{name}",
  "Ünïcode 🎉",
  "e\u0301t\u00e9",
  "a+b",
  "bulk",
])("the name %s is found in a path when it is encoded, in any case", async (name) => {
  await add([name]);
  const other = await api.at.tenant();
  const path = `${TAGS}/${encodeURIComponent(name.toUpperCase())}`;
  expect((await api.ask(other.key, "DELETE", path)).status).toBe(404);
  expect((await ask("PATCH", path, { name: "found" })).json.data).toMatchObject({ name: "found" });
  expect(await tagsOf()).toEqual([["found"]]);
});

it("a path that is no encoded name is 404, and other methods are 405", async () => {
  await add(["vip"]);
  for (const path of [`${TAGS}/%E0%A4%A`, `${TAGS}/vip/x`, `${TAGS}/none`])
    expect((await ask("DELETE", path)).status).toBe(404);
  const posted = await ask("POST", `${TAGS}/vip`, { name: "x" });
  expect([posted.status, posted.headers.allow]).toEqual([405, "PUT, PATCH, DELETE"]);
  expect((await ask("POST", TAGS, { name: "x" })).headers.allow).toBe("GET, HEAD");
});
