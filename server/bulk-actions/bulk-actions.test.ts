import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids";
import { listAuditLog } from "../operations/overview";
import { deleteExpired } from "../operations/queries/housekeeping";
import { openDatabase } from "../platform/db/client";
import type { Ctx } from "../subscribers/context";
import { countByStatus } from "../subscribers/queries/people-counts";
import { peopleWith } from "../subscribers/queries/people-filter";
import { ctx, newsletter, of, openEditorForTests } from "../test/editor-context";
import { waitForLock } from "../test/import-fixture";
import { addPeople, suppressAddress } from "../test/linked-person";
import { base, database } from "../test/open-database";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import {
  cancelBulkAction as cancel,
  dismissBulkAction as dismiss,
  getBulkAction as get,
  listBulkActions,
  startBulkAction,
  undoBulkAction as undo,
} from "./bulk-actions";
import { continueBulkAction } from "./chunks";
import { type BulkActionRow, findBulkAction } from "./queries/bulk-actions";

openEditorForTests();

const add = (people: number, status = "active") => addPeople(database.db, newsletter.id, people, { status });
const everybody = () => ({ filter: peopleWith(newsletter.id) });
/** The number of people by status, without statuses that no one has. */
const statuses = async () => {
  const counts = Object.entries(await countByStatus(database.db, newsletter.id));
  return Object.fromEntries(counts.filter(([, people]) => people > 0));
};
const row = async (id: string) => (await findBulkAction(database.db, newsletter.id, id)) as BulkActionRow;
const eventsOf = (kind: string) =>
  database.db.subscriberEvent.count({ where: { newsletterId: newsletter.id, kind } });
const mailsOf = async () =>
  (await database.db.mail.findMany({ where: { newsletterId: newsletter.id }, orderBy: { id: "asc" } })).map(
    (mail) => mail.state,
  );

/** Runs all remaining chunks in this process. @returns the number of chunks */
async function runToEnd(id: string, db = ctx.db): Promise<number> {
  for (let chunks = 1; ; chunks++) {
    await continueBulkAction({ ...ctx, db }, await row(id));
    if (!["running", "undoing"].includes((await row(id)).state)) return chunks;
  }
}

