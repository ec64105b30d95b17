import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Condition } from "../contract/filter";
import type { PeopleOrder } from "../contract/people-list";
import { NewSubscriber, SubscriberPatch } from "../contract/subscriber";
import { type Database, openDatabase } from "../db/client";
import type { NumberedCondition } from "../db/filter-conditions";
import { openInsertQueue } from "../db/insert-queue";
import { peopleWith } from "../db/people-filter";
import { newId } from "../domain/ids";
import { openJobs } from "../jobs/jobs";
import { openOutbox } from "../mail/outbox";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { addNewsletter } from "../test/linked-person";
import { startBulkAction } from "./bulk-actions";
import type { Ctx } from "./context";
import { createSubscriber } from "./create-subscribers";
import { createField } from "./fields";
import { countMatching as count, exportChosen, exportPeople, listPeople as page } from "./people";
import { askAgain, exportPerson, getPerson } from "./person";
import { resolvePeopleFilter } from "./segments";
import { updateSubscriber } from "./subscribers";

let base: TestDatabase;
let database: Database;
let ctx: Ctx;
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 4, onError: () => {} });
  const { db } = database;
  newsletter = await addNewsletter(db);
  const jobs = openJobs({ databaseUrl: base.url, log: { warn() {}, error() {} } });
  const outbox = openOutbox(jobs);
  const actor = { kind: "staff", id: newId(), accountId: newsletter.accountId, role: "owner" } as const;
  ctx = { db, queue: openInsertQueue(db), jobs, outbox, actor, requestId: "test" };
});

afterAll(async () => {
  await database.close();
  await base.drop();
});

async function add(
  email: string,
  more: Partial<{ status: string; firstName: string; lastName: string; source: string }> = {},
) {
  const id = newId();
  await database.db.subscriber.create({
    data: {
      newsletterId: newsletter.id,
      id,
      email,
      emailCanonical: email.toLowerCase(),
      status: "active",
      source: "api",
      unsubscribedAt: more.status === "unsubscribed" ? new Date() : null,
      ...more,
    },
  });
  return id;
}

const found = async (...conditions: NumberedCondition[]) => {
  const all = peopleWith(newsletter.id, ...conditions);
  const { people } = await page(ctx, all, { order: "newest", limit: 100, from: null });
  const counted = await count(ctx, all);
  expect(counted).toEqual({ people: people.length });
  return people.map((person) => person.email).sort();
};

const search = (value: string) => ({ about: "search", value }) as const;

