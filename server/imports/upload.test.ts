import { expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { fixture, listOf, newsletter, openFixtureForTests } from "../test/import-fixture";
import { addNewsletter } from "../test/linked-person";
import { getImport } from "./imports";
import { planUpload } from "./plan";
import { maxImportRows } from "./schema/import-counts";
import type { PlanRow } from "./schema/imports";
import { beginUpload, storePart } from "./upload";

openFixtureForTests();

const head = { fileName: null, statusRule: "active", answers: {} } as const;
const begin = async (replaces?: string) =>
  (await beginUpload(fixture.ctx, { newsletterId: newsletter.id, head, replaces })).importId;
const rejected = [{ line: 99, text: "no address", reason: "The email needs exactly one @ sign." }];

const upload = (importId: string, part: number, emails: string[], line = 1) => {
  const rows = listOf(emails).rows.map((row, i): PlanRow => ({ ...row, line: line + i }));
  return storePart(fixture.ctx, { newsletterId: newsletter.id, importId, part, rows, rejected });
};
const plan = (importId: string) => planUpload(fixture.ctx, { newsletterId: newsletter.id, importId });
const storedOf = async (importId: string) => {
  const rows = await fixture.db.importRow.findMany({ where: { importId }, orderBy: { line: "asc" } });
  return rows.map(({ email }) => email);
};

it("stores a repeated or concurrent part once", async () => {
  const importId = await begin();
  const first = () => upload(importId, 0, ["a@list.org", "b@list.org"]);
  await Promise.all([first(), first(), first()]);
  await upload(importId, 1, ["c@list.org"], 3);
  await first();
  expect(await storedOf(importId)).toEqual(["a@list.org", "b@list.org", "c@list.org"]);
  expect((await plan(importId)).counts.new_active).toBe(3);
  const record = await getImport(fixture.ctx, { newsletterId: newsletter.id, importId });
  expect(record).toMatchObject({ state: "planned", rows: 3, rejected: 2 });
  expect(await fixture.db.importRejected.count({ where: { importId } })).toBe(1);
});

it("rejects parts out of order and parts of a planned list", async () => {
  const importId = await begin();
  await upload(importId, 0, ["a@list.org"]);
  await expect(upload(importId, 2, ["c@list.org"])).rejects.toMatchObject({ code: "validation_error" });
  await plan(importId);
  await expect(upload(importId, 1, ["b@list.org"])).rejects.toMatchObject({ code: "validation_error" });
  expect(await storedOf(importId)).toEqual(["a@list.org"]);
});

it("names addresses of the same or an earlier part and stores nothing of the new part", async () => {
  const importId = await begin();
  await expect(upload(importId, 0, ["a@list.org", "A@list.org"])).rejects.toMatchObject({
    errors: { rows: ["Line 2: This address is also on line 1. Remove one of them."] },
  });
  await upload(importId, 0, ["a@list.org", "b@list.org"]);
  await expect(upload(importId, 1, ["c@list.org", "B@list.org"], 3)).rejects.toMatchObject({
    errors: { rows: ["Line 4: This address is also on line 2. Remove one of them."] },
  });
  expect(await storedOf(importId)).toEqual(["a@list.org", "b@list.org"]);
});

it("names an address that is twice on one line", async () => {
  const importId = await begin();
  const rows = listOf(["a@list.org", "A@list.org"]).rows.map((row): PlanRow => ({ ...row, line: 7 }));
  const stored = storePart(fixture.ctx, {
    newsletterId: newsletter.id,
    importId,
    part: 0,
    rows,
    rejected: [],
  });
  await expect(stored).rejects.toMatchObject({
    errors: { rows: ["Line 7: This address is also on line 7. Remove one of them."] },
  });
  expect(await storedOf(importId)).toEqual([]);
});

it("plans against the current subscribers, and returns the same plan again", async () => {
  const importId = await begin();
  await upload(importId, 0, ["a@list.org", "b@list.org"]);
  await fixture.add(newsletter.id, "a@list.org", { status: "pending" });
  const made = await plan(importId);
  expect(made.counts).toMatchObject({ new_active: 1, already_pending: 1 });
  expect(made.known).toBe("a@list.org pending");
  const again = await plan(importId);
  expect(again.counts).toEqual(made.counts);
  expect((await fixture.db.import.findUniqueOrThrow({ where: { id: importId } })).digest).toBe(again.digest);
});

it("rejects an empty list", async () => {
  await expect(plan(await begin())).rejects.toMatchObject({
    code: "validation_error",
    message: "The list has no people to add.",
  });
});

it("accepts at most 100,000 people", async () => {
  const importId = await begin();
  await fixture.db.import.update({ where: { id: importId }, data: { rows: maxImportRows } });
  await expect(upload(importId, 0, ["a@list.org"])).rejects.toMatchObject({ code: "validation_error" });
});

it("finds no upload of another newsletter, no deleted upload and no running import", async () => {
  const importId = await begin();
  const other = await addNewsletter(fixture.db);
  const part = { part: 0, ...listOf(["a@list.org"]) };
  const gone = { code: "not_found" };
  await expect(storePart(fixture.ctx, { newsletterId: other.id, importId, ...part })).rejects.toMatchObject(
    gone,
  );
  await expect(planUpload(fixture.ctx, { newsletterId: other.id, importId })).rejects.toMatchObject(gone);
  await begin(importId);
  for (const id of [importId, newId(), "x"])
    await expect(upload(id, 0, ["a@list.org"])).rejects.toMatchObject(gone);
  await expect(plan("x")).rejects.toMatchObject(gone);
});
