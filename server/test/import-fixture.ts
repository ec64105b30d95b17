import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { beginImport, getImport } from "../imports/imports";
import { planImport } from "../imports/plan";
import { countAdded } from "../imports/schema/import-counts";
import type { ImportPlan, ImportRecord, ListInput, PlanRow } from "../imports/schema/imports";
import { undoImport } from "../imports/undo";
import { newId } from "../kernel/ids";
import { isUnderWay } from "../kernel/work-progress";
import { openOutbox } from "../mail/outbox";
import { type Database, type Db, openDatabase, type Tx } from "../platform/db/client";
import { openJobs } from "../platform/jobs/jobs";
import type { Ctx } from "../subscribers/context";
import { workJob } from "../work/add-work";
import { runWork } from "../work/run-work";
import { createTestDatabase } from "./database";
import { addEditor } from "./editor-context";
import { addNewsletter } from "./linked-person";

export type Newsletter = { id: string; accountId: string };
export type Options = Partial<Pick<ListInput, "statusRule" | "answers">>;

/** Runs the given imports, or their undo, one after another, like a process with jobs. */
export function openImportRunner() {
  const closing = new AbortController();
  let last: Promise<void> = Promise.resolve();
  return {
    start(ctx: Ctx, id: string, { removeOptOuts = false } = {}) {
      const job = workJob(ctx, { id, removeOptOuts });
      last = last.then(() => runWork(ctx, { job, closing: closing.signal }));
    },
    idle: () => last,
    async stop() {
      closing.abort();
      await last;
    },
  };
}
type ImportRunner = ReturnType<typeof openImportRunner>;

/** Opens a database and the parts of an app that imports need. `close` ends everything. */
async function openImportFixture() {
  const base = await createTestDatabase();
  const database: Database = openDatabase({ url: base.url, poolSize: 8, onError: () => {} });
  const { db } = database;
  const log = { warn: (details: object) => console.warn(details), error() {} };
  const jobs = openJobs({ databaseUrl: base.url, log });
  const runner = openImportRunner();
  const { accountId } = await addNewsletter(db);
  const ctx = await addEditor({ db, jobs, outbox: openOutbox(jobs) }, accountId);

  async function add(
    newsletterId: string,
    email: string,
    more: { status?: string; [column: string]: unknown } = {},
  ): Promise<string> {
    const id = newId();
    const row = {
      newsletterId,
      id,
      email,
      emailCanonical: email.toLowerCase(),
      status: "active",
      source: "api",
      unsubscribedAt: more.status === "unsubscribed" ? new Date() : null,
    };
    await db.subscriber.create({ data: { ...row, ...more } });
    return id;
  }

  return {
    url: base.url,
    db,
    ctx,
    runner,
    add,
    async close() {
      await runner.stop();
      await database.close();
      await base.drop();
    },
  };
}
export type ImportFixture = Awaited<ReturnType<typeof openImportFixture>>;

/** The fixture of the current test file, and the newsletter of the current test. */
export let fixture: ImportFixture;
export let newsletter: Newsletter;

export function openFixtureForTests(): void {
  beforeAll(async () => {
    fixture = await openImportFixture();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    newsletter = await addNewsletter(fixture.db);
  });
}

/** The people of the current newsletter, by address. */
export const storedPeople = () =>
  fixture.db.subscriber.findMany({
    where: { newsletterId: newsletter.id },
    orderBy: { emailCanonical: "asc" },
  });

/** The id of a person of the current newsletter. */
export const idOf = async (email: string) =>
  (await fixture.db.subscriber.findFirstOrThrow({ where: { newsletterId: newsletter.id, email } })).id;

/** Does work in an open transaction. @returns a function that commits it if `stays`, otherwise rolls it back */
export async function holdTransaction(work: (tx: Tx) => Promise<unknown>, stays = true) {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let over: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const held = async (tx: Tx) => {
      await work(tx);
      resolve();
      await until;
      if (!stays) throw new Error("rolled back");
    };
    over = fixture.db.$transaction(held, { timeout: 60_000 });
    over.catch(reject);
  });
  return async () => {
    letGo();
    await over.catch(() => {});
  };
}

/** Resolves when a session of this database waits for a lock. */
export const waitForLock = (db: Db = fixture.db) =>
  expect
    .poll(
      async () => {
        const [row] = await db.$queryRaw<{ waits: boolean }[]>`
          SELECT EXISTS (SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits`;
        return row?.waits;
      },
      { timeout: 20_000 },
    )
    .toBe(true);

type Brief = string | Partial<PlanRow>;

/** Makes a list as the editor's browser sends it. A string is an address. */
export function listOf(rows: Brief[], options: Options = {}): ListInput {
  return {
    rows: rows.map((row, index) => ({
      line: index + 1,
      name: "",
      email: "",
      ...(typeof row === "string" ? { email: row } : row),
    })),
    rejected: [],
    fileName: null,
    statusRule: "active",
    answers: {},
    ...options,
  };
}

/** Where a helper works; by default in the newsletter of the current test. */
type At = { ctx?: Ctx; to?: Newsletter; runner?: ImportRunner };

/** Plans the import of a list. */
export const planned = (rows: Brief[], options?: Options, { id } = newsletter) =>
  planImport(fixture.ctx, { newsletterId: id, list: listOf(rows, options) });

/** Starts the shown plan and gives it to a runner. */
export async function commit(
  { importId, digest, counts }: ImportPlan,
  { ctx = fixture.ctx, to = newsletter, runner = fixture.runner }: At = {},
): Promise<ImportRecord> {
  const people = countAdded(counts);
  const consent = people > 0 ? { source: "the fair", wording: "yes", people } : null;
  const { record, begun } = await beginImport(ctx, { newsletterId: to.id, importId, digest, consent });
  if (begun) runner.start(ctx, importId);
  return record;
}

/** Waits for an import's end. */
export async function ended(
  importId: string,
  { ctx = fixture.ctx, to = newsletter }: At = {},
): Promise<ImportRecord> {
  for (;;) {
    const run = await getImport(ctx, { newsletterId: to.id, importId });
    if (!isUnderWay(run.state) && run.state !== "planned") return run;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Plans the import of a list, runs it and waits for its end. */
export async function imported(rows: Brief[], options?: Options, to = newsletter): Promise<ImportRecord> {
  const made = await planned(rows, options, to);
  await commit(made, { to });
  return ended(made.importId, { to });
}

/** Undoes an import and waits for the end of the undo. */
export async function undone(importId: string, { removeOptOuts = false } = {}): Promise<ImportRecord> {
  await undoImport(fixture.ctx, { newsletterId: newsletter.id, importId, removeOptOuts });
  fixture.runner.start(fixture.ctx, importId, { removeOptOuts });
  return ended(importId);
}
