import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { MergeGroups } from "../contract/bulk-changes";
import { maxTags } from "../contract/fields";
import { NewSubscriber, SubscriberPatch } from "../contract/subscriber";
import { type Database, openDatabase } from "../db/client";
import { newId } from "../domain/ids";
import { createTestDatabase, type TestDatabase } from "../test/database";
import { openEditorContext } from "../test/editor-context";
import { suppressAddress } from "../test/linked-person";
import { startBulkAction, startMerge, undoBulkAction } from "./bulk-actions";
import type { Ctx } from "./context";
import { createSubscriber } from "./create-subscribers";
import { type DuplicatePage, listDuplicates } from "./duplicates";
import { createField } from "./fields";
import { listAuditLog } from "./overview";
import { getPerson } from "./person";
import { unsubscribe, updateSubscriber } from "./subscribers";

let base: TestDatabase;
let database: Database;
let ctx: Ctx;
let newsletter: { id: string; accountId: string };

beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 4, onError: () => {} });
});
afterAll(async () => {
  await database.close();
  await base.drop();
});

async function furnish() {
  ({ newsletter, ctx } = await openEditorContext(database, base.url));
  await createField(ctx, newsletter, { key: "seats", type: "number" });
  await createField(ctx, newsletter, { key: "city", type: "text" });
}
beforeEach(furnish);

const origin = () => ({ newsletterId: newsletter.id, source: "api", sourceId: null }) as const;
const add = async (email: string, more: object = {}) =>
  (await createSubscriber(ctx, origin(), NewSubscriber.parse({ email, status: "active", ...more }))).record
    .id;
const change = (id: string, patch: object) =>
  updateSubscriber(ctx, newsletter.id, { id, patch: SubscriberPatch.parse(patch) });
const find = (after: string | null = null) => listDuplicates(ctx, newsletter.id, after);
const addressesOf = ({ groups }: DuplicatePage) =>
  groups.map(({ people }) => people.map(({ email }) => email));
const idOf = (page: DuplicatePage, email: string) =>
  page.groups.flatMap(({ people }) => people).find((person) => person.email === email)?.id as string;

/** What the page would send: of each group the first, or whoever of `keep` is in it. */
const groupsOf = ({ groups }: DuplicatePage, keep: string[] = []) =>
  groups.map(({ people }) => {
    const seen = people.map(({ id, version }) => ({ id, version }));
    const kept = seen.find(({ id }) => keep.includes(id)) ?? (seen[0] as (typeof seen)[0]);
    return { keep: kept, others: seen.filter(({ id }) => id !== kept.id) };
  });
const merge = async (keep: string[] = []) => startMerge(ctx, newsletter, groupsOf(await find(), keep));

/** Everybody by address, as an undo restores them. */
async function everybody() {
  const rows = await database.db.subscriber.findMany({
    where: { newsletterId: newsletter.id },
    select: {
      email: true,
      status: true,
      firstName: true,
      lastName: true,
      fields: true,
      tags: true,
      confirmedAt: true,
      unsubscribedAt: true,
    },
  });
  return Object.fromEntries(rows.map(({ email, ...row }) => [email, row]));
}
const statuses = async () =>
  Object.fromEntries(Object.entries(await everybody()).map(([email, { status }]) => [email, status]));

it("who is on the list twice is found with dots, plus tags and both names of Gmail, and whom to keep first", async () => {
  await add("ada.lovelace@gmail.com", { status: "pending" });
  await add("Ada.Love.Lace+news@GoogleMail.com");
  const left = await add("adalovelace@gmail.com");
  await unsubscribe(ctx, newsletter.id, left);
  await add("grace@navy.example");
  await add("grace+list@navy.example");
  await add("gr.ace@navy.example");
  await add("+grace@navy.example");
  await add("alone+tag@navy.example");
  const page = await find();
  expect(addressesOf(page)).toEqual([
    ["Ada.Love.Lace+news@GoogleMail.com", "ada.lovelace@gmail.com", "adalovelace@gmail.com"],
    ["grace@navy.example", "grace+list@navy.example"],
  ]);
  expect(page).toMatchObject({ total: 2, after: null, groups: [{ more: 0 }, { more: 0 }] });
});

it("who confirmed is kept rather than who was added first, and who may be written to rather than either", async () => {
  await add("a@x.example");
  const confirmed = await add("a+1@x.example");
  await database.db.subscriber.updateMany({ where: { id: confirmed }, data: { confirmedAt: new Date() } });
  expect(addressesOf(await find())).toEqual([["a+1@x.example", "a@x.example"]]);
  await suppressAddress(database.db, newsletter.id, { email: "a+1@x.example", reason: "bounced" });
  const { groups } = await find();
  expect(groups[0]?.people).toMatchObject([
    { email: "a@x.example", suppression: null },
    { email: "a+1@x.example", suppression: "bounced" },
  ]);
});

