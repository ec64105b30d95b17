import { expect, it } from "vitest";
import { deleteExpired } from "../operations/queries/housekeeping";
import { countByStatus } from "../subscribers/queries/people-counts";
import { fixture, imported, listOf, newsletter, openFixtureForTests, undone } from "../test/import-fixture";
import { getImport, listRejectedLines } from "./imports";
import { planImport } from "./plan";

openFixtureForTests();

const of = (importId: string) => ({ newsletterId: newsletter.id, importId });
const rowsOf = (importId: string) => fixture.db.importRow.count({ where: { importId } });
const lines = [{ line: 2, text: "no address", reason: "The email needs exactly one @ sign." }];

it("deletes plans with their rows after a day, and none earlier", async () => {
  const { db, ctx } = fixture;
  const list = { ...listOf(["ada@list.org"]), rejected: lines };
  const [old, young] = [
    await planImport(ctx, { newsletterId: newsletter.id, list }),
    await planImport(ctx, { newsletterId: newsletter.id, list }),
  ];
  const age = (id: string, interval: string) =>
    db.$executeRaw`UPDATE imports SET created_at = now() - ${interval}::interval WHERE id = ${id}::uuid`;
  await age(old.importId, "24 hours 1 minute");
  await age(young.importId, "23 hours 59 minutes");
  await deleteExpired(db);
  await expect(getImport(ctx, of(old.importId))).rejects.toMatchObject({ code: "not_found" });
  expect(await rowsOf(old.importId)).toBe(0);
  expect(await db.importRejected.count({ where: { importId: old.importId } })).toBe(0);
  expect((await getImport(ctx, of(young.importId))).state).toBe("planned");
  expect(await rowsOf(young.importId)).toBe(1);
  expect(await listRejectedLines(ctx, of(young.importId))).toEqual(lines);
});

it("keeps no address of an import longer than 30 days, and the import can be undone for seven", async () => {
  const { db, ctx } = fixture;
  await fixture.add(newsletter.id, "here@list.org");
  const run = await imported(["ada@list.org", "here@list.org"]);
  await db.importRejected.createMany({ data: lines.map((line) => ({ importId: run.id, ...line })) });
  await deleteExpired(db);
  expect(await rowsOf(run.id)).toBe(0);
  expect(await listRejectedLines(ctx, of(run.id))).toEqual(lines);
  expect((await undone(run.id)).undone).toEqual({
    people: 1,
    stayed: 0,
    mails: 0,
    optOuts: 0,
  });
  await db.$executeRaw`UPDATE imports SET ended_at = now() - interval '31 days' WHERE id = ${run.id}::uuid`;
  await deleteExpired(db);
  expect(await listRejectedLines(ctx, of(run.id))).toEqual([]);
  expect((await getImport(ctx, of(run.id))).counts).toMatchObject({ new_active: 1, already_active: 1 });
});

it("merges the counter rows of imports without changing the counts", async () => {
  const { db } = fixture;
  const rows = Array.from({ length: 50 }, (_, i) => `p${i}@list.org`);
  for (const part of [rows.slice(0, 20), rows.slice(20)]) await imported(part);
  const own = () => db.subscriberCount.count({ where: { newsletterId: newsletter.id, shard: { gte: 100 } } });
  expect(await own()).toBeGreaterThan(0);
  await deleteExpired(db);
  expect(await own()).toBe(0);
  expect(await countByStatus(db, newsletter.id)).toEqual({ active: 50, pending: 0, unsubscribed: 0 });
  await imported(["later@list.org"]);
  await deleteExpired(db);
  expect((await countByStatus(db, newsletter.id)).active).toBe(51);
});
