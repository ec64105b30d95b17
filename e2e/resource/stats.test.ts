import { expect, it } from "vitest";
import { getOverview } from "../../server/operations/overview";
import { withClient } from "../../server/platform/postgres/sessions";
import { indexNewest } from "../../server/subscribers/queries/search-index";
import { api, ask, openApiForTests, SUBSCRIBERS, tenant } from "./app";

openApiForTests();

const STATS = "/api/v1/stats";
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const stats = async (query = "") => (await ask("GET", STATS + query)).json.data;

let minute = 0;

/** Adds somebody after noon UTC of a past day, each in another minute; `left`: who unsubscribed at noon of another. */
const addOn = (email: string, joined: number, left: number | null = null) =>
  api.at.sql(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source, created_at, unsubscribed_at)
     VALUES ($1, uuid_at($3::timestamptz), $2, $2, CASE WHEN $4::text IS NULL THEN 'active' ELSE 'unsubscribed' END, 'api',
       $3::timestamptz, $4::timestamptz)`,
    [
      tenant.newsletterId,
      email,
      `${dayOf(joined)}T12:${10 + minute++}Z`,
      left === null ? null : `${dayOf(left)}T12:00Z`,
    ],
  );

it("counts subscribers by status now, and who joined and left on each UTC day, as the overview does", async () => {
  await addOn("a@example.org", 3);
  await addOn("b@example.org", 3, 1);
  await addOn("c@example.org", 1);
  await withClient(api.databaseUrl, (client) => indexNewest(client, tenant.newsletterId, 0));
  const people = ["d", "e", "f"].map((name) => ({
    email: `${name}@example.org`,
    status: name === "f" ? "pending" : "active",
  }));
  const { created } = (await ask("POST", `${SUBSCRIBERS}/bulk`, people)).json.data;
  await withClient(api.databaseUrl, (client) => indexNewest(client, tenant.newsletterId, -3600));
  await ask("DELETE", `${SUBSCRIBERS}/${created[0].id}`);
  await ask("DELETE", `${SUBSCRIBERS}/${created[1].id}?erase=true`);

  const days = [
    { date: dayOf(3), joined: 2, left: 0 },
    { date: dayOf(2), joined: 0, left: 0 },
    { date: dayOf(1), joined: 1, left: 1 },
    { date: dayOf(0), joined: 2, left: 2 },
  ];
  const subscribers = { active: 2, pending: 1, unsubscribed: 2 };
  const all = { subscribers, from: dayOf(3), to: dayOf(0), joined: 5, left: 3, days };
  expect(await stats("?days=4")).toEqual(all);
  expect(await stats(`?from=${dayOf(3)}`)).toEqual(all);
  expect(await stats(`?from=${dayOf(3)}&to=${dayOf(1)}`)).toEqual({
    ...all,
    to: dayOf(1),
    joined: 3,
    left: 1,
    days: days.slice(0, 3),
  });
  expect((await stats(`?to=${dayOf(1)}&days=2`)).days).toEqual(days.slice(1, 3));
  expect((await stats()).days).toHaveLength(30);

  const newsletter = { id: tenant.newsletterId, timeZone: "UTC" };
  const now = new Date();
  const { growth } = await getOverview(api.app, { newsletter, days: 4, own: { week: now, month: now } });
  expect(growth.days.map(({ day: date, joined, left }) => ({ date, joined, left }))).toEqual(days);
});

it("of another newsletter are not counted", async () => {
  await addOn("a@example.org", 0);
  const stranger = await api.at.tenant();
  const { json } = await api.ask(stranger.key, "GET", STATS);
  expect(json.data).toMatchObject({ subscribers: { active: 0 }, joined: 0 });
});

it.each([
  ["days=0", "days"],
  ["days=367", "days"],
  ["days=7&from=2026-01-01", "days"],
  ["from=yesterday", "from"],
  ["from=2026-02-30", "from"],
  ["from=2026-02-02&to=2026-02-01", "from"],
  ["from=2024-01-01&to=2025-01-01", "from"],
  ["from=2020-01-01", "from"],
  ["to=9999-12-31", "to"],
  ["to=2026-06-11T00:00:00Z", "to"],
])("%s is 400 on %s", async (query, parameter) => {
  const { status, json } = await ask("GET", `${STATS}?${query}`);
  expect([status, json.code, Object.keys(json.errors)]).toEqual([400, "validation_error", [parameter]]);
});

it.each(["from=2024-01-01&to=2024-12-31", "to=0001-01-01&days=366", "to=1970-01-01"])(
  "%s is answered",
  async (query) => {
    expect((await ask("GET", `${STATS}?${query}`)).status).toBe(200);
  },
);
