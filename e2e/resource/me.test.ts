import { afterAll, beforeAll, expect, it } from "vitest";
import { type Api, openApi } from "./app";

let api: Api;
beforeAll(async () => {
  api = await openApi({ RATE_LIMIT: "5/d", RATE_LIMIT_BULK: "4/d", RATE_LIMIT_ME: "3/d" });
});
afterAll(() => api?.close());

it("a key test has its own limit, separate from all other requests", async () => {
  const { key } = await api.at.tenant();
  const test = () => api.ask(key, "GET", "/api/v1/me");
  for (const left of [2, 1, 0]) {
    const { status, headers, json } = await test();
    expect([status, headers["ratelimit-policy"], headers["x-ratelimit-remaining"]]).toEqual([
      200,
      '"day";q=3;w=86400',
      String(left),
    ]);
    const { single, bulk } = json.data.rate_limits;
    expect([single[0].remaining, bulk[0].remaining]).toEqual([5, 4]);
  }
  const rejected = await test();
  expect([rejected.status, rejected.json.code]).toEqual([429, "rate_limit_exceeded"]);
  expect(rejected.headers["retry-after"]).toBe(String(rejected.json.errors.retry_after));
  const list = await api.ask(key, "GET", "/api/v1/subscribers");
  expect([list.status, list.headers["x-ratelimit-remaining"]]).toEqual([200, "4"]);
});