describe("the list of people", () => {
  beforeAll(async () => {
    await add("ada@lovelace.org", { firstName: "Ada", lastName: "Lovelace" });
    await add("Grace.Hopper@navy.mil", { firstName: "Grace", lastName: "Hopper", status: "pending" });
    await add("100%_sure@example.org", { firstName: "Percent", source: "import" });
    await add("edsger@example.org", { firstName: "Edsger", lastName: "W. Dijkstra", status: "unsubscribed" });
  });

  it("is searched by any part of the address or the name, whatever the case", async () => {
    expect(await found(search("LOVEL"))).toEqual(["ada@lovelace.org"]);
    expect(await found(search("hopper@na"))).toEqual(["Grace.Hopper@navy.mil"]);
    expect(await found(search("dijkstra"))).toEqual(["edsger@example.org"]);
    expect(await found(search("w. dij"))).toEqual(["edsger@example.org"]);
    expect(await found(search("nobody"))).toEqual([]);
  });

  it("has fields by key and tags by name", async () => {
    const { id: newsletterId } = await addNewsletter(database.db);
    await createField(ctx, { ...newsletter, id: newsletterId }, { key: "seats", type: "number" });
    const origin = { newsletterId, source: "dashboard", sourceId: null } as const;
    const input = { email: "tagged@example.org", fields: { seats: 3 }, tags: ["VIP"] };
    await createSubscriber(ctx, origin, NewSubscriber.parse(input));
    await createSubscriber(ctx, origin, NewSubscriber.parse({ email: "plain@example.org" }));
    const { people } = await page(ctx, peopleWith(newsletterId), { order: "email", limit: 9, from: null });
    expect(people).toMatchObject([
      { email: "plain@example.org", fields: {}, tags: [] },
      { email: "tagged@example.org", fields: { seats: 3 }, tags: ["VIP"] },
    ]);
    const emails = async (conditions: Condition[], order: PeopleOrder = "newest") => {
      const filters = [{ match: "all" as const, conditions, not: [] }];
      const all = await resolvePeopleFilter(ctx, newsletterId, { filters });
      const { people: some } = await page(ctx, all, { order, limit: 9, from: null });
      expect(await count(ctx, all)).toEqual({ people: some.length });
      return some.map(({ email }) => email);
    };
    const one = ["tagged@example.org"];
    const tag = (...is: string[]): Condition => ({ about: "tag", is });
    const field = (key: string, value: number | string): Condition => ({
      ...{ about: "field", key, test: "is", value },
    });
    for (const order of ["newest", "email"] as const) {
      expect(await emails([tag("vip", "nobody")], order)).toEqual(one);
      expect(await emails([tag("nobody")], order)).toEqual([]);
      expect(await emails([field("seats", 3), { about: "status", is: ["active"] }], order)).toEqual(one);
      await expect(emails([field("seats", "3")], order)).rejects.toThrow("must be a number");
      await expect(emails([field("colour", "red")], order)).rejects.toThrow("The field with the key");
    }
    expect(await emails([search("example"), tag("vip"), field("seats", 3)])).toEqual(one);
  });

  it("takes one or two letters for the start of a word", async () => {
    expect(await found(search("ho"))).toEqual(["Grace.Hopper@navy.mil"]);
    expect(await found(search("a"))).toEqual(["ada@lovelace.org"]);
  });

  it("takes %, _ and \\ as themselves", async () => {
    expect(await found(search("%_s"))).toEqual(["100%_sure@example.org"]);
    expect(await found(search("%%%"))).toEqual([]);
    expect(await found(search("\\\\\\"))).toEqual([]);
  });

  it("is narrowed by status, source and when they were added", async () => {
    expect(await found({ about: "status", is: ["pending"] })).toEqual(["Grace.Hopper@navy.mil"]);
    expect(await found({ about: "source", is: ["import"] })).toEqual(["100%_sure@example.org"]);
    expect(await found({ about: "source", is: ["api"] }, { about: "status", is: ["active"] })).toEqual([
      "ada@lovelace.org",
    ]);
    expect(await found({ about: "status", is: ["unsubscribed", "pending"] })).toEqual([
      "Grace.Hopper@navy.mil",
      "edsger@example.org",
    ]);
    expect(await found({ about: "source", is: ["import", "dashboard"] })).toEqual(["100%_sure@example.org"]);
    const added = (test: "after" | "before", hours: number) =>
      found({ about: "added", test, at: new Date(Date.now() + hours * 3_600_000).toISOString() });
    expect(await added("after", 1)).toEqual([]);
    expect(await added("after", -1)).toHaveLength(4);
    expect(await added("before", -1)).toEqual([]);
  });

  it.each(["newest", "oldest"] as const)(
    "turns forth and back over the same pages, %s first",
    async (order) => {
      const filter = peopleWith(newsletter.id);
      const all = (await page(ctx, filter, { order, limit: 100, from: null })).people.map(
        (person) => person.id,
      );
      const first = await page(ctx, filter, { order, limit: 2, from: null });
      expect(first.people.map((person) => person.id)).toEqual(all.slice(0, 2));
      expect(first.before).toBe(null);
      const second = await page(ctx, filter, { order, limit: 2, from: { after: first.after as string } });
      expect(second.people.map((person) => person.id)).toEqual(all.slice(2));
      expect(second.after).toBe(null);
      const back = await page(ctx, filter, { order, limit: 2, from: { before: second.before as string } });
      expect(back.people.map((person) => person.id)).toEqual(all.slice(0, 2));
      expect(back.before).toBe(null);
    },
  );
});

