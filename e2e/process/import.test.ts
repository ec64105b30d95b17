import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ImportRecord } from "../../server/contract/imports";
import { type Staff, staffAt } from "../fixtures/staff";
import { kill9 } from "./pids";
import { type Site, siteForTest, until } from "./site";

/** How often a run is killed, at moments spread over it. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 10);

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
    defaultStatus: "active" as const,
  };
  const { importId, digest } = await trpc.imports.plan.mutate({ newsletterId, plan });
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
  it(`killed with its server, and every other time with PostgreSQL, ${ROUNDS} times, has added nobody or everybody, and says which`, {
    timeout: 120_000 + ROUNDS * 15_000,
  }, async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const size = 6_000;
    const whole = { people: size, mails: size / 4 };
    let product = site.first;
    let signedIn = await staff(product.url);
    const look = (importId: string) =>
      signedIn.trpc.imports.get.query({ newsletterId: site.newsletterId, importId });
    const ended = (importId: string) =>
      until(
        "the end of a run",
        async () => {
          const run = await look(importId);
          return run.state !== "running" && run;
        },
        120,
      );

    const first = await begin(signedIn, site, size, "whole");
    const began = performance.now();
    await first.run;
    expect((await ended(first.importId)).state).toBe("done");
    const tookMs = performance.now() - began;
    expect(await traces(site, first.importId)).toEqual(whole);

    const killed: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { importId, run } = await begin(signedIn, site, size, `round${round}`);
      run.catch(() => {}); // its answer may be lost
      // Beyond the end, too: the last moments are those of the commit.
      await sleep((tookMs * 1.2 * (round + 0.5)) / ROUNDS);
      kill9(round % 2 ? [...site.postgresPids(), product.pid] : [product.pid]);
      await product.kill9();
      product = await site.start();
      signedIn = await staff(product.url);
      killed.push(importId);
      const { state, traces } = await stateAndTraces(site, importId);
      expect(traces).toEqual(state === "done" ? whole : nothing);
    }
    for (const importId of killed) {
      // A job that nobody had taken when its server was killed is carried out by the next one.
      expect(["planned", "failed", "done"]).toContain((await ended(importId)).state);
      const { state, traces } = await stateAndTraces(site, importId);
      expect(traces).toEqual(state === "done" ? whole : nothing);
    }
    const again = await begin(signedIn, site, 100, "again");
    await again.run;
    expect((await ended(again.importId)).state).toBe("done");
    const [counts] = await site.sql<{ counted: number; there: number }>(
      `SELECT (SELECT sum(people) FROM subscriber_counts)::int AS counted, (SELECT count(*) FROM subscribers)::int AS there`,
    );
    expect(counts?.counted).toBe(counts?.there);
  });

  it("is watched, and cancelled half-way, at another process than the one that carries it out", async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    const here = await staff(site.first.url);
    const there = here.at((await site.start()).url);
    const { newsletterId } = site;

    const long = await begin(here, site, 40_000, "long");
    await long.run;
    const seen: number[] = [];
    let last = "";
    for await (const run of there.progress(newsletterId, long.importId)) {
      seen.push(run.written);
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
      if (run.written > 0 && run.state === "running")
        await there.trpc.imports.cancel.mutate({ newsletterId, importId: cancelled.importId });
    }
    expect(last).toBe("cancelled");
    expect(await traces(site, cancelled.importId)).toEqual(nothing);
  });

  it("ends at once when its server is told to stop, and whoever watches is let go", async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    const here = await staff(site.first.url);
    const { newsletterId } = site;
    const { importId, run } = await begin(here, site, 40_000, "stopped");
    await run;
    const watching = (async () => {
      const seen: string[] = [];
      for await (const one of here.progress(newsletterId, importId)) seen.push(one.state);
      return seen;
    })();
    await until("some progress", async () => {
      const { written } = await here.trpc.imports.get.query({ newsletterId, importId });
      return written > 0;
    });
    const began = performance.now();
    expect(await site.first.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(await watching).not.toContain("done");
    // Only now another process, which could have taken the import's job.
    const there = here.at((await site.start()).url);
    const ended = await there.trpc.imports.get.query({ newsletterId, importId });
    expect(ended).toMatchObject({ state: "failed", error: expect.stringContaining("Nobody was added") });
    expect(await traces(site, importId)).toEqual(nothing);
  });

  it("of 20,000 people is quick, and so are one that overlaps it and their undoing; the server stays under 500 MB", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const { trpc, progress } = await staff(site.first.url);
    const { newsletterId } = site;
    /** Nobody has analysed anything yet: a plan by guesses took minutes for this. */
    const run = async (rows: ReturnType<typeof listOf>, people: number) => {
      const plan = { rows, rejected: [], fileName: null, defaultStatus: "active" as const };
      const { importId, digest } = await trpc.imports.plan.mutate({ newsletterId, plan });
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
