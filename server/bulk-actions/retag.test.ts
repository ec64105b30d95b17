import { describe, expect, it } from "vitest";
import { listAuditLog } from "../operations/overview";
import { deleteExpired } from "../operations/queries/housekeeping";
import type { Tx } from "../platform/db/client";
import { createSubscriber } from "../subscribers/create-subscribers";
import { canonicalTag } from "../subscribers/field-values";
import { includeStored } from "../subscribers/include-members";
import { listPeople } from "../subscribers/people";
import { getPerson } from "../subscribers/person";
import { peopleWith } from "../subscribers/queries/people-filter";
import { insertTags } from "../subscribers/queries/tags";
import { maxTagsOfNewsletter } from "../subscribers/schema/fields";
import { type Filter, PeopleFilterInput } from "../subscribers/schema/filter";
import { NewSubscriber, SubscriberPatch } from "../subscribers/schema/subscriber";
import { createSegment, listSegments, resolvePeopleFilter, updateSegment } from "../subscribers/segments";
import { resolveListQuery } from "../subscribers/subscriber-lists";
import { updateSubscriber } from "../subscribers/subscribers";
import { listTags } from "../subscribers/tag-changes";
import { listTagNames, resolveTagIds } from "../subscribers/tags";
import { ctx, of, openEditorForTests } from "../test/editor-context";
import { waitForLock } from "../test/import-fixture";
import { addPeople } from "../test/linked-person";
import { database } from "../test/open-database";
import { cancelBulkAction, startBulkChange, undoBulkAction } from "./bulk-actions";
import { continueBulkAction } from "./chunks";
import { findBulkAction } from "./queries/bulk-actions";
import { deleteTag, updateTag } from "./retag";
import { immediateLimit } from "./schema/bulk-actions";
import { BulkChange } from "./schema/bulk-changes";

openEditorForTests();

const add = async (name: string, tags: string[] = []) =>
  (
    await createSubscriber(ctx, {
      origin: { newsletterId: of.newsletterId, source: "dashboard", sourceId: null },
      input: NewSubscriber.parse({ email: `${name}@example.org`, tags }),
    })
  ).record.id;
const people = async (filter = peopleWith(of.newsletterId)) => {
  const { items } = await listPeople(ctx, { filter, order: "email", limit: 1_000, from: null });
  return Object.fromEntries(items.map(({ email, tags }) => [email.split("@")[0], tags]));
};
const withTag = async (...is: string[]) => {
  const filters = [{ match: "all", conditions: [{ about: "tag", is }], not: [] }];
  const filter = PeopleFilterInput.parse({ filters });
  return Object.keys(await people(await resolvePeopleFilter(ctx, { ...of, filter })));
};
const counts = async () =>
  Object.fromEntries((await listTags(ctx, of)).map(({ name, subscribers }) => [name, subscribers]));
const rename = (name: string, newName: string, merge = false) =>
  updateTag(ctx, { ...of, name, patch: { name: newName }, merge });
const merge = (name: string, into: string) => rename(name, into, true);
const remove = (name: string) => deleteTag(ctx, { ...of, name });
const undo = ({ action }: { action: { id: string } | null }) =>
  undoBulkAction(ctx, { newsletterId: of.newsletterId, id: action?.id ?? "" });
const audit = async () =>
  (await listAuditLog(ctx, { accountId: of.accountId, limit: 10, cursor: null })).items
    .filter(({ action }) => action.startsWith("tag."))
    .map(({ action, detail }) => [action, detail]);
const tagged = (...is: string[]): Filter => ({ match: "all", conditions: [{ about: "tag", is }], not: [] });
const save = (name: string, filter: Filter) =>
  createSegment(ctx, { ...of, name, filter, order: "newest", columns: null });
/** The tags in the segments' conditions. */
const ofSegments = async () =>
  (await listSegments(ctx, of)).map(({ filter: { conditions, not } }) =>
    [...conditions, ...not].flatMap((one) => (one.about === "tag" ? one.is : [])),
  );
/** The tags as stored. */
const stored = async () =>
  Object.fromEntries(
    (
      await database.db.subscriber.findMany({
        where: { newsletterId: of.newsletterId },
        orderBy: { email: "asc" },
      })
    ).map(({ email, tags }) => [email.split("@")[0], tags]),
  );
