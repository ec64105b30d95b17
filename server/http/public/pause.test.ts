import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type AppContext, createApp } from "../../app";
import { loadConfig } from "../../config";
import { makeLog } from "../../log";
import { endDuePauses } from "../../services/pauses";
import { listActivities } from "../../services/timeline";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { addLinkedPerson, addNewsletter, suppressAddress } from "../../test/linked-person";
import { handlePublic } from "./handler";

const DAY_MS = 86_400_000;

let database: TestDatabase;
let app: AppContext;
let newsletter: { id: string; accountId: string };
let running: AbortSignal;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ LOG_LEVEL: "silent", APP_URL: "https://list.example.org" });
  app = await createApp(config, database.url, ["a secret for tests that is long enough"], makeLog(config));
  newsletter = await addNewsletter(app.db);
  running = new AbortController().signal;
});
beforeEach(() => app.db.pause.deleteMany());
afterAll(async () => {
  await app.close();
  await database.drop();
});

/** A person with their link, and its buttons. */
async function link(options: Parameters<typeof addLinkedPerson>[2] = {}, newsletterId = newsletter.id) {
  const claims = await addLinkedPerson(app.db, newsletterId, { status: "active", ...options });
  const key = { newsletterId, id: claims.subscriberId };
  const url = app.links.unsubscribeUrl(claims);
  const ask = async (init?: RequestInit) =>
    (await handlePublic(app, new Request(url, init), "203.0.113.7")).text();
  return {
    ...claims,
    ask,
    press: (action: string) => ask({ method: "POST", body: new URLSearchParams({ action }) }),
    row: () => app.db.subscriber.findUniqueOrThrow({ where: { newsletterId_id: key } }),
    pause: () => app.db.pause.findFirst({ where: { subscriberId: claims.subscriberId } }),
    activities: async () => (await listActivities(app, key, { limit: 10, after: null })).records,
  };
}

/** Lets the time of all breaks be over. */
const passTime = () => app.db.pause.updateMany({ data: { until: new Date(Date.now() - 1_000) } });
const endPauses = () => endDuePauses(app.db, running);

test.each([30, 90])(
  "a break of %i days: unsubscribed until then, and active again by itself",
  async (days) => {
    const one = await link();
    const text = await one.press(`pause${days}`);
    const until = (await one.pause())?.until as Date;
    expect(Math.abs(until.getTime() - Date.now() - days * DAY_MS)).toBeLessThan(60_000);
    const date = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(until);
    expect(text).toContain(`again from ${date}`);
    // A second press of a double click finds nothing.
    expect(text).not.toContain("<button");
    expect(await one.row()).toMatchObject({ status: "unsubscribed", unsubscribedAt: expect.any(Date) });

    await endPauses();
    expect(await one.row()).toMatchObject({ status: "unsubscribed" });
    await passTime();
    await Promise.all([endPauses(), endPauses()]);
    expect(await one.row()).toMatchObject({ status: "active", unsubscribedAt: null, version: 3 });
    expect(await one.pause()).toBeNull();

    const through = { kind: "pause", id: null };
    const at = `${until.toISOString().slice(0, 19)}+00:00`;
    const person = { kind: "person", id: null, name: null };
    expect((await one.activities()).slice(0, 2)).toMatchObject([
      { type: "status_changed", by: person, detail: { status: "active", through } },
      { type: "unsubscribed", by: person, address: "203.0.113.7", detail: { through, until: at } },
    ]);
  },
);

test("the page of a break offers to come back sooner, by mail, and to leave for good", async () => {
  const one = await link();
  await one.press("pause30");
  for (let i = 0; i < 3; i++) {
    const text = await one.ask();
    expect(text).toContain("You are taking a break");
    for (const action of ["unsubscribe", "comeBack"]) expect(text).toContain(`value="${action}"`);
  }
  expect(await one.press("comeBack")).toContain("is on its way to you");
  expect(await one.row()).toMatchObject({ status: "pending" });
  await passTime();
  await endPauses();
  expect(await one.row()).toMatchObject({ status: "pending" });
  expect(await one.pause()).toBeNull();
});

test.each([
  ["who leaves for good in it", (one: Linked) => one.press("unsubscribe")],
  [
    "whose address was suppressed in it",
    (one: Linked) => suppressAddress(app.db, newsletter.id, { email: one.email, reason: "complained" }),
  ],
  [
    "who has another address since",
    ({ subscriberId: id }: Linked) =>
      app.db.subscriber.updateMany({
        where: { id },
        data: { email: `new-${id}@lovelace.org`, emailCanonical: `new-${id}@lovelace.org` },
      }),
  ],
])("a break does not bring back %s", async (_, act) => {
  const one = await link();
  await one.press("pause30");
  await act(one);
  await passTime();
  await endPauses();
  expect(await one.row()).toMatchObject({ status: "unsubscribed" });
  expect(await one.pause()).toBeNull();
});
type Linked = Awaited<ReturnType<typeof link>>;

test("an unsubscribe cannot be made a break, nor can who has not confirmed take one", async () => {
  for (const status of ["unsubscribed", "pending"] as const) {
    const one = await link({ status });
    await one.press("pause30");
    expect(await one.pause()).toBeNull();
    expect(await one.row()).toMatchObject({ status, version: 1 });
  }
});

test("the database refuses to end a break before its time, and one of an earlier leaving", async () => {
  const one = await link();
  await one.press("pause30");
  const revive = () =>
    app.db.subscriber.updateMany({
      where: { id: one.subscriberId },
      data: { status: "active", unsubscribedAt: null },
    });
  await expect(revive()).rejects.toThrow();
  await passTime();
  await app.db.pause.updateMany({ data: { leftAt: new Date(0) } });
  await expect(revive()).rejects.toThrow();
  await endPauses();
  expect(await one.row()).toMatchObject({ status: "unsubscribed" });
});

test("breaks of many people on two newsletters end in one go", async () => {
  const other = await addNewsletter(app.db);
  const people = await Promise.all(
    Array.from({ length: 250 }, (_, i) => link({}, i % 5 === 0 ? other.id : newsletter.id)),
  );
  for (const one of people) await one.press("pause30");
  await passTime();
  await Promise.all([endPauses(), endPauses()]);
  await endPauses();
  const ids = people.map(({ subscriberId }) => subscriberId);
  expect(await app.db.subscriber.count({ where: { id: { in: ids }, status: "active" } })).toBe(250);
  expect(await app.db.pause.count()).toBe(0);
});

test("one press unsubscribes from all newsletters of the account, and from no other account's", async () => {
  const [second, strangers] = [
    await addNewsletter(app.db, { accountId: newsletter.accountId }),
    await addNewsletter(app.db),
  ];
  const email = "ada@analytical.org";
  const one = await link({ email });
  expect(await one.ask()).not.toContain('value="unsubscribeAll"');
  const there = await link({ email, status: "pending" }, second.id);
  const elsewhere = await link({ email }, strangers.id);
  const text = await one.press("unsubscribe");
  expect(text).toContain('value="unsubscribeAll"');
  expect(await there.row()).toMatchObject({ status: "pending" });
  expect(await one.press("unsubscribeAll")).toContain("from the others of");
  expect([(await one.row()).status, (await there.row()).status]).toEqual(["unsubscribed", "unsubscribed"]);
  expect(await elsewhere.row()).toMatchObject({ status: "active" });
  expect(await one.ask()).not.toContain('value="unsubscribeAll"');
});
