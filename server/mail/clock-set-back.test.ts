import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { findSendBacklog, postpone } from "../db/mail-batches";
import { watchClock } from "../jobs/handlers";
import { silentEndpoint } from "../test/linked-person";
import { type MailBench, openMailBench, people, until } from "../test/mail-fixture";

let bench: MailBench;
beforeAll(async () => {
  bench = await openMailBench();
});
afterEach(() => bench.reset());
afterAll(() => bench.close());

const AHEAD = "60 hours";

/** What stood in the database's tables when its clock was 60 hours ahead, and is set back now. */
async function setBack(): Promise<void> {
  const ahead = (table: string, columns: string[], where = "true") =>
    bench.db.$executeRawUnsafe(
      `UPDATE ${table} SET ${columns.map((name) => `${name} = ${name} + interval '${AHEAD}'`).join(", ")} WHERE ${where}`,
    );
  await ahead("mail_batches", ["next_attempt_at", "unsure_since"], "finished_at IS NULL");
  await ahead("mails", ["deferred_until"], "state = 'deferred'");
  await ahead("pgboss.job", ["start_after", "started_on", "created_on"]);
  await ahead("pgboss.queue", ["monitor_on", "monitor_claim_on", "maintain_on"]);
  await ahead("pgboss.version", ["cron_on", "flow_on", "bam_on"]);
  await ahead("webhook_endpoints", ["next_try_at", "failing_since"]);
  await bench.db.$executeRawUnsafe(
    `UPDATE mail_throttle SET allowed_at = (SELECT array_agg(at + interval '${AHEAD}') FROM unnest(allowed_at) AS at)`,
  );
}

/** Sends that wait for another attempt, and a second mail to somebody, which waits a minute for the first. */
async function leaveWaiting(): Promise<void> {
  await bench.deliver();
  for (const round of [1, 2]) {
    await bench.add(await bench.newsletter(), ["ada@list.example"]);
    await until(
      async () => (await bench.mails()).filter(({ state }) => state !== "waiting").length >= round,
      "a mail",
    );
  }
  await until(async () => (await bench.mails()).some(({ state }) => state === "deferred"), "a mail deferred");
  await until(async () => (await bench.mails()).some(({ state }) => state === "sent"), "a mail sent");
  bench.fake.fault({ kind: "rate", times: 1, seconds: 60 });
  await bench.add(await bench.newsletter(), people(3));
  await until(async () => (await bench.mails()).filter((mail) => mail.error_code).length === 4, "an attempt");
  await bench.stopDeliveries();
  await setBack();
}

const watch = (now?: () => Promise<Date>) =>
  watchClock(
    { db: bench.db, jobs: bench.jobs, log: bench.log } as unknown as Parameters<typeof watchClock>[0],
    now,
  );

test("sends, deferred mails and jobs that a clock set back left 60 hours ahead leave at once", async () => {
  await leaveWaiting();
  expect(await findSendBacklog(bench.db)).toMatchObject({ overdueSends: 0, strandedSends: 1 });
  await watch().look();
  expect(await findSendBacklog(bench.db)).toMatchObject({ strandedSends: 0 });
  const [{ ahead }] = await bench.db.$queryRaw<[{ ahead: number }]>`
    SELECT (SELECT count(*)::int FROM pgboss.version WHERE greatest(cron_on, flow_on, bam_on) > now() + interval '1 hour')
      + (SELECT count(*)::int FROM pgboss.queue WHERE greatest(monitor_on, monitor_claim_on, maintain_on) > now() + interval '1 hour')
      + (SELECT count(*)::int FROM pgboss.job WHERE state < 'active' AND start_after > now() + interval '25 hours') AS ahead`;
  expect(ahead).toBe(0);
  await bench.deliver();
  await bench.db.$executeRaw`UPDATE mail_throttle SET allowed_at = '{}'`;
  await until(
    async () => (await bench.mails()).filter((mail) => mail.state === "sent").length >= 3,
    "the send",
  );
  expect(bench.logged.filter(({ message }) => message.includes("set back"))).toHaveLength(1);
});

test("an endpoint that was to be tried when a wrong clock says is tried now", async () => {
  const newsletterId = await bench.newsletter();
  const endpoint = {
    ...silentEndpoint(newsletterId),
    ...{ nextTryAt: new Date(), failingSince: new Date() },
  };
  await bench.db.webhookEndpoint.create({ data: endpoint });
  await setBack();
  await watch().look();
  const found = await bench.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpoint.id } });
  expect(Number(found.nextTryAt)).toBeLessThan(Date.now() + 60_000);
  expect(Number(found.failingSince)).toBeLessThan(Date.now() + 60_000);
  await bench.db.webhookEndpoint.delete({ where: { id: endpoint.id } });
});

test("what a transaction brings that began before the clock was set back is found by the next look", async () => {
  let skewMs = 60 * 3_600_000;
  const clock = watch(async () => new Date(Date.now() + skewMs));
  await leaveWaiting();
  skewMs = 0;
  await clock.look();
  await setBack();
  expect(await findSendBacklog(bench.db)).toMatchObject({ strandedSends: 1 });
  await clock.look();
  expect(await findSendBacklog(bench.db)).toMatchObject({ strandedSends: 0 });
});

test("a send far ahead is taken up by whoever comes to it", async () => {
  await leaveWaiting();
  await bench.deliver();
  const [batch] = await bench.db.$queryRaw<
    { id: string }[]
  >`SELECT id FROM mail_batches WHERE finished_at IS NULL`;
  await bench.jobs.add(bench.db, "mail-send", [{ data: { batchId: batch?.id as string } }]);
  await until(
    async () => (await bench.mails()).filter((mail) => mail.state === "sent").length === 4,
    "the send",
  );
});

test("no wait for the next attempt is longer than 15 minutes", async () => {
  await leaveWaiting();
  const [batch] = await bench.db.$queryRaw<{ id: string; attempts: number }[]>`
    SELECT id, attempts FROM mail_batches WHERE finished_at IS NULL`;
  const { id, attempts: attempt } = batch as { id: string; attempts: number };
  const due = await postpone(bench.db, id, { attempt, seconds: 5 * 3600, sure: true });
  expect((due as Date).getTime() - Date.now()).toBeLessThan(901_000);
  expect((due as Date).getTime() - Date.now()).toBeGreaterThan(890_000);
});

test("a clock that is set back while a process runs is noticed; one that only goes on, or forward, is not", async () => {
  let skewMs = 0;
  const clock = watch(async () => new Date(Date.now() + skewMs));
  // The first brings back what other tests left, the second finds nothing more.
  await clock.look();
  await clock.look();
  const warned = () => bench.logged.filter(({ message }) => message.includes("set back")).length;
  const before = warned();
  await leaveWaiting();
  await clock.look();
  skewMs = 60 * 3_600_000;
  await clock.look();
  expect(warned()).toBe(before);
  skewMs = 0;
  await clock.look();
  expect(warned()).toBe(before + 1);
  expect(await findSendBacklog(bench.db)).toMatchObject({ strandedSends: 0 });
});