const numberOf = async (name: string) =>
  (
    await database.db.tag.findFirstOrThrow({
      where: { newsletterId: of.newsletterId, canonical: canonicalTag(name) },
      orderBy: { number: "desc" },
    })
  ).number;
/** Runs a started action to its end. */
const runAll = async (id: string) => {
  for (;;) {
    const row = await findBulkAction(database.db, of.newsletterId, id);
    if (!row || !["running", "undoing"].includes(row.state)) return row;
    await continueBulkAction(ctx, row);
  }
};
/** Adds more people than an action changes at once, with these tags. */
const addMany = async (...tags: string[]) => {
  const numbers = await resolveTagIds(
    ctx,
    of.newsletterId,
    tags.map((name) => ({ name, canonical: canonicalTag(name) })),
  );
  await addPeople(database.db, of.newsletterId, immediateLimit + 50, { tags: [...numbers.values()] });
};
const age = async (hours: number) => {
  await database.db
    .$executeRaw`UPDATE tags SET deleted_at = deleted_at - make_interval(hours => ${hours}::int)`;
  await database.db
    .$executeRaw`UPDATE bulk_actions SET ended_at = ended_at - make_interval(hours => ${hours}::int)`;
};

describe("a rename", () => {
  it("takes effect at once for people, filters and segments, without a change of any person", async () => {
    const id = await add("a", ["VIP", "new"]);
    const segment = await save("Important", {
      match: "any",
      conditions: [{ about: "tag", is: ["new", "vip"] }],
      not: [{ about: "tag", is: ["VIP"] }],
    });
    const { tag, action } = await rename("vip", "Customer");
    expect([tag.name, tag.subscribers, action]).toEqual(["Customer", 1, null]);
    expect(await people()).toEqual({ a: ["Customer", "new"] });
    expect([await withTag("CUSTOMER"), await withTag("VIP")]).toEqual([["a"], []]);
    expect(await ofSegments()).toEqual([["new", "Customer", "Customer"]]);
    const [changed] = await listSegments(ctx, of);
    expect(changed?.version).toBe(segment.version + 1);
    const { version } = await database.db.subscriber.findFirstOrThrow({ where: { id } });
    expect(version).toBe(1);
    expect(await audit()).toEqual([["tag.changed", { from: "VIP", to: "Customer" }]]);
  });

  it("can change the spelling, and can't take another tag's name unless tags are to be merged", async () => {
    await add("a", ["vip", "new"]);
    expect((await rename("VIP", "ViP")).tag.name).toBe("ViP");
    await rename("vip", "ViP");
    expect(await audit()).toHaveLength(1);
    await expect(rename("vip", "NEW")).rejects.toMatchObject({
      errors: { name: ["A tag with this name already exists."] },
    });
    await expect(rename("none", "other")).rejects.toMatchObject({ code: "not_found" });
    expect(await counts()).toEqual({ new: 1, ViP: 1 });
  });

  it("names a tag twice in a segment's condition only once", async () => {
    await add("a", ["vip"]);
    await save("Both", tagged("Fan", "vip"));
    await rename("vip", "fan");
    expect(await ofSegments()).toEqual([["fan"]]);
  });
});

