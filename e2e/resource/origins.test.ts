// The date of a subscriber's original sign-up, and their id in another system.

import { beforeAll, describe, expect, it } from "vitest";
import { openHandlers } from "../../server/background-jobs";
import { withClient } from "../../server/platform/postgres/sessions";
import { indexNewest } from "../../server/subscribers/queries/search-index";
import { api, ask, openApiForTests, SUBSCRIBERS, SUPPRESSIONS, tenant } from "./app";

openApiForTests();
beforeAll(() => api.app.jobs.start(openHandlers(api.app).handlers));

const INCLUDE = "include=subscribed_at,external_id";
const LONG_AGO = "2019-05-04T10:00:00+00:00";
const ADA = { email: "ada@lovelace.org", subscribed_at: LONG_AGO, external_id: "c-1" };
const GRACE = { email: "grace@navy.mil", external_id: "c-2" };

const create = (json: unknown, query = INCLUDE) => ask("POST", `${SUBSCRIBERS}?${query}`, json);
const bulk = (json: unknown[], query = INCLUDE) => ask("POST", `${SUBSCRIBERS}/bulk?${query}`, json);
const upsert = (json: unknown) => create(json, `on_duplicate=update&${INCLUDE}`);
const upsertMany = (json: unknown[]) => bulk(json, `on_duplicate=update&${INCLUDE}`);
const patch = (id: string, json: unknown) => ask("PATCH", `${SUBSCRIBERS}/${id}?${INCLUDE}`, json);
const added = async (json: unknown) => (await create(json)).json.data;
const list = async (query = "") =>
  (await ask("GET", `${SUBSCRIBERS}?${INCLUDE}&sort=email${query}`)).json.data;
const mails = async () => (await api.at.mails(tenant.newsletterId)).length;

