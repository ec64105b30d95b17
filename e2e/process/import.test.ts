import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { ImportRecord } from "../../server/imports/schema/imports";
import { staffAt } from "../fixtures/staff";
import { siteForTest } from "./site";

/** A bad plan takes minutes. */
const QUICK_MS = 60_000;

const listOf = (people: number) =>
  Array.from({ length: people }, (_, i) => ({
    email: `${(Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(36)}@list.example`,
    name: `Reader ${i}`,
    ...(i % 4 === 0 && { status: "pending" as const }),
  }));

it("an import of 20,000 people, one of an overlapping list and its undo each take under a minute, and the server stays under 500 MB", async (test) => {
  const site = await siteForTest(test, { database: "own" });
  const { newsletterId } = site;
  const { trpc, progress, addList } = await staffAt(
    site.first.url,
    "ada@lovelace.org",
    "correct horse battery",
  );
  const timed = async (work: () => Promise<string>) => {
    const began = performance.now();
    let last: ImportRecord | undefined;
    for await (const record of progress(newsletterId, await work())) last = record;
    expect(performance.now() - began).toBeLessThan(QUICK_MS);
    return last as ImportRecord;
  };
  // PostgreSQL has analysed no table yet.
  const list = listOf(30_000);
  const first = await timed(() => addList(newsletterId, list.slice(0, 20_000)));
  const second = await timed(() => addList(newsletterId, list.slice(10_000)));
  expect([first.state, second.state]).toEqual(["done", "done"]);
  const undone = await timed(async () => {
    await trpc.imports.undo.mutate({ newsletterId, importId: second.id });
    return second.id;
  });
  expect(undone.undone).toMatchObject({ people: 10_000, stayed: 0 });
  if (process.platform === "linux") {
    const status = readFileSync(`/proc/${site.first.pid}/status`, "latin1");
    expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(500);
  }
});
