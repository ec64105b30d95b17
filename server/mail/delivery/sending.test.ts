import { expect, it } from "vitest";
import { bench, openBenchForTests, weekly } from "../../test/mail-bench";
import { people } from "../../test/mail-fixture";
import { links } from "../../test/mail-fixture-values";
import { close, isUnfinished } from "../queries/mail-batches";
import { type Batching, type BegunBatch, batchDueMails } from "./batching";
import type { DeliveryOutcome } from "./provider";
import { backoff, finish, releaseBatch, resumeBatch, type Sending } from "./sending";

openBenchForTests();

const HOUR = 3600;
const sending = (more: Partial<Sending> = {}): Sending => ({
  ...{ db: bench.db, jobs: bench.jobs, log: bench.log },
  ...{ leaseSeconds: 120, backoffMs: 60_000, uncertainAfterSeconds: 20 * HOUR },
  ...more,
});
const batching = (more: Partial<Batching> = {}): Batching => ({
  ...{ jobs: bench.jobs, links, mailFrom: "Rollcall <hello@list.example>", sends: true },
  ...{ leaseSeconds: 120, maxMails: 100 },
  ...more,
});

/** Starts the first attempt of a batch with a mail to each person. */
async function begin(emails: string[]): Promise<BegunBatch> {
  await bench.add(weekly, emails);
  const batch = await bench.db.$transaction((tx) => batchDueMails(batching(), tx));
  return batch as BegunBatch;
}
const resume = (id: string) => bench.db.$transaction((tx) => resumeBatch(sending(), tx, id));
/** Starts the next attempt of a batch, as after the end of a lease or a wait. */
async function beginAgain(id: string): Promise<BegunBatch> {
  await bench.hurry();
  return (await resume(id)) as BegunBatch;
}

const batchOf = (id: string) => bench.db.mailBatch.findUniqueOrThrow({ where: { id } });
const batches = () => bench.db.mailBatch.findMany({ orderBy: { id: "asc" } });
const recipients = (payload: string | null) =>
  (JSON.parse(payload as string) as { to: string[] }[]).map(({ to }) => String(to));
const states = async () =>
  (await bench.mails()).map((mail) => [mail.state, mail.provider_id, mail.error_code]);
/** When the jobs of a batch are due. */
const jobsOf = async (id: string) =>
  (
    await bench.db.$queryRaw<{ at: Date }[]>`
      SELECT start_after AS at FROM pgboss.job WHERE name = 'mail-send' AND data->>'batchId' = ${id} ORDER BY id`
  ).map(({ at }) => at);
const secondsUntil = (at: Date) => (at.getTime() - Date.now()) / 1000;

const accepted = (...ids: (string | null)[]): DeliveryOutcome => ({ kind: "accepted", ids, rejections: [] });
const rejected: DeliveryOutcome = { kind: "rejected", code: "validation_error", message: "Bad address." };
const throttled: DeliveryOutcome = {
  ...{ kind: "throttled", waitMs: 60_000, quota: false },
  ...{ code: "rate_limit_exceeded", message: "Slow down." },
};
const failed = (kind: "ambiguous" | "blocked" | "later" | "mismatch"): DeliveryOutcome => ({
  ...{ kind, code: `${kind}_code`, message: "Reason." },
});

it("marks the mails of an acceptance as sent, and the rejected ones as failed", async () => {
  const batch = await begin(people(2));
  const outcome: DeliveryOutcome = {
    ...{ kind: "accepted", ids: ["one", null], rejections: [{ position: 1, message: "No such domain." }] },
  };
  expect(await finish(sending(), batch, outcome)).toBeNull();
  expect(await states()).toEqual([
    ["sent", "one", null],
    ["failed", null, "validation_error"],
  ]);
  expect((await bench.mails())[1]?.error_message).toContain("No such domain.");
  expect(await batchOf(batch.id)).toMatchObject({ outcome: "accepted", payload: null });
});

it("records an acceptance after the mails were given up", async () => {
  const batch = await begin(people(1));
  await finish(sending({ uncertainAfterSeconds: 0 }), batch, failed("ambiguous"));
  expect(await states()).toEqual([["uncertain", null, "ambiguous_code"]]);
  await finish(sending(), batch, accepted("late"));
  expect(await states()).toEqual([["sent", "late", null]]);
  expect((await batchOf(batch.id)).outcome).toBe("uncertain");
});