describe("what is done with people", () => {
  it("asks only who is pending and was not asked a moment ago", async () => {
    const [pending, active] = [
      await add("p1@example.org", { status: "pending" }),
      await add("a1@example.org"),
    ];
    expect(
      await startBulkAction(ctx, newsletter, { kind: "confirm", target: { ids: [pending, active] } }),
    ).toMatchObject({
      state: "done",
      done: 1,
      skipped: { not_pending: 1 },
    });
    // The first mail is still to leave.
    expect(
      await startBulkAction(ctx, newsletter, { kind: "confirm", target: { ids: [pending] } }),
    ).toMatchObject({
      done: 0,
      skipped: { on_its_way: 1 },
    });
    await expect(askAgain(ctx, newsletter, pending)).rejects.toMatchObject({ code: "validation_error" });
    expect(await database.db.mail.count({ where: { subscriberId: pending } })).toBe(1);
  });

  it("brings nobody back who unsubscribed", async () => {
    const gone = await add("gone@example.org", { status: "unsubscribed" });
    expect(
      await startBulkAction(ctx, newsletter, { kind: "activate", target: { ids: [gone] } }),
    ).toMatchObject({
      done: 0,
      skipped: { unsubscribed: 1 },
    });
    expect((await getPerson(ctx, newsletter.id, gone)).person.status).toBe("unsubscribed");
  });

  it("unsubscribes with a line in the timeline, and takes back what has not left", async () => {
    const id = await add("leaver@example.org", { status: "pending" });
    await askAgain(ctx, newsletter, id);
    expect((await getPerson(ctx, newsletter.id, id)).asked).toMatchObject({ state: "waiting" });
    await startBulkAction(ctx, newsletter, { kind: "unsubscribe", target: { ids: [id] } });
    const { person, asked, activities } = await getPerson(ctx, newsletter.id, id);
    expect([person.status, asked]).toEqual(["unsubscribed", null]);
    expect(activities.map((one) => one.type).sort()).toEqual([
      "asked",
      "cancelled",
      "created",
      "unsubscribed",
    ]);
  });
});

describe("the audit log notes", () => {
  const entries = async (where: object) =>
    database.db.auditEntry.findMany({
      where,
      orderBy: { id: "asc" },
      select: { accountId: true, actorKind: true, action: true, subjectId: true, detail: true },
    });

  it("every export, its pages in one entry and another export in another", async () => {
    const place = await addNewsletter(database.db);
    const rows = Array.from({ length: 1_203 }, (_, i) => ({
      newsletterId: place.id,
      id: newId(),
      email: `e${i}@lovelace.org`,
      emailCanonical: `e${i}@lovelace.org`,
      status: "active",
      source: "api",
    }));
    await database.db.subscriber.createMany({ data: rows });
    const input = { newsletter: place, filter: peopleWith(place.id) };
    const first = await exportPeople(ctx, { ...input, after: null });
    const second = await exportPeople(ctx, { ...input, after: first.after });
    expect([first.people.length, second.people.length, second.after]).toEqual([1_000, 203, null]);
    const chosen = rows.slice(0, 2).map(({ id }) => id);
    expect(await exportChosen(ctx, { newsletter: place, ids: [...chosen, newId()] })).toHaveLength(2);
    // A page from the middle, by whoever began no export, does not go without a note either.
    const actor = { kind: "staff", id: newId(), accountId: place.accountId, role: "editor" } as const;
    await exportPeople({ ...ctx, actor }, { ...input, after: first.after });
    await exportPerson(ctx, { ...place, name: "Weekly" }, chosen[0] as string);
    const noted = await entries({ newsletterId: place.id });
    expect(noted.map(({ action, subjectId, detail }) => ({ action, subjectId, detail }))).toEqual([
      { action: "people.exported", subjectId: null, detail: { people: 1_203 } },
      { action: "people.exported", subjectId: null, detail: { people: 2 } },
      { action: "people.exported", subjectId: null, detail: { people: 203 } },
      { action: "subscriber.exported", subjectId: chosen[0], detail: null },
    ]);
  });

  it("who changed a person's address, and no address", async () => {
    const id = await add("before@lovelace.org");
    const patch = (email: string) => SubscriberPatch.parse({ email });
    await updateSubscriber(ctx, newsletter.id, { id, patch: patch("after@lovelace.org") });
    const key = { kind: "key", id: newId(), newsletterId: newsletter.id } as const;
    await updateSubscriber({ ...ctx, actor: key }, newsletter.id, { id, patch: patch("last@lovelace.org") });
    await updateSubscriber(ctx, newsletter.id, { id, patch: SubscriberPatch.parse({ name: "Ada" }) });
    const { accountId } = newsletter;
    const entry = { accountId, action: "subscriber.address_changed", subjectId: id, detail: null };
    expect(await entries({ subjectId: id })).toEqual([
      { ...entry, actorKind: "staff" },
      { ...entry, actorKind: "key" },
    ]);
  });
});