it("a group with one person to write to is listed only while that one lacks something", async () => {
  const kept = await add("a@x.example", { tags: ["vip"], name: "Ada" });
  const other = await add("a+1@x.example", { tags: ["VIP"], name: "A. Lovelace" });
  await unsubscribe(ctx, newsletter.id, other);
  expect((await find()).total).toBe(0);
  for (const patch of [{ tags: ["vip", "shop"] }, { fields: { city: "London" } }]) {
    await change(other, patch);
    expect((await find()).total).toBe(1);
    await change(kept, patch);
    expect((await find()).total).toBe(0);
  }
  await change(kept, { name: "" });
  expect((await find()).total).toBe(1);
  await unsubscribe(ctx, newsletter.id, kept);
  expect((await find()).total).toBe(0);
});

it("the kept one gets tags, values and a name that they lack and keeps their own; the others become unsubscribed, and all is undone", async () => {
  await add("a@x.example", { tags: ["vip"], fields: { seats: 1 } });
  const second = await add("a+1@x.example", {
    status: "pending",
    tags: ["Shop", "VIP"],
    fields: { seats: 2 },
    name: "Ada L",
  });
  await add("a+2@x.example", {
    status: "pending",
    tags: ["fair"],
    fields: { city: "London" },
    name: "Countess",
  });
  const before = await everybody();
  const mails = () =>
    database.db.mail.count({
      where: { newsletterId: newsletter.id, state: { in: ["waiting", "deferred"] } },
    });
  expect(await mails()).toBe(2);

  const merged = await merge();
  expect(merged).toMatchObject({ kind: "merge", state: "done", total: 3, done: 3, skipped: {} });
  expect(merged.undoUntil).not.toBeNull();
  const kept = idOf(await find(), "a@x.example") ?? (await row("a@x.example"));
  expect(await getPerson(ctx, newsletter.id, kept)).toMatchObject({
    person: {
      status: "active",
      name: "Ada L",
      fields: { seats: 1, city: "London" },
      tags: ["vip", "Shop", "fair"],
    },
    activities: [
      {
        type: "updated",
        through: { kind: "merge", id: merged.id },
        changes: { name: ["", "Ada L"], tags: ["vip", "vip, Shop, fair"], "fields.city": ["", "London"] },
      },
      { type: "created" },
    ],
  });
  expect(await statuses()).toEqual({
    "a@x.example": "active",
    "a+1@x.example": "unsubscribed",
    "a+2@x.example": "unsubscribed",
  });
  expect((await getPerson(ctx, newsletter.id, second)).activities[0]).toMatchObject({
    type: "unsubscribed",
    through: { kind: "merge", id: merged.id },
  });
  expect(await mails()).toBe(0);
  expect((await find()).total).toBe(0);
  const [entry] = await listAuditLog(ctx, { accountId: newsletter.accountId, limit: 1 });
  expect(entry).toMatchObject({ action: "people.merge", detail: { people: 3 }, undoIn: newsletter.id });

  expect(await undoBulkAction(ctx, newsletter, merged.id)).toMatchObject({ state: "undone", undone: 3 });
  expect(await everybody()).toEqual(before);
  expect(await mails()).toBe(2);
  expect((await getPerson(ctx, newsletter.id, kept)).activities[0]).toMatchObject({ type: "restored" });
});
const row = async (email: string) =>
  (await database.db.subscriber.findFirstOrThrow({ where: { newsletterId: newsletter.id, email } })).id;

it("another may be chosen to keep, who keeps their status", async () => {
  await add("a@x.example", { tags: ["vip"] });
  await add("a+1@x.example", { status: "pending" });
  const merged = await merge([await row("a+1@x.example")]);
  expect(merged).toMatchObject({ done: 2 });
  expect(await statuses()).toEqual({ "a@x.example": "unsubscribed", "a+1@x.example": "pending" });
  expect((await everybody())["a+1@x.example"]?.tags).toHaveLength(1);
});

it("an undo leaves alone who has changed since", async () => {
  await add("a@x.example");
  const second = await add("a+1@x.example", { tags: ["vip"] });
  await add("a+2@x.example");
  const merged = await merge();
  await change(second, { name: "Ada" });
  expect(await undoBulkAction(ctx, newsletter, merged.id)).toMatchObject({
    state: "undone",
    done: 3,
    undone: 2,
  });
  expect(await statuses()).toEqual({
    "a@x.example": "active",
    "a+1@x.example": "unsubscribed",
    "a+2@x.example": "active",
  });
  expect((await everybody())["a@x.example"]?.tags).toEqual([]);
});

