import { beforeEach, describe, expect, it } from "vitest";
import { startBulkChange } from "../bulk-actions/bulk-actions";
import { continueBulkAction } from "../bulk-actions/chunks";
import { type BulkActionRow, findBulkAction } from "../bulk-actions/queries/bulk-actions";
import { BulkChange } from "../bulk-actions/schema/bulk-changes";
import { AppError, invalid, parse } from "../kernel/errors";
import { newId } from "../kernel/ids";
import { listAuditLog } from "../operations/overview";
import { ctx, newsletter, of, openEditorForTests } from "../test/editor-context";
import { addNewsletter, addPeople } from "../test/linked-person";
import { database } from "../test/open-database";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { createField, deleteField, updateField } from "./fields";
import { countMatching } from "./people";
import { type Condition, type Filter, PeopleFilterInput } from "./schema/filter";
import { maxSegments, NewSegment } from "./schema/segments";
import { createSegment, listSegments, removeSegment, resolvePeopleFilter, updateSegment } from "./segments";

openEditorForTests();
beforeEach(async () => {
  await createField(ctx, { ...of, field: { key: "company", label: "Company", type: "text" } });
  await createField(ctx, { ...of, field: { key: "seats", type: "number" } });
  await createField(ctx, { ...of, field: { key: "edition", type: "choice", choices: ["Print", "Digital"] } });
});

const conditions = (...some: object[]) => ({ match: "all", conditions: some, not: [] }) as unknown as Filter;
const segment = (name: string, filter: Filter) => parse(NewSegment, { name, filter });
const pending = { about: "status", is: ["pending"] };
const withCompany = { about: "field", key: "company", test: "set" };
const noneOf = (...not: object[]) => ({ match: "all", conditions: [], not }) as unknown as Filter;
const withoutCompany = noneOf(withCompany);
const save = (name: string, filter: Filter) => createSegment(ctx, { ...of, ...segment(name, filter) });
const filterOf = (input: object) =>
  resolvePeopleFilter(ctx, { ...of, filter: PeopleFilterInput.parse(input) });
const count = async (input: object) => (await countMatching(ctx, await filterOf(input))).people;

/** The errors by place; null without errors. */
async function faults(work: () => Promise<unknown>): Promise<Record<string, string[]> | string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.errors ?? error.code;
    throw error;
  }
}

const add = (people: number, more: Parameters<typeof addPeople>[3] = {}) =>
  addPeople(database.db, newsletter.id, people, more);