it("ignores every result of an older attempt except an acceptance", async () => {
  const older = await begin(people(2));
  const newer = await beginAgain(older.id);
  expect([older.attempts, newer.attempts, newer.payload]).toEqual([1, 2, older.payload]);
  const before = [await batches(), await bench.mails(), await jobsOf(older.id)];
  for (const outcome of [rejected, throttled, failed("mismatch"), failed("ambiguous")])
    expect(await finish(sending(), older, outcome)).toBeNull();
  await finish(sending({ uncertainAfterSeconds: 0 }), older, failed("ambiguous"));
  await releaseBatch(sending(), older, 60_000);
  expect([await batches(), await bench.mails(), await jobsOf(older.id)]).toEqual(before);
  await finish(sending(), older, accepted("one", "two"));
  expect(await states()).toEqual([
    ["sent", "one", null],
    ["sent", "two", null],
  ]);
  expect(await resume(older.id)).toBeNull();
});

it("splits a rejected batch into halves that are due at once", async () => {
  const batch = await begin(people(5));
  expect(await finish(sending(), batch, rejected)).toBeNull();
  const [divided, ...halves] = await batches();
  expect(divided).toMatchObject({ id: batch.id, outcome: "divided", payload: null });
  const sent = JSON.parse(batch.payload);
  expect(halves.map(({ payload }) => JSON.parse(payload as string))).toEqual([
    sent.slice(0, 3),
    sent.slice(3),
  ]);
  for (const [at, { id, size }] of halves.entries()) {
    expect([size, (await jobsOf(id)).length]).toEqual([at === 0 ? 3 : 2, 1]);
    expect(await resume(id)).toMatchObject({ id, size, attempts: 1, sure: true });
  }
  expect((await bench.mails()).map((mail) => [mail.batch_id, mail.batch_position])).toEqual([
    ...[0, 1, 2].map((position) => [halves[0]?.id, position]),
    ...[0, 1].map((position) => [halves[1]?.id, position]),
  ]);
});

it("leaves erased people out of the halves, and writes no empty half", async () => {
  const batch = await begin(people(2));
  await bench.db.$executeRaw`DELETE FROM subscribers WHERE email = 'person0@list.example'`;
  await finish(sending(), batch, rejected);
  const [, ...halves] = await batches();
  expect(halves.map(({ payload }) => recipients(payload))).toEqual([["person1@list.example"]]);
});

it.each([
  ["one mail", 1, rejected, "failed"],
  ["the sender", 2, { ...rejected, code: "invalid_from_address" } as DeliveryOutcome, "failed"],
  ["a key that was used with other bytes", 2, failed("mismatch"), "uncertain"],
])("ends a batch rejected for %s", async (_, size, outcome, state) => {
  const batch = await begin(people(size));
  expect(await finish(sending(), batch, outcome)).toBeNull();
  expect((await bench.mails()).map((mail) => mail.state)).toEqual(people(size).map(() => state));
  expect((await bench.mails()).every((mail) => mail.error_message && mail.finished_at)).toBe(true);
  expect([(await batches()).length, await isUnfinished(bench.db, batch.id)]).toEqual([1, false]);
  expect(bench.logged.filter(({ level }) => level === "error")).toHaveLength(
    outcome.kind === "mismatch" ? 1 : 0,
  );
});

it("waits as long as the provider asks after a throttled attempt", async () => {
  const batch = await begin(people(1));
  expect(await finish(sending(), batch, throttled)).toBe(60_000);
  const { nextAttemptAt, unsureSince } = await batchOf(batch.id);
  expect(unsureSince).toBeNull();
  expect(secondsUntil(nextAttemptAt)).toBeGreaterThan(0);
  expect(secondsUntil(nextAttemptAt)).toBeLessThan(60.1);
  expect(await jobsOf(batch.id)).toContainEqual(nextAttemptAt);
  expect(await states()).toEqual([["sending", null, "rate_limit_exceeded"]]);
  expect(await resume(batch.id)).toBeNull();
  expect(await beginAgain(batch.id)).toMatchObject({ id: batch.id, attempts: 2, sure: true });
});

it.each([
  ["blocked", true],
  ["later", true],
  ["ambiguous", false],
] as const)("waits for the back-off after the outcome %s; certainly not accepted: %s", async (kind, sure) => {
  const batch = await begin(people(1));
  const ms = (await finish(sending(), batch, failed(kind))) as number;
  expect(ms).toBeGreaterThanOrEqual(48_000);
  expect(ms).toBeLessThanOrEqual(72_000);
  expect((await batchOf(batch.id)).unsureSince === null).toBe(sure);
  expect(await states()).toEqual([["sending", null, `${kind}_code`]]);
  const again = await beginAgain(batch.id);
  expect(again.sure).toBe(sure);
  // A throttled answer doesn't show what became of the attempt before it.
  await finish(sending(), again, throttled);
  expect((await batchOf(batch.id)).unsureSince === null).toBe(sure);
});

