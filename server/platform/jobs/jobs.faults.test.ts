import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type AppContext, createApp } from "../../app";
import { openHandlers, startJobs } from "../../background-jobs";
import { loadConfig } from "../../config";
import { makeLog } from "../../kernel/log";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { addNewsletter, silentEndpoint } from "../../test/linked-person";
import { type Database, openDatabase } from "../db/client";
import { type Jobs, openJobs } from "./jobs";
import { queues } from "./queues";

let base: TestDatabase;
let database: Database;
const opened: Jobs[] = [];
const errors: object[] = [];
const log = { warn() {}, error: (details: object) => void errors.push(details) };

beforeAll(async () => {
  base = await createTestDatabase();
  database = openDatabase({ url: base.url, poolSize: 4, onError: () => {} });
});
beforeEach(() => {
  errors.length = 0;
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((jobs) => jobs.stop()));
  await database.db.$executeRaw`DELETE FROM pgboss.job`;
});
afterAll(async () => {
  await database.close();
  await base.drop();
});

function open(): Jobs {
  const jobs = openJobs({ databaseUrl: base.url, log, pollSeconds: 0.5 });
  opened.push(jobs);
  return jobs;
}
function openApp(): Promise<AppContext> {
  const config = loadConfig({ DATABASE_URL: base.url, LOG_LEVEL: "silent" });
  return createApp(config, base.url, ["a secret for tests that is long enough"], makeLog(config));
}
const send = (batchId: string) => [{ data: { batchId } }];

test("a job exists only if its transaction commits", async () => {
  const done: string[] = [];
  const [writer, worker] = [open(), open()];
  await worker.start({ "mail-send": async ({ batchId }) => void done.push(batchId) });
  await database.db
    .$transaction(async (tx) => {
      await writer.add(tx, "mail-send", send("rolled back"));
      throw new Error("changed my mind");
    })
    .catch(() => {});
  await database.db.$transaction((tx) => writer.add(tx, "mail-send", send("committed")));
  await expect.poll(() => done).toEqual(["committed"]);
});

test("one of several processes runs each job, and a failed job is retried", async () => {
  const done: string[] = [];
  const workers = [open(), open(), open()];
  for (const worker of workers)
    await worker.start({
      "mail-send": async ({ batchId }) => {
        if (batchId === "7" && errors.length === 0) throw new Error("not yet");
        done.push(batchId);
      },
    });
  const ids = Array.from({ length: 20 }, (_, i) => String(i));
  await open().add(database.db, "mail-send", ids.flatMap(send));
  await expect.poll(() => done.length, { timeout: 15_000 }).toBe(20);
  expect(done.sort()).toEqual(ids.sort());
  expect(errors).toMatchObject([{ queue: "mail-send" }]);
});

test("jobs that are due together run one after another, not one per poll", async () => {
  const done: string[] = [];
  const worker = openJobs({ databaseUrl: base.url, log, pollSeconds: 3 });
  opened.push(worker);
  await worker.start({ "mail-send": async ({ batchId }) => void done.push(batchId) });
  // Future jobs are not announced.
  const later = Array.from({ length: 30 }, (_, i) => ({ data: { batchId: String(i) }, at: 1 }));
  await worker.add(database.db, "mail-send", later);
  await expect.poll(() => done.length, { timeout: 10_000 }).toBe(30);
});

test("a stop signals a running handler and lets it finish", async () => {
  let ended = "";
  const jobs = open();
  await jobs.start({
    async "mail-send"(_, closing) {
      await sleep(10_000, undefined, { signal: closing }).catch(() => {});
      ended = closing.aborted ? "told" : "not told";
    },
  });
  await jobs.add(database.db, "mail-send", send("1"));
  await sleep(500);
  await jobs.stop();
  expect(ended).toBe("told");
});

test("a schedule makes a single job across all processes", () => {
  for (const queue of Object.values(queues)) if (queue.schedule) expect(queue.single).toBe(true);
});

test("a failed hourly task does not stop the others, and the job is retried", async () => {
  const app = await openApp();
  try {
    const [kind, at] = ["delivered", new Date(Date.now() - 4 * 86_400_000)];
    await app.db.mailReport.create({ data: { id: "1", providerId: "1", kind, at, receivedAt: at } });
    const mailService = () => Promise.reject(new Error("the first task fails"));
    const { handlers } = openHandlers({ ...app, mailService });
    await expect(handlers.hourly?.(null, app.jobs.closing, 0)).rejects.toThrow("the first task fails");
    expect(await app.db.mailReport.count()).toBe(0);
  } finally {
    await app.close();
  }
});

test("a stopping process hands webhooks to another at once, not at the next full minute", async () => {
  const app = await openApp();
  const states = async () => {
    const rows = await app.db.$queryRaw<{ state: string }[]>`
      SELECT state::text FROM pgboss.job WHERE name = 'webhooks' AND state <> 'completed'`;
    return rows.map(({ state }) => state);
  };
  try {
    const newsletter = await addNewsletter(app.db);
    await app.db.webhookEndpoint.create({
      data: { ...silentEndpoint(newsletter.id), events: ["import.finished"] },
    });
    await startJobs(app);
    await expect.poll(states, { timeout: 10_000 }).toEqual(["active"]);
    await app.jobs.stop();
    expect(await states()).toEqual(["retry"]);
  } finally {
    await app.db.webhookEndpoint.deleteMany();
    await app.close();
  }
});