describe("a saved segment", () => {
  it("is listed by name, changed and deleted; the audit log records each step", async () => {
    const late = await save("zoo", conditions(pending));
    const first = await createSegment(ctx, {
      ...of,
      ...segment("Asked", conditions(pending)),
      order: "-confirmed",
      columns: ["status", "field:company"],
    });
    expect(await listSegments(ctx, of)).toEqual([first, late]);
    expect(first).toMatchObject({ columns: ["status", "field:company"], order: "-confirmed", version: 1 });
    const next = segment("Asked again", conditions({ about: "status", is: ["active"] }));
    const changed = await updateSegment(ctx, { ...of, id: first.id, version: 1, segment: next });
    expect(changed).toEqual({ ...next, id: first.id, version: 2, isNested: false });
    expect(await listSegments(ctx, of)).toEqual([changed, late]);
    await removeSegment(ctx, { ...of, id: late.id });
    expect(await listSegments(ctx, of)).toEqual([changed]);
    const { items: entries } = await listAuditLog(ctx, { accountId: newsletter.accountId, limit: 4 });
    expect(entries.map(({ action, detail }) => [action, detail?.name])).toEqual([
      ["segment.deleted", "zoo"],
      ["segment.changed", "Asked again"],
      ["segment.created", "Asked"],
      ["segment.created", "zoo"],
    ]);
  });

  it("has a unique name in any case, also after a change", async () => {
    const { id } = await save("Élan", conditions(pending));
    const taken = { name: ["A segment with this name already exists."] };
    expect(await faults(() => save("ÉLAN", conditions(pending)))).toEqual(taken);
    const other = await save("Other", conditions(pending));
    const renamed = (name: string) => ({ version: 1, segment: segment(name, conditions(pending)) });
    expect(await faults(() => updateSegment(ctx, { ...of, id: other.id, ...renamed("élan") }))).toEqual(
      taken,
    );
    expect(await faults(() => updateSegment(ctx, { ...of, id, ...renamed("ÉLAN") }))).toBe(null);
  });

  it("is not overwritten if another staff member changed or deleted it meanwhile", async () => {
    const { id } = await save("Asked", conditions(pending));
    const to = (name: string) =>
      updateSegment(ctx, { ...of, id, version: 1, segment: segment(name, conditions(pending)) });
    await to("First");
    expect(Object.keys((await faults(() => to("Second"))) as object)).toEqual(["version"]);
    expect((await listSegments(ctx, of)).map(({ name }) => name)).toEqual(["First"]);
    await removeSegment(ctx, { ...of, id });
    expect(await faults(() => to("Third"))).toBe("not_found");
    expect(await faults(() => removeSegment(ctx, { ...of, id }))).toBe("not_found");
  });

  it(`is one of at most ${maxSegments}, also when several are saved at once`, async () => {
    const data = Array.from({ length: maxSegments - 1 }, (_, i) => ({
      name: `s${i}`,
      filter: conditions(pending),
      order: "newest",
      id: newId(),
      newsletterId: newsletter.id,
      canonical: `s${i}`,
    }));
    await database.db.segment.createMany({ data });
    const saved = await Promise.all(
      ["a", "b", "c"].map((name) => faults(() => save(name, conditions(pending)))),
    );
    expect(saved.filter((one) => one === null)).toHaveLength(1);
    expect(saved).toContainEqual({ name: [expect.stringContaining("at most 100 segments")] });
  });

  it("with nested groups of an earlier version can't be used until its filter is saved again", async () => {
    const { id } = await save("Nested", conditions(pending));
    await database.db.segment.updateMany({ where: { id }, data: { isNested: true } });
    expect(await faults(() => filterOf({ segment: id }))).toEqual({
      segment: [expect.stringContaining("Rebuild it on the People page")],
    });
    await updateSegment(ctx, { ...of, id, version: 1, segment: segment("Nested", conditions(pending)) });
    expect(await count({ segment: id })).toBe(0);
  });

  it.each<[object, string]>([
    [{ about: "field", key: "gone", test: "set" }, "key"],
    [{ about: "field", key: "seats", test: "contains", value: "1" }, "test"],
    [{ about: "field", key: "company", test: "at_least", value: "A" }, "test"],
    [{ about: "field", key: "seats", test: "is", value: "1" }, "value"],
    [{ about: "field", key: "company", test: "is", value: "  " }, "value"],
    [{ about: "field", key: "company", test: "is" }, "value"],
    [{ about: "email", test: "contains", value: " " }, "value"],
    [{ about: "added", test: "after" }, "at"],
    [{ about: "added", test: "before", at: "0000-01-01T00:00:00Z" }, "at"],
    [{ about: "asked", test: "over_days_ago", at: "2026-01-01T00:00:00Z" }, "days"],
  ])("with %j is rejected at its place, on %s", async (wrong, at) => {
    const filter = { ...noneOf(pending, wrong), conditions: [pending] } as Filter;
    const errors = await faults(() => Promise.resolve().then(() => save("Wrong", filter)));
    expect(Object.keys(errors as object)).toEqual([`not.1.${at}`]);
    expect(await listSegments(ctx, of)).toEqual([]);
  });
});

describe("a link with conditions written by hand", () => {
  const said = "These conditions can’t be read. Show all people and choose the conditions again.";
  it.each([
    // Links from before flat filters have groups.
    [[{ match: "all", conditions: [pending] }]],
    [{ ...conditions(pending), match: "most" }],
    [{ match: "all", conditions: { status: "active" }, not: [] }],
    [conditions({ about: "weather", is: ["fine"] })],
    [conditions({ about: "status", is: ["gone"] })],
    [conditions({ about: "email", test: "like", value: "a" })],
    [conditions({ about: "tag", is: "vip" })],
    [conditions({ about: "field", key: 1, test: "set" })],
    [conditions({ about: "added", test: "after", at: "yesterday" })],
    [conditions({ about: "import", id: newId(), part: "half" })],
  ])("says in one sentence that they cannot be read: %j", (filter) => {
    const { error } = PeopleFilterInput.safeParse({ filters: [filter] });
    expect(invalid(error?.issues ?? []).message).toBe(said);
  });
});

