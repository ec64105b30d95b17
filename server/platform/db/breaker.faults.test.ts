import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { toAppError } from "../../kernel/errors";
import { createTestDatabase, type TestDatabase } from "../../test/database";
import { type DatabaseLine, openDatabaseLine } from "../../test/database-line";
import { type Database, openDatabase } from "./client";

let base: TestDatabase;
let line: DatabaseLine;
let database: Database;
let changes: boolean[];

beforeEach(async () => {
  base = await createTestDatabase();
  line = await openDatabaseLine(base.url);
  changes = [];
  const onAway = (isAway: boolean) => void changes.push(isAway);
  database = openDatabase({ url: line.url, poolSize: 2, onError: () => {}, onAway });
  await ask();
});

afterEach(async () => {
  line.fix();
  await database.close();
  line.close();
  await base.drop();
});

const ask = () => database.db.$queryRaw`SELECT 1`;
const pause = (seconds: number) => database.db.$executeRaw`SELECT pg_sleep(${seconds}::float8)`;

/** Returns the result or error of some work, and its duration in ms. */
async function timed(work: Promise<unknown>) {
  const from = performance.now();
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  const { status, message } = thrown === null ? { status: 200, message: "" } : toAppError(thrown, "program");
  return { status, message, ms: performance.now() - from };
}

const UNCHANGED = /Nothing was changed/;
const UNKNOWN = /not known whether the change was saved; repeat the request with the same Idempotency-Key/;

test("requests to a silent database fail within a second, and say whether a change may have been saved", async () => {
  line.silence();
  const requests = Array.from({ length: 6 }, () => timed(ask()));
  const answers = await Promise.all(requests);
  for (const { status, ms } of answers) {
    expect(status).toBe(503);
    expect(ms).toBeLessThan(1_500); // 900 ms on a quiet machine
  }
  // One connection was open and a second was connecting. The other five requests had none.
  expect(answers.filter(({ message }) => UNKNOWN.test(message))).toHaveLength(1);
  expect(answers.filter(({ message }) => UNCHANGED.test(message))).toHaveLength(5);
  const refused = await timed(ask());
  expect(refused.ms).toBeLessThan(100);
  expect(refused.message).toMatch(UNCHANGED);
  line.fix();
  await expect.poll(() => timed(ask()), { timeout: 5_000 }).toMatchObject({ status: 200 });
  expect(changes).toEqual([true, false]);
});

test("a transaction between two statements also ends, and saves nothing", async () => {
  const write = database.db.$transaction(async (tx) => {
    await tx.$executeRaw`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'half')`;
    line.silence();
    await sleep(1_500);
    await tx.$executeRaw`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'whole')`;
  });
  expect(await timed(write)).toMatchObject({ status: 503, message: expect.stringMatching(UNKNOWN) });
  line.fix();
  await expect.poll(() => timed(ask()), { timeout: 5_000 }).toMatchObject({ status: 200 });
  await expect.poll(() => database.pool.idleCount).toBe(database.pool.totalCount);
  expect(await database.db.account.count()).toBe(0);
  expect(await timed(Promise.all([ask(), ask(), ask()]))).toMatchObject({ status: 200 });
});

test("a long job survives a short silence", async () => {
  const job = timed(
    database.db.$transaction(
      async (tx) => {
        await tx.$executeRaw`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'first')`;
        await sleep(5_500);
        line.silence();
        const [request] = await Promise.all([timed(ask()), sleep(1_500)]);
        line.fix();
        await tx.$executeRaw`INSERT INTO accounts (id, name) VALUES (gen_random_uuid(), 'second')`;
        return request;
      },
      { timeout: 60_000 },
    ),
  );
  expect(await job).toMatchObject({ status: 200 });
  await expect.poll(() => changes, { timeout: 5_000 }).toEqual([true, false]);
  expect(await database.db.account.count()).toBe(2);
});

test("long statements on all connections don't count as an outage: other requests wait", async () => {
  const answers = [pause(1.5), pause(1.5), ask()].map((work) => timed(work));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(changes).toEqual([]);
});

test("a busy process does not treat the database as silent", async () => {
  const answer = timed(pause(0.01));
  for (let round = 0; round < 3; round++) {
    await sleep(120);
    const until = performance.now() + 1_000;
    while (performance.now() < until);
  }
  expect(await answer).toMatchObject({ status: 200 });
  expect(changes).toEqual([]);
});

test("failed connections open the breaker, and the first successful one closes it", async () => {
  line.cut();
  await expect.poll(() => database.pool.isAway, { timeout: 5_000 }).toBe(false);
  expect((await timed(ask())).status).toBe(503);
  await expect.poll(() => database.pool.isAway, { timeout: 5_000 }).toBe(true);
  expect(await timed(ask())).toMatchObject({ status: 503, message: expect.stringMatching(UNCHANGED) });
  line.fix();
  await expect.poll(() => timed(ask()), { timeout: 5_000 }).toMatchObject({ status: 200 });
  expect(changes).toEqual([true, false]);
});

test("PostgreSQL without a free connection for a probe still counts as reachable", async () => {
  await database.db.$executeRawUnsafe(
    `ALTER DATABASE ${new URL(base.url).pathname.slice(1)} CONNECTION LIMIT 2`,
  );
  const answers = await Promise.all([pause(1.5), pause(1.5)].map((work) => timed(work)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(changes).toEqual([]);
});