describe("subscribed_at", () => {
  it("is the given date, or else the time of the create, and only shown on request", async () => {
    const ada = await added(ADA);
    expect(ada).toMatchObject({ subscribed_at: LONG_AGO, external_id: "c-1" });
    const plain = await added({ email: "bob@example.org", subscribed_at: null });
    expect(plain).toMatchObject({ subscribed_at: plain.created_at, external_id: null });
    const { created } = (await bulk([{ email: "cy@example.org", subscribed_at: "2020-02-29" }, GRACE])).json
      .data;
    expect(created).toMatchObject([
      { subscribed_at: "2020-02-29T00:00:00+00:00", external_id: null },
      { subscribed_at: created[1].created_at, external_id: "c-2" },
    ]);
    const { data } = (await ask("GET", `${SUBSCRIBERS}/${ada.id}`)).json;
    expect(Object.keys(data)).toEqual(["id", "email", "name", "status", "created_at"]);
    const csv = await ask("GET", `${SUBSCRIBERS}?${INCLUDE}&email=ada@lovelace.org`, undefined, {
      Accept: "text/csv",
    });
    expect(csv.text.replaceAll(/["\r]/g, "").split("\n").slice(0, 2)).toEqual([
      "id,email,name,status,created_at,subscribed_at,external_id",
      [ada.id, "ada@lovelace.org", "", "active", ada.created_at, LONG_AGO, "c-1"].join(),
    ]);
  });

  it.each([
    ["2999-01-01", "in_the_future"],
    ["1989-12-31", "too_early"],
    ["2023-02-29", "invalid_time"],
    ["2019-05-04T10:00:00", "invalid_time"],
    ["yesterday", "invalid_time"],
    [1556964000, "invalid_type"],
  ])("%j is rejected as %s", async (value, code) => {
    const item = { email: "ada@lovelace.org", subscribed_at: value };
    const { status, json } = await create(item);
    expect([status, Object.keys(json.errors)]).toEqual([422, ["subscribed_at"]]);
    expect((await bulk([item])).json.items).toMatchObject([{ index: 0, field: "subscribed_at", code }]);
  });

  it("can be corrected and removed; a record sent back as it was read changes nothing", async () => {
    const record = await added(ADA);
    expect((await patch(record.id, record)).json.data).toEqual(record);
    const bob = await added({ email: "bob@example.org" });
    expect((await patch(bob.id, bob)).json.data).toEqual(bob);
    const versions = () =>
      api.at.sql("SELECT version FROM subscribers WHERE newsletter_id = $1", [tenant.newsletterId]);
    expect(await versions()).toEqual([{ version: 1 }, { version: 1 }]);
    const corrected = { subscribed_at: "2018-01-01T00:00:00+02:00" };
    expect((await patch(record.id, corrected)).json.data.subscribed_at).toBe("2017-12-31T22:00:00+00:00");
    expect((await upsert({ email: ADA.email, subscribed_at: null })).json.data).toMatchObject({
      subscribed_at: record.created_at,
      external_id: "c-1",
    });
    const { data } = (await ask("GET", `${SUBSCRIBERS}/${record.id}/activity`)).json;
    expect(data[1].detail.changes).toEqual({
      subscribed_at: { from: LONG_AGO, to: "2017-12-31T22:00:00+00:00" },
    });
  });

  it("is the day that the statistics count a subscriber on, also after a correction", async () => {
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const { id } = await added({ email: "ada@lovelace.org", subscribed_at: day(5) });
    await added({ email: "bob@example.org" });
    const joined = async () => {
      const { days } = (await ask("GET", "/api/v1/stats")).json.data;
      return days.flatMap((one: { date: string; joined: number }) =>
        one.joined ? [[one.date, one.joined]] : [],
      );
    };
    expect(await joined()).toEqual([
      [day(5), 1],
      [day(0), 1],
    ]);
    await withClient(api.databaseUrl, (client) => indexNewest(client, tenant.newsletterId, -3600));
    await patch(id, { subscribed_at: day(3) });
    expect(await joined()).toEqual([
      [day(3), 1],
      [day(0), 1],
    ]);
  });
});

describe("external_id", () => {
  it("belongs to one subscriber of the newsletter, by which they are found", async () => {
    const ada = await added(ADA);
    expect(await list("&external_id=c-1")).toEqual([ada]);
    expect(await list("&external_id=C-1")).toEqual([]);
    const second = { email: "other@lovelace.org", external_id: "c-1" };
    for (const query of ["", "dry_run=true"]) {
      const { status, json } = await create(second, query);
      expect([status, json.code, json.errors]).toEqual([
        422,
        "validation_error",
        { external_id: [expect.stringContaining(ada.id)] },
      ]);
    }
    const { json } = await bulk([GRACE, second, { email: "x@example.org", external_id: "c-2" }]);
    expect(json.items).toMatchObject([
      { index: 1, field: "external_id", code: "already_subscribed" },
      { index: 2, field: "external_id", code: "duplicate_in_request" },
    ]);
    const skip = await bulk([GRACE, second], "on_duplicate=skip");
    expect(skip.json.data).toMatchObject({
      created: [{ email: GRACE.email }],
      skipped: [{ index: 1, email: second.email, reason: "already_subscribed" }],
    });
    expect((await patch(skip.json.data.created[0].id, { external_id: "c-1" })).json.errors).toEqual({
      external_id: [expect.stringContaining(ada.id)],
    });
    expect((await patch(ada.id, { external_id: null })).json.data.external_id).toBe(null);
    expect((await create(second)).status).toBe(201);
  });

  it.each([
    ["", "empty"],
    ["x".repeat(256), "too_long"],
    ["a\nb", "control_char"],
    [7, "invalid_type"],
  ])("%j is rejected as %s", async (value, code) => {
    const { json } = await bulk([{ email: "ada@lovelace.org", external_id: value }]);
    expect(json.items).toMatchObject([{ index: 0, field: "external_id", code }]);
  });

  it("is stored once by concurrent creates and bulks in opposite orders", async () => {
    const people = Array.from({ length: 20 }, (_, i) => ({ external_id: `c-${i}` }));
    const addressed = (round: number) =>
      people.map((one, i) => ({ ...one, email: `p${i}-${round}@example.org` }));
    const answers = await Promise.all([
      ...[0, 1, 2, 3].map((round) =>
        bulk(round % 2 ? addressed(round) : addressed(round).toReversed(), "on_duplicate=skip"),
      ),
      ...addressed(4).map((one) => create(one)),
    ]);
    expect(answers.filter(({ status }) => status !== 201 && status !== 422)).toEqual([]);
    const stored = (await list()).map((one: { external_id: string }) => one.external_id).sort();
    expect(stored).toEqual(people.map((one) => one.external_id).sort());
  });

  describe("with on_duplicate=update", () => {
    it("finds the subscriber, and changes their address under the rules of consent", async () => {
      const ada = await added(ADA);
      const moved = await upsert({ ...ADA, email: "ada@king.org", name: "Ada King" });
      expect([moved.status, moved.json.data]).toMatchObject([
        200,
        { id: ada.id, email: "ada@king.org", name: "Ada King", status: "active", subscribed_at: LONG_AGO },
      ]);
      const pending = await added({ ...GRACE, status: "pending" });
      expect(await mails()).toBe(1);
      const many = await upsertMany([
        { email: "grace@hopper.org", external_id: "c-2" },
        { email: "new@example.org", external_id: "c-3" },
        { email: "ADA@king.org", external_id: "c-9" },
      ]);
      expect(many.json.data).toMatchObject({
        created: [{ email: "new@example.org", external_id: "c-3" }],
        updated: [
          { id: pending.id, email: "grace@hopper.org", status: "pending" },
          { id: ada.id, email: "ada@king.org", external_id: "c-9" },
        ],
      });
      const rows = await api.at.sql<{ to: string }>(
        'SELECT to_email AS "to" FROM mails WHERE subscriber_id = $1 ORDER BY id',
        [pending.id],
      );
      expect(rows.map(({ to }) => to)).toEqual(["grace@navy.mil", "grace@hopper.org"]);
    });

    it("leaves a suppressed new address out of a bulk, and rejects it alone", async () => {
      const ada = await added(ADA);
      await ask("POST", SUPPRESSIONS, [{ email: "gone@lovelace.org", reason: "complained" }]);
      const moved = { ...ADA, email: "gone@lovelace.org" };
      expect((await upsert(moved)).json.code).toBe("email_suppressed");
      const { json } = await upsertMany([moved, GRACE]);
      expect(json.data).toMatchObject({
        created: [{ email: GRACE.email }],
        updated: [],
        skipped: [{ index: 0, email: moved.email, reason: "suppressed" }],
      });
      expect((await list("&external_id=c-1"))[0]).toEqual(ada);
    });

    it("rejects an address of another subscriber, and changes nobody", async () => {
      const [ada, grace] = [await added(ADA), await added(GRACE)];
      const mixed = { email: GRACE.email, external_id: "c-1", name: "Both" };
      const one = await upsert(mixed);
      expect([one.status, Object.keys(one.json.errors)]).toEqual([422, ["email"]]);
      const { status, json } = await upsertMany([{ ...ADA, name: "Changed" }, { email: "x@example.org" }]);
      expect([status, json.data.updated]).toMatchObject([201, [{ name: "Changed" }]]);
      const many = await upsertMany([{ email: "y@example.org" }, mixed]);
      expect([many.status, many.json.items]).toMatchObject([422, [{ index: 1, code: "already_subscribed" }]]);
      expect((await list()).map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
        [ada.id, "Changed"],
        [grace.id, ""],
        [expect.any(String), ""],
      ]);
    });
  });
});

