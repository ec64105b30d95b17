import { afterEach, describe, expect, it } from "vitest";
import type { ListPart } from "../services/import-list";
import { planImport } from "../services/import-plans";
import { fixture, listOf, newsletter, openFixtureForTests } from "../test/import-fixture";
import { ListThread } from "./list-thread";

openFixtureForTests();

const open: ListThread[] = [];
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close();
});

function openThread(file = new URL("./list-worker.ts", import.meta.url)): ListThread {
  const thread = new ListThread(file);
  open.push(thread);
  return thread;
}

/** A module in place of the thread's own. */
const moduleOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const bytesOf = (sent: unknown) => new TextEncoder().encode(JSON.stringify(sent));
const requestOf = (emails: string[]) =>
  bytesOf({ json: { newsletterId: "n", replaces: "r", plan: listOf(emails) } });

const plans = () => fixture.db.import.count({ where: { newsletterId: newsletter.id } });
const planRows = () => fixture.db.importRow.count();

describe("the thread that reads lists", () => {
  it("gives a request without its plan, and a list that is planned as if it were read here", async () => {
    const emails = ["ada@lovelace.org", "grace@navy.mil"];
    const { request, list } = await openThread().read(requestOf(emails));
    expect(request).toEqual({ newsletterId: "n", replaces: "r" });
    const shares: number[] = [];
    const made = await planImport(fixture.ctx, newsletter.id, list, {
      onShare: (share) => shares.push(share),
    });
    expect(made.counts).toMatchObject({ new_active: 2 });
    expect(shares).toEqual([1]);
    const stored = await fixture.db.importRow.findMany({ where: { importId: made.importId } });
    expect(stored.map((row) => row.email).sort()).toEqual(emails);
  });

  it("reads one list after the other, each for who sent it", async () => {
    const thread = openThread();
    const lists = await Promise.all(
      Array.from({ length: 4 }, (_, n) => thread.read(requestOf([`p${n}@list.org`]))),
    );
    for (const [n, { list }] of lists.entries()) {
      const parts: ListPart[] = [];
      for await (const part of list.parts()) parts.push(part);
      expect(parts.map(({ kind }) => kind)).toEqual(["head", "rows", "end"]);
      expect(JSON.stringify(parts[1])).toContain(`p${n}@list.org`);
    }
  });

  it("says which lines are not valid, and plans nothing", async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => `p${n}@list.org`);
    const { list } = await openThread().read(requestOf([...many, "nobody"]));
    await expect(planImport(fixture.ctx, newsletter.id, list)).rejects.toMatchObject({
      code: "validation_error",
      errors: { rows: [expect.stringMatching(/^Line 5001: /)] },
    });
    expect(await plans()).toBe(0);
  });

  it.each([
    ["no JSON", new TextEncoder().encode('{"json": {"plan"')],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ])("rejects what is %s, and reads the next", async (_, bytes) => {
    const thread = openThread();
    await expect(thread.read(bytes)).rejects.toMatchObject({ code: "validation_error", status: 400 });
    await thread.read(requestOf(["ada@lovelace.org"]));
  });

  it("rejects what superjson would have to carry out", async () => {
    const annotated = { json: { at: "2026-01-01T00:00:00.000Z" }, meta: { values: { at: ["Date"] } } };
    await expect(openThread().read(bytesOf(annotated))).rejects.toMatchObject({ status: 400 });
  });

  const failures = [
    ["is not there", new URL("./nowhere.mjs", import.meta.url)],
    ["throws at its start", moduleOf("throw new Error('no memory')")],
    ["ends without a word", moduleOf("process.exit(3)")],
  ] as const;
  it.each(failures)("rejects a list in words when it %s", async (_, file) => {
    const thread = openThread(file);
    for (let round = 0; round < 2; round++)
      await expect(thread.read(requestOf(["ada@lovelace.org"]))).rejects.toMatchObject({
        code: "service_unavailable",
        message: expect.stringContaining("Nothing was stored"),
      });
  });

  it("that is lost in the middle of a list leaves nothing of its plan, and the next list is planned", async () => {
    const begins = `
      import { parentPort } from "node:worker_threads";
      const rows = { kind: "rows", rows: 1, attributes: [], arrays: { lines: "{1}", recipientHashes: "{}", reasons: "{}", leftAt: "{}", evidence: "{}",
        people: { emails: "{a@b.org}", canonicals: "{NULL}", firstNames: "{A}", lastNames: "{B}", statuses: { one: "active", each: "{}" } } } };
      parentPort.on("message", ({ id }) => {
        parentPort.postMessage({ id, request: {} });
        const head = { rows: 2, rejected: 0, fileName: null, defaultStatus: "active", answers: {} };
        parentPort.postMessage({ id, part: { kind: "head", head } });
        parentPort.postMessage({ id, part: rows });
        setTimeout(() => process.exit(3), 300);
      });`;
    const before = await planRows();
    const { list } = await openThread(moduleOf(begins)).read(requestOf(["a@b.org", "c@d.org"]));
    await expect(planImport(fixture.ctx, newsletter.id, list)).rejects.toMatchObject({
      code: "service_unavailable",
    });
    expect(await plans()).toBe(0);
    expect(await planRows()).toBe(before);
    const next = await openThread().read(requestOf(["a@b.org"]));
    await planImport(fixture.ctx, newsletter.id, next.list);
    expect(await plans()).toBe(1);
  });

  it("closed, lets go of who waits, and begins anew for the next", async () => {
    const thread = openThread();
    const waiting = thread.read(requestOf(["ada@lovelace.org"]));
    const rejected = expect(waiting).rejects.toMatchObject({ code: "service_unavailable" });
    await thread.close();
    await rejected;
    await thread.read(requestOf(["ada@lovelace.org"]));
  });
});