describe("a merge", () => {
  it("replaces the tag where it stood, once, and is undone with its segments", async () => {
    const [a] = [await add("a", ["x", "old", "y"]), await add("b", ["old", "new"]), await add("c", ["new"])];
    await save("Old", tagged("OLD"));
    const before = await people();
    const merged = await merge("old", "NEW");
    expect(merged.tag).toMatchObject({ name: "new", subscribers: 3, merging: 0 });
    expect(merged.action).toMatchObject({ kind: "retag", state: "done", done: 2, total: 2 });
    expect(await people()).toEqual({ a: ["x", "new", "y"], b: ["new"], c: ["new"] });
    expect(await counts()).toEqual({ new: 3, x: 1, y: 1 });
    expect(await ofSegments()).toEqual([["new"]]);
    const { activities } = await getPerson(ctx, { newsletterId: of.newsletterId, id: a as string });
    expect(activities[0]).toMatchObject({
      changes: { tags: ["x, old, y", "x, new, y"] },
      through: { kind: "bulk_action", id: merged.action?.id },
    });
    expect(await audit()).toEqual([["tag.merged", { from: "old", to: "new" }]]);

    expect(await undo(merged)).toMatchObject({ state: "undone", undone: 2 });
    expect(await people()).toEqual(before);
    expect(await counts()).toEqual({ new: 2, old: 2, x: 1, y: 1 });
    expect(await ofSegments()).toEqual([["OLD"]]);
  });

  it("takes effect before the background job has changed anyone, and counts each person once", async () => {
    await addMany("old");
    await add("both", ["old", "new"]);
    await add("third", ["other"]);
    await save("Old", tagged("old"));
    const { tag, action } = await merge("old", "new");
    expect(action).toMatchObject({ state: "running", total: immediateLimit + 51, done: 0 });
    expect(tag).toMatchObject({
      name: "new",
      subscribers: immediateLimit + 51,
      merging: immediateLimit + 51,
    });
    expect(await listTags(ctx, of)).toMatchObject([tag, { name: "other" }]);
    expect(new Set(Object.values(await people()).map(String))).toEqual(new Set(["new", "other"]));
    expect(await withTag("new")).toHaveLength(immediateLimit + 51);
    const listed = await resolveListQuery(ctx, { ...of, query: { tag: "new" } });
    expect(Object.keys(await people(listed))).toHaveLength(immediateLimit + 51);
    for (const work of [() => remove("new"), () => merge("other", "new"), () => merge("new", "other")])
      await expect(work()).rejects.toMatchObject({
        errors: { name: [expect.stringContaining("A bulk action that uses this tag is still running.")] },
      });
    expect(await runAll(action?.id ?? "")).toMatchObject({ state: "done", done: immediateLimit + 51 });
    expect(await listTags(ctx, of)).toMatchObject([{ name: "new", merging: 0 }, { name: "other" }]);
    expect(new Set(Object.values(await stored()).map(String))).toEqual(
      new Set([await numberOf("new"), await numberOf("other")].map(String)),
    );
  });

  it("removes the tag from people by either number while it is under way", async () => {
    await addMany("old");
    await merge("old", "new");
    const filter = peopleWith(of.newsletterId);
    const change = BulkChange.parse({ kind: "untag", tags: ["new"] });
    const untagged = await startBulkChange(ctx, { ...of, change, target: { filter } });
    expect(await runAll(untagged.id)).toMatchObject({ done: immediateLimit + 50 });
    expect(await counts()).toEqual({ new: 0 });
  });

  it("can follow another merge, whose tag then leads to the last one, and both are undone", async () => {
    await addMany("one");
    await add("b", ["two"]);
    const first = await merge("one", "two");
    await cancelBulkAction(ctx, { newsletterId: of.newsletterId, id: first.action?.id ?? "" });
    await add("c", ["three"]);
    const second = await merge("two", "three");
    expect(second.tag).toMatchObject({ subscribers: immediateLimit + 52 });
    expect(await withTag("three")).toHaveLength(immediateLimit + 52);
    await undo(second);
    expect(await counts()).toEqual({ three: 1, two: immediateLimit + 51 });
  });
});

