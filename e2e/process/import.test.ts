import { readFileSync } from "node:fs";
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { uploadList } from "../../components/imports/reading/upload-list";
import type { ImportRecord } from "../../server/imports/schema/imports";
import { newId } from "../../server/kernel/ids";
import { type Staff, staffAt } from "../fixtures/staff";
import { type Site, siteForTest, until } from "./site";

/** A bad plan takes minutes. */
const QUICK_MS = 60_000;
const PEOPLE = 20_000;
/** The address that an import writes last. */
const LAST = "zzzzzzzz@list.example";

const staff = (url: string) => staffAt(url, "ada@lovelace.org", "correct horse battery");

const listOf = (people: number) =>
  Array.from({ length: people }, (_, i) => ({
    line: i + 1,
    email: i === people - 1 ? LAST : `${(Math.imul(i + 1, 0x9e3779b1) >>> 0).toString(36)}@list.example`,
    name: `Reader ${i}`,
    ...(i % 4 === 0 && { status: "pending" as const }),
  }));

/** Plans a list and begins its import. */
async function begin(
  { trpc }: Staff,
  { newsletterId }: Site,
  rows: ReturnType<typeof listOf>,
  people: number,
) {
  const plan = { rows, rejected: [], fileName: null, statusRule: "active" as const };
  const { importId, digest } = await uploadList(trpc.imports, { newsletterId }, plan);
  const consent = { source: "the fair", wording: "", people };
  await trpc.imports.commit.mutate({ newsletterId, importId, digest, consent });
  return importId;
}

/** Keeps imports from ending: another transaction holds their last address. @returns what lets them go on */
async function holdImports({ env, newsletterId }: Site): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query("BEGIN");
  await client.query(
    `INSERT INTO subscribers (newsletter_id, id, email, email_canonical, status, source)
     VALUES ($1, $2, $3, $3, 'pending', 'api')`,
    [newsletterId, newId(), LAST],
  );
  return () => client.end();
}

const isWriting = ({ trpc }: Staff, { newsletterId }: Site, importId: string) =>
  until("some progress", async () => {
    const { progress } = await trpc.imports.get.query({ newsletterId, importId });
    return progress.done > 0;
  });

/** An import's state, its people and their emails, read in one statement. */
async function tracesOf(site: Site, importId: string) {
  const [found] = await site.sql<{ state: string; people: number; mails: number }>(
    `SELECT i.state, count(s.id)::int AS people, count(m.id)::int AS mails FROM imports i
     LEFT JOIN subscribers s ON s.newsletter_id = i.newsletter_id AND s.source = 'import' AND s.source_id = i.id
     LEFT JOIN mails m ON m.newsletter_id = s.newsletter_id AND m.subscriber_id = s.id
     WHERE i.id = $1 GROUP BY i.id`,
    [importId],
  );
  return found;
}

async function recordsOf({ progress }: Staff, { newsletterId }: Site, importId: string) {
  const records: ImportRecord[] = [];
  for await (const one of progress(newsletterId, importId)) records.push(one);
  return records;
}

describe("an import", () => {
  it("can be followed and cancelled through another process than the one that runs it", async (test) => {
    const site = await siteForTest(test, { database: "shared" });
    const here = await staff(site.first.url);
    const there = { ...here, ...here.at((await site.start()).url) };
    const { newsletterId } = site;
    let goOn = await holdImports(site);
    const cancelled = await begin(here, site, listOf(PEOPLE), PEOPLE);
    await isWriting(there, site, cancelled);
    await there.trpc.imports.cancel.mutate({ newsletterId, importId: cancelled });
    await goOn();
    expect((await recordsOf(there, site, cancelled)).at(-1)?.state).toBe("cancelled");
    expect(await tracesOf(site, cancelled)).toEqual({ state: "cancelled", people: 0, mails: 0 });

    goOn = await holdImports(site);
    const followed = await begin(here, site, listOf(PEOPLE), PEOPLE);
    const records = recordsOf(there, site, followed);
    await isWriting(there, site, followed);
    await goOn();
    const done = (await records).map(({ progress }) => progress.done);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect((await records).at(-1)).toMatchObject({ state: "done", progress: { done: PEOPLE } });
  });

  it.for(["stopped", "killed"] as const)(
    "whose server is %s adds no one there, and everyone once at the next server",
    async (how, test) => {
      const site = await siteForTest(test, { database: "shared" });
      const here = await staff(site.first.url);
      const goOn = await holdImports(site);
      const importId = await begin(here, site, listOf(PEOPLE), PEOPLE);
      await isWriting(here, site, importId);
      if (how === "killed") await site.first.kill9();
      else expect(await site.first.stop()).toBe(0);
      expect(await tracesOf(site, importId)).toEqual({ state: "running", people: 0, mails: 0 });
      await goOn();
      const next = { ...here, ...here.at((await site.start()).url) };
      expect((await recordsOf(next, site, importId)).at(-1)?.state).toBe("done");
      const all = { state: "done", people: PEOPLE, mails: PEOPLE / 4 };
      expect(await tracesOf(site, importId)).toEqual(all);
    },
  );

  it("of 20,000 people is fast, and so are an overlapping import and its undo; the server stays under 500 MB", async (test) => {
    const site = await siteForTest(test, { database: "own" });
    const here = await staff(site.first.url);
    const { newsletterId } = site;
    const timed = async (work: () => Promise<string>) => {
      const began = performance.now();
      const importId = await work();
      const record = (await recordsOf(here, site, importId)).at(-1);
      expect(performance.now() - began).toBeLessThan(QUICK_MS);
      return record as ImportRecord;
    };
    // PostgreSQL has analysed no table yet.
    const list = listOf(30_000);
    const first = await timed(() => begin(here, site, list.slice(0, 20_000), 20_000));
    const second = await timed(() => begin(here, site, list.slice(10_000), 10_000));
    expect([first.state, second.state]).toEqual(["done", "done"]);
    const undone = await timed(async () => {
      await here.trpc.imports.undo.mutate({ newsletterId, importId: second.id });
      return second.id;
    });
    expect(undone.undone).toMatchObject({ people: 10_000, stayed: 0 });
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${site.first.pid}/status`, "latin1");
      expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024).toBeLessThan(500);
    }
  });
});