describe("a few people", () => {
  it("are changed at once or skipped with a reason, and an undo restores them", async () => {
    const [active, pending] = [await add(2), await add(1, "pending")];
    const gone = await add(1, "unsubscribed");
    await database.db.subscriber.updateMany({
      where: { newsletterId: newsletter.id, id: gone[0] as string },
      data: { unsubscribedAt: new Date("2026-01-01") },
    });
    const read = () =>
      database.db.subscriber.findMany({
        where: { newsletterId: newsletter.id },
        select: { id: true, status: true, unsubscribedAt: true, confirmedAt: true },
        orderBy: { id: "asc" },
      });
    const before = await read();
    const run = await startBulkAction(ctx, {
      ...of,
      kind: "unsubscribe",
      target: { ids: [...active, ...pending, ...gone] },
    });
    expect(run).toMatchObject({
      state: "done",
      total: 4,
      done: 3,
      skipped: { already: 1 },
      mine: true,
      by: "Robin",
    });
    expect(run.undoUntil?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(await statuses()).toEqual({ unsubscribed: 4 });
    const undoableIn = async () =>
      (await listAuditLog(ctx, { accountId: newsletter.accountId, limit: 5 })).items.map((act) => act.undoIn);
    expect(await undoableIn()).toEqual([newsletter.id]);
    const back = await undo(ctx, { ...of, id: run.id });
    expect(await undoableIn()).toEqual([null, null]);
    expect(back).toMatchObject({ state: "undone", done: 3, undone: 3, undoUntil: null });
    expect(await read()).toEqual(before);
    // The caller saw the result at once, so no summary waits for them.
    expect(await listBulkActions(ctx, of)).toEqual([]);
    const acts = await database.db.auditEntry.findMany({
      where: { newsletterId: newsletter.id },
      orderBy: { id: "asc" },
    });
    expect(acts.map(({ action, detail }) => [action, (detail as { people: number }).people])).toEqual([
      ["people.unsubscribe", 3],
      ["people.undone", 3],
    ]);
    await expect(undo(ctx, { ...of, id: run.id })).rejects.toMatchObject({ code: "validation_error" });
  });

  it("an undo keeps an earlier opt-out of pending people, so that older links can't confirm them", async () => {
    const [id] = (await add(1, "pending")) as [string];
    const find = () =>
      database.db.subscriber.findFirstOrThrow({ where: { newsletterId: newsletter.id, id } });
    await database.db.subscriber.updateMany({
      where: { newsletterId: newsletter.id, id },
      data: { unsubscribedAt: new Date("2026-01-01") },
    });
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids: [id] } });
    const { unsubscribedAt } = await find();
    await undo(ctx, { ...of, id: run.id });
    expect(unsubscribedAt?.getTime()).toBeGreaterThan(new Date("2026-01-01").getTime());
    expect(await find()).toMatchObject({ status: "pending", unsubscribedAt });
  });

  it("an undo leaves people unsubscribed who were suppressed before the action", async () => {
    const [id] = (await add(1, "pending")) as [string];
    await suppressAddress(database.db, newsletter.id, { email: `${id}@example.org`, reason: "bounced" });
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids: [id] } });
    expect(await undo(ctx, { ...of, id: run.id })).toMatchObject({ done: 1, undone: 0 });
    expect(await statuses()).toEqual({ unsubscribed: 1 });
  });

  it("an undo leaves people unsubscribed who are suppressed while it waits for their row", async () => {
    const [id] = (await add(1)) as [string];
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids: [id] } });
    const { undoing } = await database.db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM subscribers WHERE newsletter_id = ${newsletter.id}::uuid AND id = ${id}::uuid FOR UPDATE`;
      const undoing = undo(ctx, { ...of, id: run.id });
      await waitForLock(database.db);
      await suppressAddress(tx, newsletter.id, { email: `${id}@example.org`, reason: "bounced" });
      return { undoing };
    });
    expect(await undoing).toMatchObject({ done: 1, undone: 0 });
    expect(await statuses()).toEqual({ unsubscribed: 1 });
  });

  it("an undo cancels queued confirmations, but not sent ones", async () => {
    const ids = await add(4, "pending");
    const [active] = (await add(1)) as [string];
    const start = () => startBulkAction(ctx, { ...of, kind: "confirm", target: { ids: [...ids, active] } });
    const run = await start();
    expect(run).toMatchObject({ done: 4, skipped: { not_pending: 1 } });
    expect(await start()).toMatchObject({ done: 0, skipped: { not_pending: 1, on_its_way: 4 } });
    const states = ["waiting", "deferred", "logged", "sent"];
    const mails = await database.db.mail.findMany({
      where: { newsletterId: newsletter.id },
      orderBy: { id: "asc" },
    });
    for (const [i, { id }] of mails.entries()) {
      const state = states[i] as string;
      const held = state === "deferred" ? new Date(Date.now() + 3_600_000) : null;
      await database.db.mail.update({
        where: { id },
        data: {
          state,
          deferredUntil: held,
          ...(state === "sent" && { batchId: newId(), batchPosition: 0, subject: "s", html: "h", text: "t" }),
        },
      });
    }
    expect(await undo(ctx, { ...of, id: run.id })).toMatchObject({ done: 4, undone: 3, state: "undone" });
    expect(await mailsOf()).toEqual(["cancelled", "cancelled", "cancelled", "sent"]);
    expect(await statuses()).toEqual({ active: 1, pending: 4 });
  });

  it("an undo that is impossible is rejected with the reason: no changes or erased people", async () => {
    const target = { ids: await add(1) };
    const nobody = await startBulkAction(ctx, { ...of, kind: "activate", target });
    expect(nobody).toMatchObject({ state: "done", done: 0, undoUntil: null });
    await expect(undo(ctx, { ...of, id: nobody.id })).rejects.toThrow("changed no people");
    const erased = await startBulkAction(ctx, { ...of, kind: "erase", target });
    expect(erased).toMatchObject({ state: "done", done: 1, undoUntil: null });
    await expect(undo(ctx, { ...of, id: erased.id })).rejects.toThrow("Erased people can't be restored.");
    expect(await database.db.bulkActionChange.count({ where: { bulkActionId: erased.id } })).toBe(0);
  });
});

describe("many people", () => {
  it("are changed chunk by chunk without people who join later, and one audit entry has their number", async () => {
    await add(450);
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: everybody() });
    expect(run).toMatchObject({ state: "running", total: 450, done: 0 });
    await add(3);
    await continueBulkAction(ctx, await row(run.id));
    expect(await get(ctx, { ...of, id: run.id })).toMatchObject({ state: "running", done: 200 });
    expect(await runToEnd(run.id)).toBe(2);
    expect(await get(ctx, { ...of, id: run.id })).toMatchObject({ state: "done", done: 450, skipped: {} });
    expect(await statuses()).toEqual({ active: 3, unsubscribed: 450 });
    const acts = await database.db.auditEntry.findMany({ where: { newsletterId: newsletter.id } });
    expect(acts.map(({ action, detail }) => [action, detail])).toEqual([
      ["people.unsubscribe", { people: 450 }],
    ]);
    expect(JSON.stringify(acts)).not.toContain("@example.org");
    const back = await undo(ctx, { ...of, id: run.id });
    expect(back).toMatchObject({ state: "undoing", undone: 0 });
    expect(await runToEnd(run.id)).toBe(3);
    expect(await get(ctx, { ...of, id: run.id })).toMatchObject({ state: "undone", undone: 450 });
    expect(await statuses()).toEqual({ active: 453 });
    expect(await eventsOf("put_back")).toBe(450);
  });

  it("people who no longer match when their chunk runs are skipped", async () => {
    await add(250, "pending");
    const filter = peopleWith(newsletter.id, { about: "status", is: ["pending"] });
    const run = await startBulkAction(ctx, { ...of, kind: "erase", target: { filter } });
    // Somebody confirms after the page is read and before the chunk locks its people.
    const first = await row(run.id);
    const confirmed = await database.db.subscriber.findFirst({
      where: { newsletterId: newsletter.id },
      orderBy: { id: "desc" },
    });
    const racing = { ...ctx, db: databaseWithRacingConfirm(confirmed?.id as string) };
    await continueBulkAction(racing as Ctx, first);
    await runToEnd(run.id);
    expect(await get(ctx, { ...of, id: run.id })).toMatchObject({
      done: 249,
      skipped: { changed_meanwhile: 1 },
    });
    expect(await statuses()).toEqual({ active: 1 });
  });

  it("a cancel stops an action between two chunks, and finished chunks can be undone", async () => {
    await add(450);
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: everybody() });
    const earlier = await row(run.id);
    await continueBulkAction(ctx, earlier);
    const stale = await row(run.id);
    // Another process has done this chunk.
    await continueBulkAction(ctx, earlier);
    expect(await cancel(ctx, { ...of, id: run.id })).toMatchObject({ state: "cancelled", done: 200 });
    // A process with an outdated row notices the cancel.
    await continueBulkAction(ctx, stale);
    expect(await statuses()).toEqual({ active: 250, unsubscribed: 200 });
    expect(await undo(ctx, { ...of, id: run.id })).toMatchObject({ state: "undone", undone: 200 });
    expect(await statuses()).toEqual({ active: 450 });
  });

  it("selections above the limit for immediate actions run in the background", async () => {
    const ids = await add(430);
    await add(5);
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids } });
    expect(run).toMatchObject({ state: "running", total: 430 });
    await runToEnd(run.id);
    expect(await statuses()).toEqual({ active: 5, unsubscribed: 430 });
  });

  it("an action fails after too many attempts, says which changes stay, and can be undone", async () => {
    await add(300);
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: everybody() });
    await continueBulkAction(ctx, await row(run.id));
    const closing = new AbortController().signal;
    const job = workJob(ctx, { id: run.id });
    await runWork(ctx, { job, closing, retries: 8 });
    expect(await get(ctx, { ...of, id: run.id })).toMatchObject({
      state: "failed",
      error: expect.stringContaining("Changes made before stay"),
      done: 200,
    });
    expect(await undo(ctx, { ...of, id: run.id })).toMatchObject({ undone: 200 });
  });

  it("a summary stays until its starter dismisses it, and everybody sees a running action", async () => {
    await add(250);
    const other = { ...ctx, actor: { ...ctx.actor, id: newId() } } as Ctx;
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: everybody() });
    expect((await listBulkActions(other, of)).map(({ id, mine }) => [id, mine])).toEqual([[run.id, false]]);
    await runToEnd(run.id);
    expect(await listBulkActions(other, of)).toEqual([]);
    expect((await listBulkActions(ctx, of)).map(({ state }) => state)).toEqual(["done"]);
    await dismiss(other, { ...of, id: run.id });
    expect(await listBulkActions(ctx, of)).toHaveLength(1);
    await dismiss(ctx, { ...of, id: run.id });
    expect(await listBulkActions(ctx, of)).toEqual([]);
  });

  it("undo data is deleted after a day, and the action can't be undone", async () => {
    const ids = await add(3);
    const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: { ids } });
    const remembered = () => database.db.bulkActionChange.count({ where: { bulkActionId: run.id } });
    await deleteExpired(ctx.db);
    expect(await remembered()).toBe(3);
    await database.db
      .$executeRaw`UPDATE bulk_actions SET ended_at = now() - interval '25 hours' WHERE id = ${run.id}::uuid`;
    expect((await get(ctx, { ...of, id: run.id })).undoUntil).toBeNull();
    await expect(undo(ctx, { ...of, id: run.id })).rejects.toMatchObject({ code: "validation_error" });
    await deleteExpired(ctx.db);
    expect(await remembered()).toBe(0);
  });
});

it("several processes share the chunks of an action and of its undo, and each person is changed once", async () => {
  await add(1_200);
  const processes = [1, 2, 3].map(() => openDatabase({ url: base.url, poolSize: 2, onError() {} }));
  const run = await startBulkAction(ctx, { ...of, kind: "unsubscribe", target: everybody() });
  const runByAll = () => Promise.all(processes.map(({ db }) => runToEnd(run.id, db)));
  await runByAll();
  expect(await get(ctx, { ...of, id: run.id })).toMatchObject({ state: "done", done: 1_200, skipped: {} });
  expect(await eventsOf("unsubscribed")).toBe(1_200);
  await undo(ctx, { ...of, id: run.id });
  await runByAll();
  expect(await get(ctx, { ...of, id: run.id })).toMatchObject({ state: "undone", undone: 1_200 });
  expect(await statuses()).toEqual({ active: 1_200 });
  expect(await eventsOf("put_back")).toBe(1_200);
  await Promise.all(processes.map((one) => one.close()));
});

/** A database in which this person confirms just before the transaction that changes people. */
function databaseWithRacingConfirm(id: string) {
  const { db } = database;
  let pages = 0;
  return new Proxy(db, {
    get(target, name) {
      if (name !== "$transaction") return Reflect.get(target, name);
      return async (...args: Parameters<typeof target.$transaction>) => {
        // The first transaction reads the page; the second locks its people.
        if (++pages === 2) {
          await target.$executeRaw`
            UPDATE subscribers SET status = 'active', version = version + 1 WHERE id = ${id}::uuid`;
        }
        return (target.$transaction as (...all: unknown[]) => unknown)(...args);
      };
    },
  });
}
