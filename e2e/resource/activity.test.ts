import { afterAll, beforeAll, expect, it } from "vitest";
import { type Api, openApi } from "./app";

const SUBSCRIBERS = "/api/v1/subscribers";

let api: Api;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api?.close());

type Entry = { id: string; type: string; by: { kind: string; name: string } | null; detail: object };

/** All pages of a person's activity; `between` runs after each. */
async function pagesOf(
  key: string,
  id: string,
  limit: number,
  between: () => Promise<unknown> = async () => {},
) {
  const seen: Entry[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : "";
    const page = await api.ask(key, "GET", `${SUBSCRIBERS}/${id}/activity?limit=${limit}${query}`);
    expect([page.status, page.json.pagination.limit]).toEqual([200, limit]);
    expect(page.json.data.length).toBeLessThanOrEqual(limit);
    seen.push(...page.json.data);
    cursor = page.json.pagination.next_cursor;
    await between();
  } while (cursor);
  return seen;
}

it("lists a person's activities, newest first, each once while others are added", async () => {
  const { key } = await api.at.tenant();
  const created = await api.ask(key, "POST", SUBSCRIBERS, { json: { email: "ada@example.org" } });
  const { id } = created.json.data;
  let names = 0;
  const rename = () => api.ask(key, "PUT", `${SUBSCRIBERS}/${id}`, { json: { name: `Ada ${++names}` } });
  for (let i = 0; i < 9; i++) await rename();
  await api.ask(key, "PUT", `${SUBSCRIBERS}/${id}`, { json: { status: "pending" } });
  await api.ask(key, "DELETE", `${SUBSCRIBERS}/${id}`);
  const all = await pagesOf(key, id, 100);
  expect(
    all
      .map(({ type }) => type)
      .reverse()
      .slice(0, 10),
  ).toEqual(["created", ...Array(9).fill("updated")]);
  expect(
    all
      .map(({ type }) => type)
      .sort()
      .slice(0, 3),
  ).toEqual(["asked", "cancelled", "created"]);
  expect(all.at(-1)).toMatchObject({ id, by: { kind: "api_key" }, detail: {} });
  expect(all.filter(({ type }) => type === "unsubscribed")).toMatchObject([{ by: { kind: "api_key" } }]);
  for (const limit of [1, 3, 100]) {
    const before = (await pagesOf(key, id, 100)).map((entry) => entry.id);
    const seen = (await pagesOf(key, id, limit, rename)).map((entry) => entry.id);
    expect(seen.filter((one) => before.includes(one))).toEqual(before);
    expect(new Set(seen).size).toBe(seen.length);
  }
});

it.each(["limit=0", "limit=101", "cursor=", "cursor=AaH6uCIdc8y_b4i7-BHOPA", "cursor=a*b", "cursor=abcde"])(
  "?%s is 400",
  async (query) => {
    const { key } = await api.at.tenant();
    const created = await api.ask(key, "POST", SUBSCRIBERS, { json: { email: "ada@example.org" } });
    const answer = await api.ask(key, "GET", `${SUBSCRIBERS}/${created.json.data.id}/activity?${query}`);
    expect([answer.status, Object.keys(answer.json.errors)]).toEqual([400, [query.split("=")[0]]]);
  },
);