it("doubles the back-off up to 15 minutes, random by 20 %", () => {
  const waits = (failures: number) => Array.from({ length: 500 }, () => backoff(1_000, failures));
  for (const [failures, ms] of [
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [11, 900_000],
    [5_000, 900_000],
  ] as const) {
    const found = waits(failures);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(0.8 * ms);
    expect(Math.max(...found)).toBeLessThanOrEqual(1.2 * ms);
    expect(Math.max(...found) - Math.min(...found)).toBeGreaterThan(0.3 * ms);
  }
});

it("resends a batch that may have been accepted with the same bytes, and gives it up after 20 hours", async () => {
  const batch = await begin(people(2));
  await finish(sending(), batch, failed("ambiguous"));
  await bench.db.$executeRaw`DELETE FROM subscribers WHERE email = 'person0@list.example'`;
  await bench.db.$executeRaw`UPDATE mail_batches SET unsure_since = now() - interval '19 hours 59 minutes'`;
  expect(await beginAgain(batch.id)).toEqual({ ...batch, attempts: 2, sure: false });
  await bench.db.$executeRaw`UPDATE mail_batches SET unsure_since = now() - interval '20 hours 1 second'`;
  expect(await beginAgain(batch.id)).toBeNull();
  expect(await states()).toEqual([["uncertain", null, "uncertain"]]);
  expect((await batchOf(batch.id)).outcome).toBe("uncertain");
  expect(bench.logged.at(-1)).toMatchObject({ level: "error", details: { batchId: batch.id, mails: 2 } });
});

it("checks a batch that was certainly not accepted again, and sends the rest under a new key", async () => {
  const batch = await begin(people(3));
  await finish(sending(), batch, throttled);
  await bench.db.$executeRaw`UPDATE subscribers SET status = 'active' WHERE email = 'person1@list.example'`;
  const rest = await beginAgain(batch.id);
  expect(rest).toMatchObject({ size: 2, attempts: 1, sure: true });
  expect(rest.id).not.toBe(batch.id);
  expect(recipients(rest.payload)).toEqual(["person0@list.example", "person2@list.example"]);
  expect((await batchOf(batch.id)).outcome).toBe("divided");
  await finish(sending(), rest, throttled);
  await bench.db.$executeRaw`UPDATE subscribers SET status = 'active'`;
  expect(await beginAgain(rest.id)).toBeNull();
  expect((await batchOf(rest.id)).outcome).toBe("cancelled");
  expect(await states()).toEqual(people(3).map(() => ["cancelled", null, "not_pending"]));
});

it("lets one process at a time resume a batch", async () => {
  const { id } = await begin(people(1));
  expect(await resume(id)).toBeNull();
  await bench.hurry();
  const resumed = await Promise.all([resume(id), resume(id), resume(id)]);
  expect(resumed.filter((batch) => batch !== null)).toMatchObject([{ id, attempts: 2, sure: false }]);
  // The job that follows a dead process is due when the lease ends.
  const { nextAttemptAt } = await batchOf(id);
  expect(secondsUntil(nextAttemptAt)).toBeGreaterThan(60);
  expect(await jobsOf(id)).toContainEqual(nextAttemptAt);
});

it("releases a batch for later, and keeps whether an attempt may have been accepted", async () => {
  for (const sure of [true, false]) {
    const batch = await begin([`sure-${sure}@list.example`]);
    await releaseBatch(sending(), { ...batch, sure }, 60_000);
    const { nextAttemptAt, unsureSince } = await batchOf(batch.id);
    expect(unsureSince === null).toBe(sure);
    expect(secondsUntil(nextAttemptAt)).toBeLessThan(60.1);
    expect(await jobsOf(batch.id)).toContainEqual(nextAttemptAt);
  }
});

it("closes a batch once", async () => {
  const { id } = await begin(people(1));
  const other = await begin(["other@list.example"]);
  const closed = (attempt: number | null) =>
    bench.db.$transaction((tx) => close(tx, id, "rejected", attempt));
  expect(await closed(2)).toBe(false);
  expect(await closed(1)).toBe(true);
  expect(await closed(1)).toBe(false);
  expect(await closed(null)).toBe(false);
  expect(await batchOf(other.id)).toMatchObject({ outcome: null, payload: other.payload });
});

it("adds a job for more mails only after a full batch", async () => {
  await bench.add(weekly, people(3));
  const waiting = async () => {
    const [row] = await bench.db.$queryRaw<[{ jobs: number }]>`
      SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'mail-batch'`;
    return row.jobs;
  };
  const batchOfTwo = () => bench.db.$transaction((tx) => batchDueMails(batching({ maxMails: 2 }), tx));
  const before = await waiting();
  expect((await batchOfTwo())?.size).toBe(2);
  expect(await waiting()).toBe(before + 1);
  expect((await batchOfTwo())?.size).toBe(1);
  expect(await waiting()).toBe(before + 1);
  expect(await batchOfTwo()).toBeNull();
});
