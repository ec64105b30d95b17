import { beforeEach, expect, it } from "vitest";
import { createSubscriber } from "../subscribers/create-subscribers";
import { createField } from "../subscribers/fields";
import { listPeople } from "../subscribers/people";
import { getPerson } from "../subscribers/person";
import { peopleWith } from "../subscribers/queries/people-filter";
import { maxTags } from "../subscribers/schema/fields";
import { NewSubscriber, SubscriberPatch } from "../subscribers/schema/subscriber";
import { updateSubscriber } from "../subscribers/subscribers";
import { ctx, newsletter, of, openEditorForTests } from "../test/editor-context";
import { type BulkTarget, startBulkChange, undoBulkAction } from "./bulk-actions";
import { BulkChange } from "./schema/bulk-changes";

openEditorForTests();
beforeEach(async () => {
  await createField(ctx, { ...of, field: { key: "seats", type: "number" } });
});

const origin = () => ({ newsletterId: newsletter.id, source: "dashboard", sourceId: null }) as const;
const add = async (name: string, more: object = {}) =>
  (
    await createSubscriber(ctx, {
      origin: origin(),
      input: NewSubscriber.parse({ email: `${name}@example.org`, ...more }),
    })
  ).record.id;
const start = (change: object, target: BulkTarget) =>
  startBulkChange(ctx, { newsletterId: newsletter.id, change: BulkChange.parse(change), target });
const everybody = () => ({ filter: peopleWith(newsletter.id) });
/** The people's fields and tags, by the local part of their address. */
const attributesByName = async () => {
  const { items: people } = await listPeople(ctx, {
    filter: everybody().filter,
    order: "email",
    limit: 1_000,
    from: null,
  });
  return Object.fromEntries(
    people.map(({ email, fields, tags }) => [email.split("@")[0], { ...fields, tags }]),
  );
};

it("tags keep their order when others are added or removed, and an undo skips people who changed since", async () => {
  const ids = [
    await add("a", { tags: ["old", "vip"] }),
    await add("b"),
    await add("c", { tags: ["VIP", "new"] }),
  ];
  const before = await attributesByName();
  const added = await start({ kind: "tag", tags: ["new", "Vip"] }, { ids });
  expect(added).toMatchObject({ kind: "tag", state: "done", done: 2, skipped: { already: 1 } });
  expect(await attributesByName()).toEqual({
    a: { tags: ["old", "vip", "new"] },
    b: { tags: expect.arrayContaining(["new", "vip"]) },
    c: { tags: ["vip", "new"] },
  });
  const { activities } = await getPerson(ctx, { newsletterId: newsletter.id, id: ids[0] as string });
  expect(activities[0]).toMatchObject({
    type: "updated",
    changes: { tags: ["old, vip", "old, vip, new"] },
    through: { kind: "bulk_action", id: added.id },
  });
  await updateSubscriber(ctx, {
    newsletterId: newsletter.id,
    id: ids[1] as string,
    patch: SubscriberPatch.parse({ name: "B" }),
  });
  expect(await undoBulkAction(ctx, { newsletterId: newsletter.id, id: added.id })).toMatchObject({
    state: "undone",
    undone: 1,
  });
  expect(await attributesByName()).toEqual({
    ...before,
    b: { tags: expect.arrayContaining(["new", "vip"]) },
  });

  const removed = await start({ kind: "untag", tags: ["NEW", "nobody"] }, everybody());
  expect(removed).toMatchObject({ done: 2, skipped: { already: 1 } });
  expect(await attributesByName()).toEqual({
    a: { tags: ["old", "vip"] },
    b: { tags: ["vip"] },
    c: { tags: ["vip"] },
  });
});

it("a field is set and removed, and an undo restores its value", async () => {
  const ids = [
    await add("a", { fields: { seats: 1 } }),
    await add("b"),
    await add("c", { fields: { seats: 3 } }),
  ];
  const before = await attributesByName();
  await expect(start({ kind: "set_field", key: "seats", value: "many" }, { ids })).rejects.toMatchObject({
    errors: { "fields.seats": [expect.any(String)] },
  });
  const set = await start({ kind: "set_field", key: "seats", value: 3 }, { ids });
  expect(set).toMatchObject({ done: 2, skipped: { already: 1 } });
  const seats = { seats: 3, tags: [] };
  expect(await attributesByName()).toEqual({ a: seats, b: seats, c: seats });
  expect(await undoBulkAction(ctx, { newsletterId: newsletter.id, id: set.id })).toMatchObject({ undone: 2 });
  expect(await attributesByName()).toEqual(before);
  await start({ kind: "set_field", key: "seats", value: null }, { ids });
  expect(await attributesByName()).toEqual({ a: { tags: [] }, b: { tags: [] }, c: { tags: [] } });
});

it("people who would exceed the limit of tags are skipped", async () => {
  const tags = Array.from({ length: maxTags }, (_, i) => `tag ${i}`);
  const ids = [await add("full", { tags }), await add("empty")];
  const done = await start({ kind: "tag", tags: ["one more"] }, { ids });
  expect(done).toMatchObject({ done: 1, skipped: { too_many_tags: 1 } });
});
