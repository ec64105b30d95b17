import { expect, it } from "vitest";
import { ask, openApiForTests, SUBSCRIBERS } from "./app";

openApiForTests();

async function addPerson(): Promise<string> {
  const { id } = (await ask("POST", SUBSCRIBERS, { email: "ada@example.org" })).json.data;
  return `${SUBSCRIBERS}/${id}`;
}

it("lists a person's activities in pages, newest first", async () => {
  const path = await addPerson();
  await ask("PUT", path, { name: "Ada" });
  await ask("PUT", path, { status: "pending" });
  await ask("DELETE", path);
  const all = (await ask("GET", `${path}/activity`)).json;
  expect(all.pagination).toEqual({ limit: 50, next_cursor: null });
  const types = all.data.map(({ type }: { type: string }) => type);
  expect(types.toReversed().slice(0, 2)).toEqual(["created", "updated"]);
  expect(types.sort()).toEqual([
    "asked",
    "cancelled",
    "created",
    "status_changed",
    "unsubscribed",
    "updated",
  ]);
  expect(all.data.at(-1)).toMatchObject({ id: path.split("/").at(-1), by: { kind: "api_key" }, detail: {} });
  const met: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { json } = await ask("GET", `${path}/activity?limit=4${cursor && `&cursor=${cursor}`}`);
    expect([json.pagination.limit, json.data.length <= 4]).toEqual([4, true]);
    met.push(...json.data);
    cursor = json.pagination.next_cursor;
  }
  expect(met).toEqual(all.data);
});

it.each(["limit=0", "limit=101", "cursor=", "cursor=AaH6uCIdc8y_b4i7-BHOPA", "cursor=a*b", "cursor=abcde"])(
  "?%s is 400",
  async (query) => {
    const { status, json } = await ask("GET", `${await addPerson()}/activity?${query}`);
    expect([status, Object.keys(json.errors)]).toEqual([400, [query.split("=")[0]]]);
  },
);