it.each([
  ["leaves", (id: string) => unsubscribe(ctx, newsletter.id, id)],
  [
    "complains",
    () => suppressAddress(database.db, newsletter.id, { email: "a@x.example", reason: "complained" }),
  ],
  ["is erased", (id: string) => startBulkAction(ctx, newsletter, { kind: "erase", target: { ids: [id] } })],
])("when the kept one %s after the merge, an undo makes nobody else of them active", async (_, says) => {
  await add("a@x.example", { status: "pending" });
  await add("a+1@x.example", { status: "pending" });
  const kept = await row("a@x.example");
  const merged = await merge([kept]);
  await says(kept);
  await undoBulkAction(ctx, newsletter, merged.id);
  expect((await statuses())["a+1@x.example"]).toBe("unsubscribed");
});

it("a group in which anybody has changed since it was seen is skipped whole, the others are merged", async () => {
  for (const name of ["a", "b", "c", "d"]) {
    await add(`${name}@x.example`);
    await add(`${name}+1@x.example`);
  }
  const seen = groupsOf(await find());
  await unsubscribe(ctx, newsletter.id, await row("a@x.example"));
  await change(await row("b+1@x.example"), { email: "b@other.example" });
  await startBulkAction(ctx, newsletter, { kind: "erase", target: { ids: [await row("c@x.example")] } });
  const merged = await startMerge(ctx, newsletter, seen);
  expect(merged).toMatchObject({ total: 8, done: 2, skipped: { changed_meanwhile: 6 } });
  expect(await statuses()).toMatchObject({
    "a+1@x.example": "active",
    "b@other.example": "active",
    "c+1@x.example": "active",
    "d+1@x.example": "unsubscribed",
  });
});

it("people whose addresses are not one person's are not merged, whatever is asked", async () => {
  const ids = [await add("a@x.example"), await add("b@x.example")];
  const [keep, other] = ids.map((id) => ({ id, version: 1 }));
  const groups = MergeGroups.parse([{ keep, others: [other] }]);
  expect(await startMerge(ctx, newsletter, groups)).toMatchObject({
    done: 0,
    skipped: { changed_meanwhile: 2 },
  });
  expect(await statuses()).toEqual({ "a@x.example": "active", "b@x.example": "active" });
});

it("of two who merge the same people at once, keeping each another, one does", async () => {
  for (let i = 0; i < 5; i++) {
    await add(`p${i}@x.example`);
    await add(`p${i}+1@x.example`);
  }
  const page = await find();
  const seconds = page.groups.map(({ people }) => people[1]?.id as string);
  const done = await Promise.all([
    startMerge(ctx, newsletter, groupsOf(page)),
    startMerge(ctx, newsletter, groupsOf(page, seconds)),
  ]);
  expect(done.map((one) => one.done).sort()).toEqual([0, 10]);
  expect(Object.values(await statuses()).filter((status) => status === "active")).toHaveLength(5);
});

it("who would have more tags than a person has is skipped with their group", async () => {
  await add("a@x.example", { tags: Array.from({ length: maxTags }, (_, i) => `tag ${i}`) });
  await add("a+1@x.example", { tags: ["one more"] });
  expect(await merge()).toMatchObject({ done: 0, skipped: { too_many_tags: 2 } });
  expect(Object.values(await statuses())).toEqual(["active", "active"]);
});

it("pages follow one another, each with as many people as are merged at once, and of a large group the first ones", async () => {
  const addMany = (emails: string[]) =>
    database.db.subscriber.createMany({
      data: emails.map((email) => ({
        newsletterId: newsletter.id,
        id: newId(),
        email,
        emailCanonical: email,
        status: "active",
        source: "api",
      })),
    });
  await addMany(
    Array.from({ length: 60 }, (_, i) => [`p${i + 10}@x.example`, `p${i + 10}+1@x.example`]).flat(),
  );
  await addMany(Array.from({ length: 203 }, (_, i) => `many+${i}@x.example`));
  const first = await find();
  expect(first).toMatchObject({ total: 61, groups: [{ more: 3 }] });
  expect(first.groups[0]?.people).toHaveLength(200);
  const second = await find(first.after);
  expect(second).toMatchObject({ total: 61 });
  expect(second.groups).toHaveLength(50);
  const third = await find(second.after);
  expect(third).toMatchObject({ total: 61, after: null });
  expect(third.groups).toHaveLength(10);
  expect(await find("z@x.example")).toEqual(first);
  await startMerge(ctx, newsletter, groupsOf(first));
  expect((await find()).groups[0]).toMatchObject({ more: 3 });
});

