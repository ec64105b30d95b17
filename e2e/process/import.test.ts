import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ListUpload } from "../../components/imports/reading/upload-list";
import type { ImportRecord } from "../../server/imports/schema/imports";
import { type Staff, staffAt } from "../fixtures/staff";
import { type Site, siteForTest, until } from "./site";

/** Far from the minutes of a bad plan; bench/import.ts holds 100,000 to 10 s, while here a browser shares the processors. */
const QUICK_MS = 20_000;

const staff = (url: string) => staffAt(url, "ada@lovelace.org", "correct horse battery");

const listOf = (people: number, prefix: string) =>
  Array.from({ length: people }, (_, i) => ({
    line: i + 1,
    email: `${(Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(36)}.${prefix}@list.example`,
    name: `Reader ${i}`,
    ...(i % 4 === 0 && { status: "pending" as const }),
  }));

/** Plans a list and begins its run. */
async function begin({ trpc }: Staff, { newsletterId }: Site, people: number, prefix: string) {
  const plan = {
    rows: listOf(people, prefix),
    rejected: [],
    fileName: null,
    statusRule: "active" as const,
  };
  const { importId, digest } = await new ListUpload(trpc.imports, { newsletterId }, plan).plan();
  const consent = { source: "the fair", wording: "", people };
  return { importId, run: trpc.imports.commit.mutate({ newsletterId, importId, digest, consent }) };
}

type Traces = { people: number; mails: number };

/** What a run says and how many people and mails there are of it, in one statement: a run may end between two. */
async function stateAndTraces(site: Site, importId: string): Promise<{ state: string; traces: Traces }> {
  const [found] = await site.sql<{ state: string } & Traces>(
    `SELECT i.state, count(s.id)::int AS people, count(m.id)::int AS mails FROM imports i
     LEFT JOIN subscribers s ON s.newsletter_id = i.newsletter_id AND s.source = 'import' AND s.source_id = i.id
     LEFT JOIN mails m ON m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id
     WHERE i.id = $1 GROUP BY i.id`,
    [importId],
  );
  const { state, people, mails } = found as NonNullable<typeof found>;
  return { state, traces: { people, mails } };
}

const traces = async (site: Site, importId: string) => (await stateAndTraces(site, importId)).traces;

const nothing = { people: 0, mails: 0 };

describe("an import", () => {
  it("can be followed and cancelled through another process than the one that runs it", async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    const here = await staff(site.first.url);
    const there = here.at((await site.start()).url);
    const { newsletterId } = site;

    const long = await begin(here, site, 40_000, "long");
    await long.run;
    const seen: number[] = [];
    let last = "";
    for await (const run of there.progress(newsletterId, long.importId)) {
      seen.push(run.progress.done);
      last = run.state;
    }
    expect(last).toBe("done");
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.filter((written) => written > 0 && written < 40_000)).not.toEqual([]);
    expect(seen.at(-1)).toBe(40_000);

    const cancelled = await begin(here, site, 40_000, "cancelled");
    await cancelled.run;
    for await (const run of there.progress(newsletterId, cancelled.importId)) {
      last = run.state;
      if (run.progress.done > 0 && run.state === "running")
        await there.trpc.imports.cancel.mutate({ newsletterId, importId: cancelled.importId });
    }
    expect(last).toBe("cancelled");
    expect(await traces(site, cancelled.importId)).toEqual(nothing);
  });

  it.for(["stopped", "killed"] as const)(
    "whose server is %s adds no one there, and everyone once at the next server",
    async (how, test) => {
      const site = await siteForTest(test, { database: "shared" });
      const here = await staff(site.first.url);
      const { newsletterId } = site;
      const { importId, run } = await begin(here, site, 40_000, how);
      await run;
      await until("some progress", async () => {
        const { progress } = await here.trpc.imports.get.query({ newsletterId, importId });
        return progress.done > 0;
      });
      const began = performance.now();
      if (how === "killed") await site.first.kill9();
      else expect(await site.first.stop()).toBe(0);
      expect(performance.now() - began).toBeLessThan(10_000);
      expect(await stateAndTraces(site, importId)).toEqual({ state: "running", traces: nothing });
      const next = here.at((await site.start()).url);
      let last: ImportRecord | undefined;
      for await (const one of next.progress(newsletterId, importId)) last = one;
      expect(last).toMatchObject({ state: "done", progress: { done: 40_000, total: 40_000 } });
      expect(await traces(site, importId)).toEqual({ people: 40_000, mails: 10_000 });
    },
  );

  it("of 20,000 people is fast, and so are an overlapping import and both undos; the server stays under 500 MB", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const { trpc, progress } = await staff(site.first.url);
    const { newsletterId } = site;
    /** Nobody has analysed anything yet: a plan by guesses took minutes for this. */
    const run = async (rows: ReturnType<typeof listOf>, people: number) => {
      const plan = { rows, rejected: [], fileName: null, statusRule: "active" as const };
      const { importId, digest } = await new ListUpload(trpc.imports, { newsletterId }, plan).plan();
      const consent = { source: "the fair", wording: "", people };
      const began = performance.now();
      await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
      let state = "";
      for await (const one of progress(newsletterId, importId)) state = one.state;
      expect(state).toBe("done");
      expect(performance.now() - began).toBeLessThan(QUICK_MS);
      return importId;
    };
    const list = listOf(30_000, "timed");
    await run(
      list.slice(0, 20_000).map((row) => ({ ...row, name: "" })),
      20_000,
    );
    const second = await run(list.slice(10_000), 10_000);
    const began = performance.now();
    await trpc.imports.undo.mutate({ newsletterId, importId: second });
    let undone: ImportRecord["undone"] = null;
    for await (const one of progress(newsletterId, second)) undone = one.undone;
    expect(undone).toMatchObject({ people: 10_000, stayed: 0 });
    expect(performance.now() - began).toBeLessThan(QUICK_MS);
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${site.first.pid}/status`, "latin1");
      expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(500);
    }
  });
});