describe("a deletion", () => {
  it("removes the tag from everybody, and an undo restores it for people who have not changed since", async () => {
    const [, b] = [await add("a", ["old", "x"]), await add("b", ["old"])];
    const deleted = await remove("OLD");
    expect(deleted.tag).toMatchObject({ name: "old", subscribers: 2 });
    expect(deleted.action).toMatchObject({ state: "done", done: 2 });
    expect(await people()).toEqual({ a: ["x"], b: [] });
    expect(await counts()).toEqual({ x: 1 });
    const patch = SubscriberPatch.parse({ name: "B" });
    await updateSubscriber(ctx, { newsletterId: of.newsletterId, id: b as string, patch });
    expect(await undo(deleted)).toMatchObject({ state: "undone", undone: 1 });
    expect(await people()).toEqual({ a: ["old", "x"], b: [] });
    expect(await counts()).toEqual({ old: 1, x: 1 });
    expect(await audit()).toEqual([["tag.deleted", { name: "old" }]]);
  });

  it("is refused while a segment uses the tag, and names the segments", async () => {
    await add("a", ["old"]);
    await save("Mine", tagged("Old"));
    await expect(remove("old")).rejects.toMatchObject({
      errors: { name: ["The segment Mine uses this tag. Change or delete it first. Nothing was deleted."] },
    });
    const [segment] = await listSegments(ctx, of);
    const changed = { name: "Mine", filter: tagged("x"), order: "newest", columns: null } as const;
    await updateSegment(ctx, { ...of, id: segment?.id ?? "", version: 1, segment: changed });
    expect((await remove("old")).action).toMatchObject({ done: 1 });
  });

  it("hides the tag from records, filters and lists before the background job has changed anyone", async () => {
    await addMany("old");
    const { action } = await remove("old");
    expect(action).toMatchObject({ state: "running" });
    expect(new Set(Object.values(await people()).map(String))).toEqual(new Set([""]));
    expect([await withTag("old"), await listTagNames(ctx, of)]).toEqual([[], []]);
    const [{ id = "" } = {}] = await database.db.subscriber.findMany({
      where: { newsletterId: of.newsletterId },
    });
    const include = { fields: false, tags: true };
    const records = [{ id, email: "", name: "", status: "active", created_at: "" } as const];
    expect(await includeStored(ctx, { ...of, records, include })).toMatchObject([{ tags: [] }]);
    expect(await runAll(action?.id ?? "")).toMatchObject({ state: "done", done: immediateLimit + 50 });
    expect(new Set(Object.values(await stored()).map(String))).toEqual(new Set([""]));
  });

  it("can be undone when it was stopped before anyone was changed, or when no one had the tag", async () => {
    await addMany("old");
    const deleted = await remove("old");
    await expect(undo(deleted)).rejects.toMatchObject({
      errors: { action: [expect.stringContaining("still running")] },
    });
    await cancelBulkAction(ctx, { newsletterId: of.newsletterId, id: deleted.action?.id ?? "" });
    expect(await undo(deleted)).toMatchObject({ state: "undone", undone: 0 });
    expect(await counts()).toEqual({ old: immediateLimit + 50 });

    const ids = [await add("a", ["none"])];
    const change = BulkChange.parse({ kind: "untag", tags: ["none"] });
    await startBulkChange(ctx, { ...of, change, target: { ids } });
    const empty = await remove("none");
    expect(empty.action).toMatchObject({ state: "done", total: 0 });
    await undo(empty);
    expect(await counts()).toEqual({ none: 0, old: immediateLimit + 50 });
  });

  it("can't be undone while another tag has the name; nothing changes then", async () => {
    await add("a", ["old"]);
    const deleted = await remove("old");
    await add("b", ["Old"]);
    await expect(undo(deleted)).rejects.toMatchObject({
      errors: { action: [expect.stringContaining("Another tag has the name old by now.")] },
    });
    expect(await people()).toEqual({ a: [], b: ["Old"] });
    await rename("old", "other");
    expect(await undo(deleted)).toMatchObject({ state: "undone", undone: 1 });
    expect(await people()).toEqual({ a: ["old"], b: ["other"] });
  });

  it("frees its place under the limit of tags", async () => {
    const tags = Array.from({ length: maxTagsOfNewsletter }, (_, i) => ({
      name: `t${i}`,
      canonical: `t${i}`,
    }));
    await database.db.$transaction((tx) => insertTags(tx, of.newsletterId, tags));
    await expect(add("a", ["one more"])).rejects.toMatchObject({ code: "validation_error" });
    await remove("t0");
    await add("a", ["one more"]);
    expect(await people()).toEqual({ a: ["one more"] });
  });

  it("waits for a bulk action that uses the tag", async () => {
    await addMany("old");
    const numbers = [await numberOf("old")];
    const change = BulkChange.parse({ kind: "tag", tags: ["new"] });
    const target = { filter: peopleWith(of.newsletterId, { about: "tag", is: numbers }) };
    const running = await startBulkChange(ctx, { ...of, change, target });
    for (const name of ["old", "new"])
      await expect(remove(name)).rejects.toMatchObject({
        errors: { name: [expect.stringContaining("A bulk action that uses this tag is still running.")] },
      });
    await runAll(running.id);
    expect((await remove("old")).action).toMatchObject({ total: immediateLimit + 50 });
  });
});