describe("a field that a segment uses", () => {
  it("can't be deleted; the error names the segments, and without them it can", async () => {
    const one = await save("With", conditions(withCompany));
    expect(await faults(() => deleteField(ctx, { ...of, key: "company" }))).toEqual({
      key: ["The segment With uses this field. Change or delete it first. Nothing was deleted."],
    });
    const two = await save("Without", withoutCompany);
    expect(await faults(() => deleteField(ctx, { ...of, key: "company" }))).toEqual({
      key: [expect.stringContaining("The segments With, Without use this field.")],
    });
    expect(await faults(() => deleteField(ctx, { ...of, key: "seats" }))).toBe(null);
    await removeSegment(ctx, { ...of, id: one.id });
    await removeSegment(ctx, { ...of, id: two.id });
    expect(await faults(() => deleteField(ctx, { ...of, key: "company" }))).toBe(null);
  });

  it("makes the segment unusable when the field is deleted anyway, and never matches everyone", async () => {
    await add(2, { fields: { 1: "Navy" } });
    await add(1);
    const { id } = await save("Without", withoutCompany);
    expect([await count({ segment: id }), await count({ filters: [withoutCompany] })]).toEqual([1, 1]);
    await database.db.field.updateMany({
      where: { newsletterId: newsletter.id, key: "company" },
      data: { deletedAt: new Date() },
    });
    const saved = (await faults(() => filterOf({ segment: id }))) as { segment: string[] };
    expect(saved.segment[0]).toMatch(/^The segment Without can't be used .* "company"/);
    expect(await faults(() => filterOf({ filters: [withoutCompany] }))).toEqual({
      "not.0.key": [expect.stringContaining('"company"')],
    });
    // A new field with the same key is a different field.
    await createField(ctx, { ...of, field: { key: "company", type: "number" } });
    const compared: Condition = { about: "field", key: "company", test: "contains", value: "a" };
    expect(
      Object.keys((await faults(() => filterOf({ filters: [conditions(compared)] }))) as object),
    ).toEqual(["conditions.0.test"]);
  });

  it("still finds people by a removed choice", async () => {
    const [field] = await database.db.field.findMany({
      where: { newsletterId: newsletter.id, key: "edition" },
    });
    await add(3, { fields: { [field?.number as number]: "Print" } });
    const { id } = await save(
      "Print",
      conditions({ about: "field", key: "edition", test: "is", value: "print" }),
    );
    expect(await count({ segment: id })).toBe(3);
    const filter = conditions({ about: "field", key: "edition", test: "is", value: "Print" });
    await updateField(ctx, { ...of, key: "edition", patch: { choices: ["Digital"] } });
    expect(await count({ filters: [filter] })).toBe(3);
  });
});

describe("a filter", () => {
  it("from a page of an earlier version is rejected, and never matches everyone", () => {
    const { error } = PeopleFilterInput.safeParse({ status: ["pending"] });
    expect(invalid(error?.issues ?? []).message).toBe("This page is older than the server. Reload it.");
  });

  it("rejects another newsletter's segment and a deleted key", async () => {
    const { id } = await save("Pending", conditions(pending));
    const other = await addNewsletter(database.db);
    const input = PeopleFilterInput.parse({ segment: id });
    expect(await faults(() => resolvePeopleFilter(ctx, { newsletterId: other.id, filter: input }))).toBe(
      "not_found",
    );
    await removeSegment(ctx, { ...of, id });
    expect(await faults(() => filterOf({ segment: id }))).toBe("not_found");
  });
});

describe("a running bulk action", () => {
  const row = async (id: string) => (await findBulkAction(database.db, newsletter.id, id)) as BulkActionRow;
  const start = async (input: object) =>
    startBulkChange(ctx, {
      ...of,
      change: BulkChange.parse({ kind: "tag", tags: ["done"] }),
      target: { filter: await filterOf(input) },
    });
  const tagged = () =>
    database.db.subscriber.count({ where: { newsletterId: newsletter.id, tags: { isEmpty: false } } });

  it("keeps the people it selected at its start, even if its segment changes", async () => {
    await add(450);
    await add(50, { createdAt: new Date(Date.now() - 10 * 86_400_000) });
    await add(30, { fields: { 1: "Navy" } });
    const lately = {
      ...conditions({ about: "added", test: "within_days", days: 2 }),
      not: [withCompany],
    } as Filter;
    const { id: segmentId } = await save("Lately", lately);
    const { id } = await start({ segment: segmentId });
    await updateSegment(ctx, {
      ...of,
      id: segmentId,
      version: 1,
      segment: segment("Lately", conditions({ about: "status", is: ["unsubscribed"] })),
    });
    await continueBulkAction(ctx, await row(id));
    await removeSegment(ctx, { ...of, id: segmentId });
    while ((await row(id)).state === "running") await continueBulkAction(ctx, await row(id));
    expect(await row(id)).toMatchObject({ state: "done", total: 450, done: 450 });
    const [stored] = (await row(id)).filter ?? [];
    expect(stored?.conditions).toEqual([{ about: "added", test: "after", at: expect.any(String) }]);
  });

  it("stops when a field of its filter is deleted, and leaves the rest unchanged", async () => {
    await add(400);
    const { id } = await start({ filters: [withoutCompany] });
    await continueBulkAction(ctx, await row(id));
    const done = await tagged();
    expect(done).toBeGreaterThan(0);
    await deleteField(ctx, { ...of, key: "company" });
    await runWork(ctx, { job: workJob(ctx, { id }), closing: new AbortController().signal });
    expect(await row(id)).toMatchObject({
      state: "failed",
      error:
        "A field in the conditions was deleted in the meantime. Changes made before stay, and no one else was changed.",
    });
    expect(await tagged()).toBe(done);
  });
});