it("the input names each person once, and no more than are merged at once", () => {
  const person = () => ({ id: newId(), version: 1 });
  const [a, b] = [person(), person()];
  const faultsOf = (groups: unknown) =>
    MergeGroups.safeParse(groups).error?.issues.map(({ message }) => message);
  expect(faultsOf([{ keep: a, others: [b] }])).toBeUndefined();
  expect(faultsOf([])).toEqual(["Choose a group at least."]);
  expect(faultsOf([{ keep: a, others: [] }])).toEqual(["A group has two people at least."]);
  expect(faultsOf([{ keep: a, others: [a] }])).toEqual([expect.stringContaining("twice")]);
  const many = Array.from({ length: 200 }, person);
  expect(faultsOf([{ keep: a, others: many }])).toEqual([expect.stringContaining("At most 200")]);
});

const person = fc.record({
  group: fc.integer({ min: 0, max: 3 }),
  status: fc.constantFrom("active", "pending", "unsubscribed", "returning"),
  confirmed: fc.boolean(),
  suppression: fc.constantFrom(null, null, null, "bounced", "complained"),
  tags: fc.subarray([1, 2, 3]),
  seats: fc.option(fc.integer({ min: 1, max: 9 })),
  firstName: fc.constantFrom("", "Ada"),
});

it("whatever is merged, nobody becomes active or pending, whoever was written to has a group with a kept one, and an undo restores all", async () => {
  const check = async (
    people: (typeof person extends fc.Arbitrary<infer T> ? T : never)[],
    choices: number[],
  ) => {
    await furnish();
    await database.db.tag.createMany({
      data: [1, 2, 3].map((number) => ({
        newsletterId: newsletter.id,
        number: number + 100,
        name: `t${number}`,
        canonical: `t${number}`,
      })),
    });
    for (const [i, one] of people.entries()) {
      const left = one.status === "unsubscribed" || one.status === "returning";
      const email = `p${one.group}+${i}@x.example`;
      await database.db.subscriber.create({
        data: {
          newsletterId: newsletter.id,
          id: newId(),
          email,
          emailCanonical: email,
          status: one.status === "returning" ? "pending" : one.status,
          source: "api",
          firstName: one.firstName,
          confirmedAt: one.confirmed ? new Date("2026-01-01") : null,
          unsubscribedAt: left ? new Date("2026-02-01") : null,
          ...(one.seats !== null && { fields: { 1: one.seats } }),
          tags: one.tags.map((tag) => tag + 100),
        },
      });
      // Who is active and suppressed cannot be put back; see the test of bulk actions.
      if (one.suppression && one.status !== "active")
        await suppressAddress(database.db, newsletter.id, { email, reason: one.suppression });
    }
    const before = await everybody();
    const page = await find();
    if (page.groups.length === 0) return;
    const keep = page.groups.map(({ people: group }, i) => group[(choices[i] ?? 0) % group.length]?.id ?? "");
    const merged = await startMerge(ctx, newsletter, groupsOf(page, keep));
    const after = await everybody();
    for (const [email, now] of Object.entries(after)) {
      if (now.status !== "unsubscribed") expect(now.status).toBe(before[email]?.status);
      if (now.unsubscribedAt === null) expect(before[email]?.unsubscribedAt).toBeNull();
    }
    for (const group of page.groups) {
      const live = group.people.filter(({ email }) => after[email]?.status !== "unsubscribed");
      expect(live.length).toBeLessThanOrEqual(1);
      for (const { id } of live) expect(keep).toContain(id);
    }
    expect(merged.done + (merged.skipped.already ?? 0)).toBe(merged.total);
    const undone = await undoBulkAction(ctx, newsletter, merged.id).catch(() => null);
    if (merged.done > 0) expect(undone).toMatchObject({ state: "undone", undone: merged.done });
    // Who was asked to come back has left once more, at the moment of the merge.
    const withoutTimes = (all: Awaited<ReturnType<typeof everybody>>) =>
      Object.entries(all)
        .map(([email, { unsubscribedAt, ...one }]) => ({ email, ...one, left: unsubscribedAt !== null }))
        .sort((a, b) => (a.email < b.email ? -1 : 1));
    expect(withoutTimes(await everybody())).toEqual(withoutTimes(before));
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(person, { minLength: 2, maxLength: 10 }),
      fc.array(fc.nat(9), { maxLength: 4 }),
      check,
    ),
    { numRuns: 40 },
  );
});