it("an import keeps both, and rejects an external_id that another subscriber has", async () => {
  const ada = await added(ADA);
  const rows = [
    { ...GRACE, subscribed_at: LONG_AGO },
    { email: "twice@example.org", external_id: "c-2" },
    { email: "taken@example.org", external_id: "c-1" },
  ];
  const plan = async (given: unknown[]) => (await ask("POST", "/api/v1/imports", given)).json.data;
  const rowsOf = async (id: string) => (await ask("GET", `/api/v1/imports/${id}/rows`)).json.data;
  expect(await rowsOf((await plan([ADA])).id)).toMatchObject([{ line: 1, result: "already_active" }]);
  const data = await plan(rows);
  expect(await rowsOf(data.id)).toMatchObject([
    { line: 1, result: "new_active" },
    { line: 2, result: "rejected", reason: "The external_id is also on line 1, which counts." },
    { line: 3, result: "rejected", reason: expect.stringContaining(ada.id) },
  ]);
  const consent = { source: "Shop checkout", wording: "Yes", people: data.people };
  await ask("POST", `/api/v1/imports/${data.id}/commit`, { digest: data.digest, consent });
  await expect
    .poll(() => list("&external_id=c-2"))
    .toMatchObject([{ email: GRACE.email, subscribed_at: LONG_AGO }]);
});