describe("cleaning up", () => {
  it("replaces or removes leftover numbers when the time for an undo has passed, and then deletes the tags", async () => {
    await add("a", ["gone"]);
    await add("b", ["old", "new"]);
    const [gone, old, kept] = [await numberOf("gone"), await numberOf("old"), await numberOf("new")];
    await remove("gone");
    await merge("old", "new");
    // Requests that resolved the tags just before.
    await database.db.subscriber.updateMany({
      where: { email: { startsWith: "a@" }, newsletterId: of.newsletterId },
      data: { tags: [gone] },
    });
    await database.db.subscriber.updateMany({
      where: { email: { startsWith: "b@" }, newsletterId: of.newsletterId },
      data: { tags: [kept, old] },
    });
    await add("c");
    await database.db.subscriber.updateMany({
      where: { email: { startsWith: "c@" }, newsletterId: of.newsletterId },
      data: { tags: [old] },
    });
    expect(await people()).toEqual({ a: [], b: ["new"], c: ["new"] });
    await age(23);
    await deleteExpired(database.db);
    expect(await stored()).toEqual({ a: [gone], b: [kept, old], c: [old] });
    await age(3);
    await deleteExpired(database.db);
    expect(await stored()).toEqual({ a: [], b: [kept], c: [kept] });
    expect(await database.db.tag.count({ where: { newsletterId: of.newsletterId } })).toBe(1);
  });

  it("leaves a tag alone whose bulk action still runs", async () => {
    await addMany("old");
    const { action } = await remove("old");
    await age(30);
    await deleteExpired(database.db);
    expect(await database.db.tag.count({ where: { newsletterId: of.newsletterId } })).toBe(1);
    expect(await runAll(action?.id ?? "")).toMatchObject({ state: "done", done: immediateLimit + 50 });
    // It can be undone from now on, however long ago the tag was deleted.
    await deleteExpired(database.db);
    expect(await database.db.tag.count({ where: { newsletterId: of.newsletterId } })).toBe(1);
  });
});

it("creates that use the tag at the same time neither fail nor bring it back", async () => {
  await add("first", ["old"]);
  await add("other", ["new"]);
  const creating = Promise.all(Array.from({ length: 20 }, (_, i) => add(`p${i}`, ["old"])));
  const [merged] = await Promise.all([merge("old", "new"), creating]);
  expect(merged.tag.name).toBe("new");
  const all = await people();
  expect(Object.keys(all)).toHaveLength(22);
  // Each create saw the tag before or after: it has the tag that remains, or a new one with the old name.
  for (const tags of Object.values(all)) expect(["new", "old"]).toContain(String(tags));
  const names = await listTagNames(ctx, of);
  expect(names.length).toBe(new Set(names).size);
});

/** Starts `second` while `first` is not committed yet. @returns the second's result */
async function during<T>(first: (tx: Tx) => Promise<unknown>, second: () => Promise<T>): Promise<T> {
  const { result } = await database.db.$transaction(
    async (tx) => {
      await first(tx);
      const result = second();
      result.catch(() => {});
      await waitForLock(database.db);
      return { result };
    },
    { timeout: 60_000 },
  );
  return result;
}

describe("at the same time", () => {
  it("a rename sees a tag that a request adds with the new name", async () => {
    await add("a", ["old"]);
    const adding = (tx: Tx) => insertTags(tx, of.newsletterId, [{ name: "new", canonical: "new" }]);
    await expect(during(adding, () => rename("old", "NEW"))).rejects.toMatchObject({
      errors: { name: ["A tag with this name already exists."] },
    });
  });

  it.each(["deletes", "renames"])(
    "a request that %s a tag sees a segment that is saved with it",
    async (what) => {
      await add("a", ["old"]);
      const filter = tagged("old");
      const segment = { ...of, name: "Mine", filter, order: "newest", columns: null } as const;
      const saving = (tx: Tx) => createSegment({ ...ctx, tx }, segment);
      if (what === "renames") await during(saving, () => rename("old", "new"));
      else
        await expect(during(saving, () => remove("old"))).rejects.toMatchObject({
          errors: { name: [expect.stringContaining("The segment Mine uses this tag.")] },
        });
      expect(await ofSegments()).toEqual([[what === "renames" ? "new" : "old"]]);
    },
  );
});
